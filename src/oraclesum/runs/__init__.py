"""Stage: topics to answers, in order, whatever happens: as a stream, or a folder of shards."""

from .corpus import enumerate_corpus
from .merging import merge_folder, read_folder

__all__ = ["enumerate_corpus", "merge_folder", "read_folder"]
