"""Wheels of strangers: what suits this Python, and what is never unpacked."""

from __future__ import annotations

import io
import stat
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from jurydesk.core.intake import wheels as module
from jurydesk.core.intake.wheels import (
    AddOnError,
    is_for_this_python,
    read_wheel,
    unpack_wheel,
)
from support.plug_ins.wheels import make_wheel


def nothing() -> None:
    return


def unpacked(path: Path, folder: Path) -> dict[str, bytes]:
    unpack_wheel(read_wheel(path, nothing), folder, nothing)
    files = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in files}


@pytest.mark.parametrize(
    ("system", "tags", "suits"),
    [
        ("linux-x86_64", "py3-none-any", True),
        ("linux-x86_64", "py2.py3-none-any", True),
        ("linux-x86_64", "py2-none-any", False),
        ("linux-x86_64", "py312-none-any", False),
        ("linux-x86_64", "cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64", True),
        ("linux-x86_64", "cp311-cp311-manylinux_2_28_aarch64", False),
        ("linux-x86_64", "cp311-cp311-musllinux_1_2_x86_64", False),
        ("linux-x86_64", "cp310-cp310-manylinux_2_28_x86_64", False),
        ("linux-x86_64", "cp311-cp311t-manylinux_2_28_x86_64", False),
        ("linux-x86_64", "cp38-abi3-manylinux_2_28_x86_64", True),
        ("linux-x86_64", "cp312-abi3-manylinux_2_28_x86_64", False),
        ("linux-x86_64", "cp311-cp311-win_amd64", False),
        ("linux-aarch64", "cp311-cp311-manylinux_2_28_aarch64", True),
        ("win-amd64", "cp311-cp311-win_amd64", True),
        ("win-amd64", "cp311-cp311-win_arm64", False),
        ("macosx-11.0-arm64", "cp311-cp311-macosx_11_0_arm64", True),
        ("macosx-11.0-arm64", "cp311-cp311-macosx_10_9_universal2", True),
        ("macosx-11.0-arm64", "cp311-cp311-macosx_10_9_x86_64", False),
        ("macosx-10.9-x86_64", "cp311-cp311-macosx_10_9_x86_64", True),
        ("macosx-10.9-universal2", "cp311-cp311-macosx_10_9_universal2", True),
    ],
)
def test_wheels_suit_a_system_by_the_tags_of_pep_425(monkeypatch, system, tags, suits):
    monkeypatch.setattr(sys, "version_info", (3, 11, 7))
    monkeypatch.setattr(sysconfig, "get_platform", lambda: system)
    assert is_for_this_python(*tags.split("-")) is suits


def test_modules_are_unpacked_and_programs_are_not(tmp_path):
    wheel = make_wheel(
        tmp_path,
        {
            "thing/__init__.py": "one = 1\n",
            "thing-1.0.data/purelib/other.py": "two = 2\n",
            "table.data/three.csv": "3\n",
            "thing-1.0.data/scripts/thing": "#!python\n",
            "thing-1.0.data/data/share/man/thing.1": "manual",
        },
    )
    found = unpacked(wheel, tmp_path / "out")
    modules = {name: text for name, text in found.items() if "dist-info" not in name}
    own = {"thing/__init__.py": b"one = 1\n", "other.py": b"two = 2\n"}
    assert modules == {**own, "table.data/three.csv": b"3\n"}


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("../escaped.py", "leads out of the archive"),
        ("thing/../../escaped.py", "leads out of the archive"),
        ("/escaped.py", "is an absolute path"),
        ("C:/escaped.py", "is an absolute path"),
        ("thing\\escaped.py", "Not every system has files of its name."),
        ("thing-1.0.data/purelib/../../../escaped.py", "leads out of the archive"),
        ("thing/aux.py", "Not every system has files of its name."),
        ("thing/na\u202eme.py", "Not every system has files of its name."),
        ("/".join(["deep"] * 40), "folders deep"),
    ],
)
def test_a_member_that_leads_elsewhere_is_refused(tmp_path, member, reason):
    (tmp_path / "wheels").mkdir()
    wheel = make_wheel(tmp_path / "wheels", {member: "x = 1\n"})
    with pytest.raises(AddOnError, match=reason):
        unpacked(wheel, tmp_path / "out" / "add-on")
    assert [one.name for one in tmp_path.rglob("escaped*")] == []


def test_a_link_is_refused(tmp_path):
    wheel = make_wheel(tmp_path, {})
    link = zipfile.ZipInfo("thing/link.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(AddOnError, match=r"thing/link\.py: It is a link\."):
        unpacked(wheel, tmp_path / "out")


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_a_pipe_or_a_device_is_refused(kind):
    member = zipfile.ZipInfo("thing/one.py")
    member.external_attr = (kind | 0o777) << 16
    assert module._refusal(member) == "It is a device or a pipe, not a file."
    for allowed in (0, stat.S_IFREG, stat.S_IFDIR):
        member.external_attr = (allowed | 0o777) << 16
        assert module._refusal(member) == ""


def test_a_member_that_unpacks_to_far_more_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module.limits, "ZIP_RATIO_FROM", 1 << 16)
    wheel = make_wheel(tmp_path, {"thing/big.bin": bytes(1 << 20)})
    with pytest.raises(AddOnError, match="more than 400 times its packed size"):
        unpacked(wheel, tmp_path / "out")


def test_wheels_may_share_a_file_that_is_the_same(tmp_path):
    for name in ("one", "two"):
        wheel = make_wheel(tmp_path, {"space/__init__.py": "", f"space/{name}.py": ""}, name=name)
        found = unpacked(wheel, tmp_path / "out")
    assert {"space/__init__.py", "space/one.py", "space/two.py"} <= found.keys()
    wheel = make_wheel(tmp_path, {"space/one.py": "changed = 1\n"}, name="three")
    with pytest.raises(AddOnError, match=r"Two wheels have different files space/one\.py\."):
        unpacked(wheel, tmp_path / "out")


