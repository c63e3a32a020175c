"""Stage: topics to answers, in order, whatever happens: as a stream, or a folder of shards."""
