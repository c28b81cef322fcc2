"""Engine that a package brings along: this program, and the libraries that scoring needs.

Which libraries and compiled modules these are is found by scoring one submission and listing the
modules that were loaded. Nothing of the window, no Java and no network is needed.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.intake.archive import unsafe_reason
from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.evaluation import UsageError

STORED = (1980, 1, 1, 0, 0, 0)
"""Time of every member, so that equal desks give equal packages."""
INDEX = "engine/jurydesk/resources/meteor/english.index"
"""Place of METEOR's prepared index, where the engine finds it as a packaged program does."""
LIMIT_SECONDS = 600
"""Time limit of one submission on Codabench's public queue."""
LEFT_OUT = ("api", "cli", "selftest", "library")
"""Folders of the core that scoring never imports."""
TOO_LARGE = frozenset(("torch", "torchvision", "transformers", "open-clip-torch"))
"""Libraries of gigabytes: neural metrics need an image that has them, which is no dry run."""
UNUSED_SUFFIXES = (".pyi", ".h", ".a", ".pyx", ".pxd", ".c", ".cpp", ".hpp")
SCORE = '''"""Score a submission: score.py INPUT OUTPUT."""

import os
import sys
import tempfile

if sys.version_info < (3, 11):
    sys.exit("This image has Python %d.%d; choose {image}." % sys.version_info[:2])
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "engine"), os.path.join(here, "vendored")]
os.environ["JURYDESK_HOME"] = tempfile.mkdtemp()
os.environ["JURYDESK_LANG"] = "en"
try:
    import numpy
except ImportError as error:
    sys.exit("NumPy does not run in this image: choose {image} (%s)." % error)

from pathlib import Path

from jurydesk.core.export.platforms.scoring_program import score_submission_folder

sys.exit(score_submission_folder(Path(sys.argv[1]), Path(sys.argv[2])))
'''
TRACE = """
import json, runpy, sys
code = 0
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    code = end.code
files = [getattr(one, "__file__", None) for one in list(sys.modules.values())]
with open("loaded.json", "w") as file:
    json.dump(sorted({one for one in files if isinstance(one, str)}), file)
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """Submission that the engine scores to find out what it needs, and its references by name."""

    references: Mapping[str, bytes]
    submission: Path


def engine_members(image: str, trial: Trial, index: Path | None) -> dict[str, bytes]:
    """Return the members of a program that scores: `score.py`, engine, libraries, METEOR's index.

    `image` is named where a container's Python is too old. Raises UsageError where no such program
    can be made: on another system than Linux, in a packaged program, or if the trial fails.
    """
    if not sys.platform.startswith("linux"):
        raise UsageError(translatable("The package holds NumPy for Linux: export it on Linux."))
    if getattr(sys, "frozen", False):
        raise UsageError(translatable("The dry run needs Python: export with an installation."))
    members = {"score.py": SCORE.replace("{image}", image).encode(), **_engine_files()}
    if index is not None:
        members[INDEX] = index.read_bytes()
    loaded = _loaded_files(members, trial)
    found = {
        name: without_sections(content) if name.endswith(".so") else content
        for name, content in members.items()
        if not name.endswith(".so") or any(one.endswith(f"/{name}") for one in loaded)
    }
    names = _distributions(loaded)
    if large := sorted(TOO_LARGE & names):
        raise UsageError(fill("A package cannot hold {names}, which the scores need.",
                              name_list(large)))  # fmt: skip
    for name in sorted(names):
        found |= {f"vendored/{path}": content for path, content in _distribution_files(name)}
    return found


def _engine_files() -> dict[str, bytes]:
    """Return this package's files, compiled modules included, by their names in the program."""
    core = Path(__file__).resolve().parents[2]
    members = {
        "engine/jurydesk/__init__.py": b"",
        "engine/jurydesk/resources/README": b"Data that the engine needs.\n",
    }
    for path in sorted(core.rglob("*")):
        inside = path.relative_to(core)
        if path.suffix in (".py", ".so") and inside.parts[0] not in LEFT_OUT:
            members[f"engine/jurydesk/core/{inside.as_posix()}"] = path.read_bytes()
    return members


def _loaded_files(members: Mapping[str, bytes], trial: Trial) -> list[str]:
    """Score the trial with the installed libraries, and return the files of all loaded modules."""
    with tempfile.TemporaryDirectory(prefix="jurydesk-trial-") as temporary:
        folder = Path(temporary)
        write_members(folder / "program", members)
        write_members(folder / "input" / "ref", trial.references)
        (folder / "input" / "res").mkdir()
        (folder / "input" / "res" / trial.submission.name).write_bytes(
            trial.submission.read_bytes()
        )
        (folder / "output").mkdir()
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", "-c", TRACE, "score.py", "../input", "../output"],
            cwd=folder / "program",
            env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
            capture_output=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        if done.returncode:
            raise UsageError(
                fill(
                    "The scoring program failed for {name}: {reason}",
                    *(trial.submission.name, reason_in(done.stderr)),
                )
            )
        return list(json.loads((folder / "program" / "loaded.json").read_text("utf-8")))


def reason_in(errors: bytes) -> str:
    """Return the first sentences that a program wrote, or those of its exception."""
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    for number, line in enumerate(lines):
        if line.startswith("Traceback "):
            lines = [one for one in lines[number:] if not one.startswith(" ")][1:]
            break
    return " ".join(" ".join(lines[:3]).split())[:300] or "-"


def write_members(folder: Path, members: Mapping[str, bytes]) -> None:
    """Write members below a folder. Raises ValueError for a name that leads out of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in members.items():
        if unsafe_reason(name):
            raise ValueError(f"a member with the name {name!r}")
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _distributions(loaded: Iterable[str]) -> set[str]:
    """Return the installed distributions that own loaded files, without this program's own."""
    owners = importlib.metadata.packages_distributions()
    tops = {_top_module(one) for one in loaded} - {"jurydesk", "_distutils_hack", "setuptools"}
    return {owners[top][0] for top in tops if top in owners}


def _top_module(file: str) -> str:
    """Return the top package of a module's file in a folder of installed packages, else empty."""
    parts = Path(file).parts
    for at, part in enumerate(parts[:-1]):
        if part in ("site-packages", "dist-packages"):
            return parts[at + 1].split(".")[0]
    return ""


def _distribution_files(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an installed distribution, without its tests and sources."""
    for one in importlib.metadata.files(name) or []:
        unused = {"tests", "__pycache__"} & set(one.parts)
        if ".." in one.parts or unused or one.suffix in UNUSED_SUFFIXES:
            continue
        path = Path(str(one.locate()))
        if path.is_file():
            yield one.as_posix(), path.read_bytes()


def without_sections(content: bytes) -> bytes:
    """Return a 64-bit ELF library without sections, which only linkers and debuggers read."""
    if content[:6] != b"\x7fELF\x02\x01":
        return content
    (first,) = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    end = 64
    for number in range(count):
        at = first + number * size
        offset, in_file = struct.unpack_from("<Q16xQ", content, at + 8)
        end = max(end, at + size, offset + in_file)
    found = bytearray(content[:end])
    struct.pack_into("<Q", found, 40, 0)  # place of the table of sections
    struct.pack_into("<HHH", found, 58, 64, 0, 0)  # its size, number, and names
    return bytes(found)


def zip_members(members: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of members; archives among them are stored as they are."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            kind = zipfile.ZIP_STORED if name.endswith(".zip") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, STORED), data, kind)
    return content.getvalue()
