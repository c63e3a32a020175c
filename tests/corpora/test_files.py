"""Nothing outside the given folder or archive is read, and no archive can fill the memory."""

from __future__ import annotations

import bz2
import io
import os
import socket
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fixtures.trees import pack, write_tree
from oraclesum import InputError, RecordError
from oraclesum.corpora.caps import Caps
from oraclesum.corpora.files import CorpusFile, walk_files

SECRET = b"what nobody may read"


def walk(root: Path, caps: Caps | None = None) -> tuple[dict[str, bytes], dict[str, str]]:
    """What was read, by the path below the root, and what was refused, by the path on disk."""
    files: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    for item in walk_files(root, caps):
        if isinstance(item, RecordError):
            refused[item.file.removeprefix(f"{root}/")] = item.reason
            continue
        try:
            files[item.name.removeprefix(f"{root.name}/")] = item.read()
        except InputError as error:
            refused[item.place.removeprefix(f"{root}/")] = str(error)
    return files, refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_bytes(SECRET)
    return write_tree({"in": {"b": {"c": "3"}, "a": "1", ".hidden": "x"}}, tmp_path) / "in"


def add(member: tarfile.TarInfo, content: bytes = b"") -> Callable[[tarfile.TarFile], None]:
    member.size = len(content)
    return lambda archive: archive.addfile(member, io.BytesIO(content))


def link(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def device(name: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = kind
    return member


def write_archive(path: Path, *adders: Callable[[tarfile.TarFile], None]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for adder in adders:
            adder(archive)
        add(tarfile.TarInfo("good"), b"read me")(archive)
    return path


def test_a_folder_is_walked_in_order_without_hidden_files(folder: Path) -> None:
    assert walk(folder) == ({"a": b"1", "b/c": b"3"}, {})


@pytest.fixture
def nest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, int], None]]:
    """Makes folders of a name in each other, the first in `b`, with a file in the last."""

    def make(name: str, depth: int) -> None:
        with monkeypatch.context() as patch:
            patch.chdir(folder / "b")  # step by step, as a path may get too long for one call
            for _ in range(depth):
                Path(name).mkdir()
                os.chdir(name)
            Path("deep").write_text("2")

    yield make
    subprocess.run(["rm", "-rf", folder / "b"], check=True)  # too deep for Python's and pytest's


def test_folders_may_be_nested_deeper_than_calls(
    folder: Path, nest: Callable[[str, int], None]
) -> None:
    nest("d", 1200)
    (folder / "z").write_text("last")
    files, refused = walk(folder)
    deep = f"b/{'d/' * 1200}deep"
    assert list(files.items()) == [("a", b"1"), ("b/c", b"3"), (deep, b"2"), ("z", b"last")]
    assert refused == {}


def test_a_folder_whose_path_is_too_long_is_named_and_the_rest_is_read(
    folder: Path, nest: Callable[[str, int], None]
) -> None:
    nest("d" * 200, 25)
    (folder / "z").write_text("last")
    files, refused = walk(folder)
    assert list(files) == ["a", "b/c", "z"]
    assert list(refused.values()) == ["cannot be read: File name too long"]


def test_links_are_followed_only_inside_the_folder(folder: Path) -> None:
    (folder / "inside").symlink_to("b/c")
    (folder / "outside").symlink_to("../secret")
    (folder / "absolute").symlink_to(folder.parent / "secret")
    (folder / "upwards").symlink_to("..")
    (folder / "again").symlink_to("b")
    (folder / "nowhere").symlink_to("nothing")
    (folder / "ring").symlink_to("ring")
    files, refused = walk(folder)
    assert files == {"a": b"1", "b/c": b"3", "inside": b"3"}
    assert set(refused) == {"outside", "absolute", "upwards", "again", "nowhere", "ring"}
    assert "a link to a folder of the corpus" in refused["again"]
    assert "link out of the given folder" in refused["outside"]
    assert "leads nowhere" in refused["nowhere"]


def test_a_link_to_a_hidden_folder_is_refused_as_that_is_not_walked(folder: Path) -> None:
    write_tree({".store": {"deep": {"d": "4"}}}, folder)
    (folder / "shown").symlink_to(".store")
    (folder / "deeper").symlink_to(".store/deep")
    files, refused = walk(folder)
    assert files == {"a": b"1", "b/c": b"3"}
    assert set(refused) == {"shown", "deeper"}
    assert all("a link to a hidden folder" in reason for reason in refused.values())


