"""Trial of add-ons in a built program: a plug-in and the neural add-on, installed, used, removed.

    python3 packaging/bundle/try_add_ons.py [FOLDER] [--wheels WHEELS]

FOLDER is the built program, `dist/desk/jurydesk` if not given. The example plug-in scores its
example; broken add-ons of several kinds never stop a start; with WHEELS, a folder of the neural
add-on's (`packaging/README.md` says how they are collected), captions get CLIP scores by a model of
random numbers. The self-test must be green before, between and after. All happens in a home of its
own, which is removed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from bundle.smoke import (  # noqa: E402 - found beside this script alone
    BUILT,
    PROJECT,
    Trouble,
    example_folder,
    ran,
    report,
    step,
)

PLUG_IN = PROJECT / "resources" / "examples" / "plugin"
PLUG_IN_NAME, PLUG_IN_TASK = "jurydesk-signs", "signs"
CLIP_METRICS = ("clip_score", "ref_clip_score")
DAMAGES = {
    "torn-record": {"add-on.json": "{", "torn-1.0.dist-info/entry_points.txt": "[jurydesk.tasks"},
    "no-record": {"readme.txt": ""},
    "raises": {
        "raises.py": "raise SystemExit('stopped by an add-on')\n",
        "raises-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: raises\nVersion: 1.0\n",
        "raises-1.0.dist-info/entry_points.txt": "[jurydesk.tasks]\nraises = raises:TASK\n",
    },
    "shadows": {"numpy/__init__.py": "raise ImportError('shadowed')\n", "json.py": "1 / 0\n"},
}
"""Files of add-ons that are broken: their records, their modules, and modules of others' names."""


def main(arguments: list[str]) -> int:
    """Try all; return 1 with the reason of the first step that fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=BUILT)
    parser.add_argument("--wheels", type=Path, help="folder of the neural add-on's wheels")
    wanted = parser.parse_args(arguments)
    program = wanted.folder.resolve() / "jurydesk"
    with tempfile.TemporaryDirectory(prefix="jurydesk-add-ons-") as name:
        os.environ["JURYDESK_HOME"] = str(Path(name) / "home")
        try:
            self_test(program, "before")
            plug_in(program, Path(name))
            broken_add_ons(program, add_ons_folder(Path(name)))
            if wanted.wheels:
                neural_add_on(program, wanted.wheels.resolve(), Path(name))
            self_test(program, "after")
        except Trouble as trouble:
            print(f"The trial of add-ons failed. {trouble}", file=sys.stderr)
            return 1
    return 0


def self_test(program: Path, when: str) -> None:
    """Let the program examine itself."""
    step(f"self-test {when}", [program, "selftest", "--quiet"])


def listed(program: Path) -> list[str]:
    """Return the names of the installed add-ons."""
    done = ran([program, "addon", "list", "--json", "-"])
    if done.returncode:
        raise Trouble(f"addon list: exit code {done.returncode}\n{done.stderr}")
    return [one["name"] for one in json.loads(done.stdout)["add_ons"]]


def add_ons_folder(place: Path) -> Path:
    """Return the folder of the add-ons, which the first installation has made."""
    return next((place / "home" / "data" / "add-ons").iterdir())


@contextmanager
def add_on(program: Path, name: str, wheels: Path, *trust: str) -> Iterator[None]:
    """Install an add-on for the time of the block; nothing of it may be left."""
    step(f"{name} is installed", [program, "addon", "install", wheels, *trust])
    if listed(program) != [name]:
        raise Trouble(f"Installed are {listed(program)}, not {name}.")
    yield
    step(f"{name} is removed", [program, "addon", "remove", name])
    place = Path(os.environ["JURYDESK_HOME"]).parent
    left = [path.name for path in add_ons_folder(place).iterdir() if path.name != ".lock"]
    if left or listed(program):
        raise Trouble(f"The removal of {name} leaves {left}.")


def plug_in(program: Path, place: Path) -> None:
    """The example plug-in is refused without trust, then scores its example."""
    wheels = place / "plug-in"
    # setuptools makes its folders beside the sources, which may be read-only.
    source = place / "source"
    subprocess.run(["cp", "-r", str(PLUG_IN), str(source)], check=True)
    make = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "-w", wheels, source]
    subprocess.run(list(map(str, make)), check=True)
    refused = ran([program, "addon", "install", wheels])
    if refused.returncode == 0 or "--plug-in" not in refused.stderr:
        raise Trouble(f"A plug-in is installed without trust.\n{refused.stderr}")
    with add_on(program, PLUG_IN_NAME, wheels, "--plug-in"):
        step("the plug-in scores its example", [program, "demo", PLUG_IN_TASK, "--text"])
        self_test(program, "with the plug-in")
    if ran([program, "demo", PLUG_IN_TASK, "--text"]).returncode == 0:
        raise Trouble("The plug-in works after its removal.")


def broken_add_ons(program: Path, folder: Path) -> None:
    """Broken add-ons change no number and stop no start; `addon list` names them."""
    for name, files in DAMAGES.items():
        for file, content in files.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    (folder / "a-file").write_text("no folder", encoding="utf-8")
    names = listed(program)
    if names != sorted(DAMAGES):
        raise Trouble(f"Of {sorted(DAMAGES)}, the program lists {names}.")
    step("its version, with broken add-ons", [program, "--version"])
    step("a score, with broken add-ons", [program, "demo", "table", "--text"])
    self_test(program, "with broken add-ons")
    for name in names:
        step(f"{name} is removed", [program, "addon", "remove", name])
    (folder / "a-file").unlink()
    if left := listed(program):
        raise Trouble(f"{left} are left.")


def neural_add_on(program: Path, wheels: Path, place: Path) -> None:
    """With the neural add-on, captions have CLIP scores; without it, they have not."""
    size = sum(path.stat().st_size for path in wheels.glob("*.whl")) / 1e6
    report(f"{size:,.0f} MB of wheels")
    with add_on(program, "neural", wheels):
        self_test(program, "with the neural add-on")
        scores = caption_scores(program, place)
        if None in [scores.get(name) for name in CLIP_METRICS]:
            raise Trouble(f"CLIP scores were not computed: {scores}")
        report(", ".join(f"{name} {scores[name]:.4f}" for name in CLIP_METRICS))


def caption_scores(program: Path, place: Path) -> dict[str, float | None]:
    """Return the scores of the example of captions, by a CLIP model of random numbers."""
    folder, out = example_folder(program.parent) / "captions", place / "scores.json"
    files: list[str | Path] = [
        *("--references", folder / "annotations.json"),
        *("--results", folder / "describer.json", "--photos", folder / "photos"),
    ]
    options: list[str | Path] = ["--weights", "clip=random-numbers", "--json", out]
    step("captions are scored", [program, "score", "captions", *files, *options])
    (system,) = json.loads(out.read_text(encoding="utf-8"))["systems"]
    found: dict[str, float | None] = system["scores"]
    return found


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