def test_a_wheel_is_one_distribution_of_its_own_name(tmp_path):
    hidden = "[jurydesk.commands]\nhidden = thing:COMMAND\n"
    wheel = make_wheel(tmp_path, {"also-1.0.dist-info/entry_points.txt": hidden})
    with pytest.raises(AddOnError, match=r"does not have one folder \.dist-info"):
        read_wheel(wheel, nothing)
    wheel = make_wheel(tmp_path, {}).rename(tmp_path / "other-1.0-py3-none-any.whl")
    with pytest.raises(AddOnError, match="with the name of the wheel"):
        read_wheel(wheel, nothing)


@pytest.mark.parametrize("kept", [0, 10, 200, -30, -1])
def test_a_wheel_that_was_cut_off_is_damaged(tmp_path, kept):
    whole = make_wheel(tmp_path, {"thing/__init__.py": "x = 1\n" * 50}).read_bytes()
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    wheel.write_bytes(whole[:kept])
    with pytest.raises(AddOnError, match="is damaged"):
        unpacked(wheel, tmp_path / "out")


@pytest.mark.parametrize(
    "text", ["no section", "[jurydesk.tasks", "\udcff", "[jurydesk.tasks]\n" + "a=b\n" * 400_000]
)
def test_entry_points_that_cannot_be_read_are_damage(tmp_path, text):
    raw = text.encode("utf-8", "surrogateescape")
    wheel = make_wheel(tmp_path, {}, entry_points=raw)
    with pytest.raises(AddOnError, match="is damaged"):
        read_wheel(wheel, nothing)


def test_a_wheel_that_changes_while_it_is_read_is_refused(tmp_path):
    path = make_wheel(tmp_path, {"thing/__init__.py": "x = 1\n"})
    read = read_wheel(path, nothing)
    make_wheel(tmp_path, {"thing/__init__.py": "x = 2\n"})
    with pytest.raises(AddOnError, match="has changed while it was read"):
        unpack_wheel(read, tmp_path / "out", nothing)


def test_only_what_was_hashed_is_unpacked(tmp_path):
    path = make_wheel(tmp_path, {"thing/__init__.py": "x = 1\n"})
    sound, read = path.read_bytes(), read_wheel(path, nothing)
    make_wheel(tmp_path, {"thing/__init__.py": "x = 2\n"})
    with pytest.raises(AddOnError, match="has changed while it was read"):
        unpack_wheel(read, tmp_path / "out", lambda: path.write_bytes(sound) and None)
    assert path.read_bytes() == sound
    assert list((tmp_path / "out").iterdir()) == []


def test_a_file_with_another_name_is_no_wheel(tmp_path):
    path = tmp_path / "thing.whl"
    path.write_bytes(io.BytesIO().getvalue())
    with pytest.raises(AddOnError, match="is not the name of a wheel"):
        read_wheel(path, nothing)


@pytest.mark.parametrize(
    ("name", "limit", "sentence"),
    [
        ("MAX_FILES", 3, "thing-1.0-py3-none-any.whl has more than 2 files."),
        ("MAX_MEMBER_BYTES", 1 << 12, "thing/__init__.py: It is larger than 0 GiB."),
        ("MAX_ENTRY_POINTS", 50, "thing-1.0-py3-none-any.whl is damaged."),
    ],
)
def test_a_wheel_at_a_limit_is_read_and_one_beyond_it_is_refused(
    tmp_path, monkeypatch, name, limit, sentence
):
    points = b"[a]\n" + b"#" * 46
    path = make_wheel(tmp_path, {"thing/__init__.py": "x" * (1 << 12)}, entry_points=points)
    if name == "MAX_FILES":
        limit = len(zipfile.ZipFile(path).infolist())
        sentence = sentence.replace("than 2", f"than {limit - 1}")
    monkeypatch.setattr(module, name, limit)
    assert len(unpacked(path, tmp_path / "out")) > 1
    monkeypatch.setattr(module, name, limit - 1)
    with pytest.raises(AddOnError, match=rf"{sentence.replace('.', chr(92) + '.')}$"):
        unpacked(path, tmp_path / "again")


def test_names_of_members_in_messages_are_short_and_plain(tmp_path):
    wheel = make_wheel(tmp_path, {f"../\u00e9{'x' * 300}": "x"})
    with pytest.raises(AddOnError) as raised:
        unpacked(wheel, tmp_path / "out")
    shown = str(raised.value).split(": ")[1]
    assert shown == f"../\\xe9{'x' * 193}"


def test_entry_points_are_names_by_group(tmp_path):
    points = b"[jurydesk.tasks]\nA = one:TASK\nb.c = two:TASK\n[other]\nd = x\n"
    wheel = read_wheel(make_wheel(tmp_path, {}, entry_points=points), nothing)
    assert wheel.entry_points == {"jurydesk.tasks": ("A", "b.c"), "other": ("d",)}
    sizes = [one.file_size for one in zipfile.ZipFile(wheel.path).infolist()]
    assert (wheel.name, wheel.version, wheel.size) == ("thing", "1.0", sum(sizes))


def test_the_limit_of_a_member_is_told_in_gib():
    member = zipfile.ZipInfo("a.py")
    member.file_size = member.compress_size = module.MAX_MEMBER_BYTES
    assert module._refusal(member) == ""
    member.file_size += 1
    assert module._refusal(member) == "It is larger than 4 GiB."