@pytest.mark.parametrize("name", ["a\0.jsonl", "\0a.jsonl"])
def test_a_name_with_a_nul_in_a_zip_archive_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("good", b"read me")
        archive.writestr("bad" + "x" * len(name), b"{}")
    path.write_bytes(path.read_bytes().replace(b"bad" + b"x" * len(name), b"bad" + name.encode()))
    files, refused = walk(path)
    assert files == {"good": b"read me"}
    assert len(refused) == 1
    assert "NUL" in next(iter(refused.values()))


def test_a_linked_folder_may_itself_be_given(folder: Path) -> None:
    linked = folder.parent / "linked"
    linked.symlink_to(folder)
    assert walk(linked)[0] == {"a": b"1", "b/c": b"3"}


def test_what_is_no_file_is_refused_and_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
        assert walk(folder)[1] == {
            "pipe": "refused: not a regular file",
            "socket": "refused: not a regular file",
        }
    with pytest.raises(InputError, match="neither a file nor a folder"):
        next(walk_files(folder / "pipe"))


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (tarfile.TarInfo("../secret"), "leads out"),
        (tarfile.TarInfo("x/../../secret"), "leads out"),
        (tarfile.TarInfo("/etc/passwd"), "leads out"),
        (tarfile.TarInfo("..\\secret"), "leads out"),
        (tarfile.TarInfo("C:\\secret"), "leads out"),
        (link("soft", "../secret", tarfile.SYMTYPE), "a link"),
        (link("soft", "good", tarfile.SYMTYPE), "a link"),
        (link("hard", "../secret", tarfile.LNKTYPE), "a link"),
        (device("tty", tarfile.CHRTYPE), "not a regular file"),
        (device("disk", tarfile.BLKTYPE), "not a regular file"),
        (device("pipe", tarfile.FIFOTYPE), "not a regular file"),
        (tarfile.TarInfo(""), "without a name"),
        (tarfile.TarInfo("./."), "without a name"),
    ],
    ids=lambda value: value.name if isinstance(value, tarfile.TarInfo) else "",
)
def test_a_member_that_could_lead_outside_is_refused_and_the_others_are_read(
    member: tarfile.TarInfo, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_bytes(SECRET)
    path = write_archive(tmp_path / "evil.tgz", add(member))
    files, refused = walk(path)
    assert files == {"good": b"read me"}
    assert len(refused) == 1
    assert reason in next(iter(refused.values()))


def test_a_name_with_control_characters_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "evil.tgz", add(tarfile.TarInfo("../\x1b[2Jgone")))
    assert "\x1b" not in str(next(walk_files(path)))


@pytest.mark.parametrize("name", ["in.tar", "in.tar.gz", "in.tgz", "IN.TGZ"])
def test_archives_inside_archives_are_walked_like_folders(name: str, tmp_path: Path) -> None:
    inner = {"./a": b"1", "deep.tar": {"b": {"c": b"2"}}}
    (tmp_path / name).write_bytes(pack({"x.tgz": inner}, name.lower()))
    assert walk(tmp_path / name) == ({"x.tgz/a": b"1", "x.tgz/deep.tar/b/c": b"2"}, {})


def test_other_compressions_are_read(tmp_path: Path) -> None:
    (tmp_path / "in.tar.bz2").write_bytes(bz2.compress(pack({"a": b"1"}, "in.tar")))
    assert walk(tmp_path)[0] == {"in.tar.bz2/a": b"1"}


def test_archives_nested_too_deep_are_refused(tmp_path: Path) -> None:
    tree: dict[str, object] = {"bottom": b"x"}
    for _ in range(5):
        tree = {"in.tar": tree, "file": b"1"}
    (tmp_path / "in.tar").write_bytes(pack(tree, "in.tar"))  # type: ignore[arg-type]
    files, refused = walk(tmp_path / "in.tar")
    assert not any(name.endswith("bottom") for name in files)
    assert ["nested more than 4 deep" in reason for reason in refused.values()] == [True]


