"""Shards as Ray tasks: a lost worker or node changes no byte of the output."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oraclesum.runs.merging import read_folder
from oraclesum.runs.ray_tasks import RayTasks
from oraclesum.workers import Call
from runs.documents import make_documents, write_lines
from runs.standins import Deadly, Hungry, Watched, make_writer, run

pytest.importorskip("ray.cluster_utils")
pytestmark = pytest.mark.filterwarnings("default")  # Ray's own code warns, and leaves sockets open


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import ray
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent)
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()
    del os.environ["PYTHONPATH"]


def shards(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


class Disturbed(RayTasks):
    """Does something to the cluster when the first shard is there."""

    def __init__(self, disturb: Any) -> None:
        super().__init__(None)
        self._disturb = disturb

    def wait(self, call: Call) -> Any:
        done = super().wait(call)
        if self._disturb is not None:
            self._disturb()
            self._disturb = None
        return done


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "in.jsonl", make_documents(120))


def test_ray_writes_what_a_local_run_writes(cluster: Any, lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "local")
    run(lines, tmp_path / "ray", caller=RayTasks(None))
    assert shards(tmp_path / "ray") == shards(tmp_path / "local")


def test_a_killed_worker_changes_nothing(cluster: Any, lines: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    killed = []

    def kill_workers() -> None:
        for note in notes.iterdir():
            os.kill(int(note.name), signal.SIGKILL)
            killed.append(note.name)

    watched = Watched(answerer=make_writer().answerer, notes=notes)
    run(lines, tmp_path / "ray", caller=Disturbed(kill_workers), answering=watched)
    assert killed
    run(lines, tmp_path / "local")
    assert shards(tmp_path / "ray") == shards(tmp_path / "local")


@pytest.mark.wide  # a killed worker, below, is met in the same way
def test_a_removed_node_changes_nothing(cluster: Any, lines: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    node = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    removed = []

    def remove_node() -> None:
        cluster.remove_node(node, allow_graceful=False)
        removed.append(node)

    watched = Watched(answerer=make_writer().answerer, notes=notes, least=2)
    run(lines, tmp_path / "ray", caller=Disturbed(remove_node), answering=watched)
    assert removed
    run(lines, tmp_path / "local")
    assert shards(tmp_path / "ray") == shards(tmp_path / "local")


def test_a_document_that_kills_its_worker_is_recorded(
    cluster: Any, lines: Path, tmp_path: Path
) -> None:
    deadly = Deadly(answerer=make_writer().answerer, name="d23")
    tally, _ = run(lines, tmp_path / "ray", caller=RayTasks(None), answering=deadly)
    assert (tally.documents, tally.errors) == (120, 1)
    records = {record["id"]: record for record in read_folder(tmp_path / "ray")}
    assert "the worker process died on this record" in records["d23"]["error"]


def test_a_document_that_takes_all_memory_is_recorded(
    cluster: Any, lines: Path, tmp_path: Path
) -> None:
    hungry = Hungry(answerer=make_writer().answerer, name="d23")
    tally, _ = run(lines, tmp_path / "ray", caller=RayTasks(None), answering=hungry)
    assert (tally.documents, tally.errors) == (120, 1)
    records = {record["id"]: record for record in read_folder(tmp_path / "ray")}
    assert records["d23"]["error"].endswith("out of memory")