def test_a_damaged_archive_is_named_and_the_rest_of_the_folder_is_read(tmp_path: Path) -> None:
    whole = pack({"a": b"1", "b": os.urandom(100_000)}, "x.tgz")
    write_tree({"cut.tgz": whole[: len(whole) // 2], "not.tar": b"hello", "z": b"9"}, tmp_path)
    read: dict[str, bytes] = {}
    wrong: list[str] = []
    for item in walk_files(tmp_path):
        try:
            if isinstance(item, CorpusFile):
                read[item.name.removeprefix(f"{tmp_path.name}/")] = item.read()
            else:
                wrong.append(item.file.removeprefix(f"{tmp_path}/"))
        except InputError as error:
            wrong.append(str(error).split(":")[0].removeprefix(f"{tmp_path}/"))
    assert read == {"cut.tgz/a": b"1", "z": b"9"}
    assert set(wrong) == {"cut.tgz/b", "cut.tgz", "not.tar"}


@pytest.mark.parametrize("nested", [False, True])
def test_a_zip_archive_whose_start_is_cut_off_is_called_damaged(
    nested: bool, tmp_path: Path
) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a.csv", "id,text\n")
        archive.writestr("b.csv", "id,text\n")
    path = tmp_path / ("out.zip" if nested else "in.zip")
    path.write_bytes(data.getvalue()[9:])
    if nested:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("in.zip", data.getvalue()[9:])
    files, errors = walk(path)
    assert [name.rpartition("/")[2] for name in files] == ["b.csv"]
    [(place, reason)] = errors.items()
    assert place == ("in.zip/a.csv" if nested else "a.csv")
    assert reason == (
        "cannot be read, the archive is damaged: it names a place before its own start"
    )


def test_caps_hold_for_one_file_for_all_and_for_their_number(tmp_path: Path) -> None:
    path = tmp_path / "in.tgz"
    path.write_bytes(pack({"a": b"1" * 10, "b": b"2" * 30, "c": b"3" * 10}, "in.tgz"))
    files, refused = walk(path, Caps(record_bytes=20))
    assert set(files) == {"a", "c"}
    assert "larger than" in refused["b"]
    files, refused = walk(path, Caps(total_bytes=2500))
    assert set(files) == {"a", "b"}
    assert "from here on" in next(iter(refused.values()))
    files, refused = walk(path, Caps(files=1))
    assert set(files) == {"a"}
    assert "more than 1 files" in next(iter(refused.values()))


def test_a_large_file_of_a_folder_is_refused_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 100)
    item = next(walk_files(tmp_path, Caps(record_bytes=99)))
    assert isinstance(item, CorpusFile)
    with pytest.raises(InputError, match="refused: larger than"):
        item.read()


def test_a_nested_archive_that_is_a_bomb_stops_the_whole_archive(tmp_path: Path) -> None:
    bomb = pack({"zeros": b"\0" * 200_000, "more": b"\0" * 200_000}, "bomb.tgz")
    path = tmp_path / "in.tgz"
    path.write_bytes(pack({"bomb.tgz": bomb, "after": b"1"}, "in.tgz"))
    items = list(walk_files(path, Caps(total_bytes=300_000)))
    assert isinstance(items[0], CorpusFile)
    assert items[0].name == "in.tgz/bomb.tgz/zeros"
    assert [type(item) for item in items[1:]] == [RecordError]


def test_a_header_that_claims_a_gigabyte_of_name_is_refused(tmp_path: Path) -> None:
    header = device("x", tarfile.GNUTYPE_LONGNAME)
    header.size = 1 << 30
    (tmp_path / "in.tar").write_bytes(header.tobuf(tarfile.GNU_FORMAT) + b"\0" * 1024)
    files, refused = walk(tmp_path)
    assert files == {}
    assert "a header of 1073741824 bytes" in refused["in.tar"]


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE])
@pytest.mark.parametrize("first", [True, False])
def test_thousands_of_headers_before_one_file_are_a_damage(
    kind: bytes, first: bool, tmp_path: Path
) -> None:
    header = device("x", kind)
    header.size = 11
    headers = (header.tobuf(tarfile.GNU_FORMAT) + b"11 path=ab\n".ljust(512, b"\0")) * 3000
    path = tmp_path / "in.tar"
    with tarfile.open(path, "w") as archive:
        add(tarfile.TarInfo("good"), b"read me")(archive)
    good = path.read_bytes()
    path.write_bytes(headers + good if first else good[:1024] + headers + good)
    (tmp_path / "other").write_bytes(b"me too")
    files, refused = walk(tmp_path)
    assert files == {**({} if first else {"in.tar/good": b"read me"}), "other": b"me too"}
    said = {tarfile.XGLTYPE: "too many headers before one file"}.get(kind, "two long names")
    assert said in refused["in.tar"]
    assert f"from its unpacked byte {0 if first else 1024:,} on" in refused["in.tar"]
