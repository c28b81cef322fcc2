"""Smoke test of the packaged program in the situation of a new user.

    python3 packaging/bundle/smoke.py [FOLDER] [--with-network]

The folder is copied to a path with blanks and Cyrillic letters and made read-only. Then this script
starts itself anew as an ordinary user (where it runs as root) with an empty home and without
network, on a virtual display, and lets the program print its version, examine itself, score each
example on the command line, say what neural metrics need, and walk through its window. What this
machine cannot do is a failure with a sentence, not a step left out.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILT = PROJECT / "dist" / "desk" / "jurydesk"
FOLDER = "Новая папка с судом"
HOME = "Дом без ничего"
NOBODY = 65534
OF_EXAMPLES = ".local/share/jurydesk/examples"
SECONDS = 300
SCREEN = "1280x800x24"
INSIDE = "--inside"
OF_THE_MACHINE = (
    "QRhiGles2",
    "Failed to create RHI for backend",
    "ulkan",
    "Unable to detect GPU vendor",
    "GPUInfo not initialized",
    "propagateSizeHints",
)
"""What Qt writes to the log where there is no graphics card and no window manager."""
NOISE = ("Traceback", "Warning:", "Exception ignored")


class Trouble(Exception):  # noqa: N818 - the word that the user reads
    """Failed or impossible step, as a sentence."""


def main() -> int:
    """Run all steps; return 0 if all succeed and nothing was printed to the console."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=BUILT)
    parser.add_argument("--with-network", action="store_true", help="do not take it away")
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    try:
        if wanted.inside:
            return walk(wanted.folder, with_network=wanted.with_network)
        return confined(wanted.folder, with_network=wanted.with_network)
    except Trouble as trouble:
        print(f"The smoke test failed. {trouble}", file=sys.stderr)
        return 1


# ---- Outside: a confined copy -------------------------------------------------------------------


def confined(built: Path, *, with_network: bool) -> int:
    """Copy the program, and run this script inside; return its exit code."""
    if not (built / "jurydesk").is_file():
        raise Trouble(f"There is no program in {built}: run packaging/bundle/build.py first.")
    if shutil.which("Xvfb") is None:
        raise Trouble("Xvfb is not installed. On Debian and Ubuntu: apt-get install xvfb")
    place = Path(tempfile.mkdtemp(prefix="jurydesk-smoke-"))
    try:
        prepare(built, place)
        script = shutil.copy(__file__, place / "smoke.py")
        more = ["--with-network"] if with_network else []
        command = [sys.executable, script, str(place), INSIDE, *more]
        settings = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(place / HOME)}
        done = subprocess.run(
            [*prefix(with_network=with_network), *command],
            env=settings | {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=place / HOME,
            check=False,
        )
        return done.returncode
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(place)], check=False)
        shutil.rmtree(place, ignore_errors=True)


def prepare(built: Path, place: Path) -> None:
    """Make a read-only copy of the program, and an empty home that belongs to the user."""
    place.chmod(0o755)
    shutil.copytree(built, place / FOLDER, symlinks=True)
    subprocess.run(["chmod", "-R", "a-w,a+rX", str(place / FOLDER)], check=True)
    (place / HOME).mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(place / HOME, NOBODY, NOBODY)


def prefix(*, with_network: bool) -> list[str]:
    """Return the command prefix that removes the network and root's rights."""
    root = os.geteuid() == 0
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if root else []
    if with_network:
        return user
    unshare = ["unshare", "--net"] if root else ["unshare", "--user", "--map-current-user", "--net"]
    if subprocess.run([*unshare, "true"], check=False, capture_output=True).returncode:
        raise Trouble(
            "The network cannot be taken away here (unshare is refused). Run this as root, or say "
            "--with-network to go without that check."
        )
    return [*unshare, *user]


# ---- Inside: the steps --------------------------------------------------------------------------


def walk(place: Path, *, with_network: bool) -> int:
    """Run all steps on a separate display."""
    program, home = place / FOLDER / "jurydesk", place / HOME
    require_confinement(program, home, with_network=with_network)
    flavour = json.loads((program.parent / "manifest.json").read_text(encoding="utf-8"))["flavour"]
    with display() as name:
        step("its version", [program, "--version"])
        step("doctor", [program, "doctor"])
        step("selftest", [program, "selftest"])
        scores_examples(program, home)
        seals_opens_and_verifies(program, example_folder(program.parent))
        if flavour == "desk":
            says_what_neural_metrics_need(program)
        else:
            computes_neural_metrics(program, home)
        try:
            step("the walk through the window", [program, "--smoke"], DISPLAY=name)
        except Trouble as trouble:
            raise Trouble(f"{trouble}\n{native_stacks(home)}") from trouble
    complain_of_the_log(home)
    joins_and_leaves_the_menu(program, home)
    return 0


def require_confinement(program: Path, home: Path, *, with_network: bool) -> None:
    """Fail if the confinement is incomplete."""
    if os.geteuid() == 0:
        raise Trouble("This runs as root, where the web engine has no sandbox.")
    if os.access(program, os.W_OK) or os.access(program.parent, os.W_OK):
        raise Trouble(f"{program.parent} can be written.")
    if any(home.iterdir()):
        raise Trouble(f"{home} is not empty.")
    links = [name for _, name in socket.if_nameindex() if name != "lo"]
    if links and not with_network:
        raise Trouble(f"There is a network: {', '.join(links)}.")


@contextlib.contextmanager
def display() -> Iterator[str]:
    """Start a virtual display and return its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(
        command, pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as server:
        os.close(write)
        with os.fdopen(read) as port_file:
            number = port_file.readline().strip()
        if not number:
            reason = server.stderr.read().strip() if server.stderr else ""
            raise Trouble(f"Xvfb does not start: {reason}")
        try:
            yield f":{number}"
        finally:
            server.terminate()


def example_folder(program: Path) -> Path:
    """Return the folder of the package with the files of all examples."""
    return program / "_internal" / "jurydesk" / "resources" / "examples"


def examples(program: Path) -> list[str]:
    """Return the competitions with an example in the package."""
    folder = example_folder(program)
    manifests = [json.loads(path.read_text("utf-8")) for path in folder.glob("*/example.json")]
    if not manifests:
        raise Trouble(f"There is no example in {folder}.")
    return sorted(one["task"] for one in manifests)


def step(title: str, command: list[str | Path], **settings: str) -> None:
    """Run one step, with a display if there are settings; a failure ends the script.

    A window has nothing to say on standard error; a command may list the defects of its inputs.
    """
    began, used = time.monotonic(), processor_time()
    done = ran(command, **settings)
    if done.returncode:
        raise Trouble(f"{title}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    if any_in(done.stderr, NOISE) or (settings and done.stderr.strip()):
        raise Trouble(f"{title}: the console shows\n{done.stderr}")
    took = f"{time.monotonic() - began:.1f} s"
    report(f"{title}: {took}, {processor_time() - used:.1f} s of processor time")
    if settings:
        report("".join(f"  {line}\n" for line in done.stdout.splitlines()).rstrip())


def scores_examples(program: Path, home: Path) -> None:
    """One start of the command line scores every example into a desk of its own."""
    step("all examples, without a window", [program, "demo"])
    lacking = [
        name
        for name in examples(program.parent)
        if not any((home / OF_EXAMPLES).glob(f"*/{name}.jurydesk"))
    ]
    if lacking:
        raise Trouble(f"These examples have no desk: {', '.join(lacking)}.")


def seals_opens_and_verifies(program: Path, examples: Path) -> None:
    """An entry is signed, encrypted, opened and certified, which needs the package cryptography."""
    spotting = examples / "keyword_spotting"
    with tempfile.TemporaryDirectory(prefix="jurydesk-sealed-") as name:
        desk, kit, entry = (Path(name) / one for one in ("d.jurydesk", "k.jurycomp", "e.juryentry"))
        files: list[str | Path] = ["--relevance", spotting / "relevance.xml"]
        results: list[str | Path] = ["--results", spotting / "word-shapes.xml"]
        step("a desk", [program, "score", "keyword-spotting", *files, *results, "--desk", desk])
        step("its kit", [program, "kit", "--desk", desk, "--entries", kit])
        sealed: list[str | Path] = [
            kit,
            spotting / "column-profiles.xml",
            "--team",
            "Smoke",
            "--out",
            entry,
        ]
        step("a sealed entry", [program, "entry", "seal", *sealed])
        reason = ["--reason", "smoke test", "--out", name]
        step("its opening", [program, "entry", "open", desk, entry, *reason])
        step("its certificate", [program, "entry", "verify", *Path(name).glob("*.jurycert")])


def says_what_neural_metrics_need(program: Path) -> None:
    """Without PyTorch, `fid` exits with 3 and a sentence with the remedy."""
    pictures = example_folder(program.parent) / "vist" / "images"
    done = ran([program, "fid", pictures, pictures])
    if done.returncode != 3 or "desk-neural" not in done.stderr:
        raise Trouble(f"fid without PyTorch: exit code {done.returncode}\n{done.stderr}")
    report("neural metrics say what they need")


def computes_neural_metrics(program: Path, home: Path) -> None:
    """With PyTorch, FID and CLIP scores of the example are numbers, with random weights."""
    desk = home / OF_EXAMPLES / "fusionbrain" / "fusionbrain.jurydesk"
    done = ran([program, "board", desk, "--json", "-"])
    if done.returncode:
        raise Trouble(f"board: exit code {done.returncode}\n{done.stderr}")
    scores = json.loads(done.stdout)["systems"][0]["scores"]
    found = {name: scores[name] for name in ("generation_fid", "generation_clip")}
    if None in found.values():
        raise Trouble(f"Neural metrics were not computed: {found}")
    report("neural metrics: " + ", ".join(f"{name} {value:.4f}" for name, value in found.items()))


def joins_and_leaves_the_menu(program: Path, home: Path) -> None:
    """The scripts of the package add the menu entry and remove it; user files remain."""
    step("install.sh", ["sh", program.with_name("install.sh")])
    step("the command that it made", [home / ".local" / "bin" / "jurydesk", "--version"])
    step("uninstall.sh", ["sh", program.with_name("uninstall.sh")])
    # The last is of the session bus, where one starts on demand.
    own = (home / ".config" / "jurydesk", home / ".local" / "share" / "jurydesk", home / ".dbus")
    left = [path for path in home.rglob("*") if not path.is_dir()]
    others = [path for path in left if not any(path.is_relative_to(folder) for folder in own)]
    if others:
        raise Trouble("uninstall.sh leaves " + ", ".join(map(str, others)))
    report(f"{len(left)} files of the user's are left")


def ran(command: list[str | Path], **settings: str) -> subprocess.CompletedProcess[str]:
    """Return the output and exit code of a command."""
    return subprocess.run(
        [str(part) for part in command],
        env=dict(os.environ) | settings,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def processor_time() -> float:
    """Return the processor time of all commands that have ended, in seconds."""
    times = os.times()
    return times.children_user + times.children_system


def complain_of_the_log(home: Path) -> None:
    """Fail if the program logged a warning not caused by the machine."""
    logs = list(home.rglob("jurydesk.log"))
    lines = [line for log in logs for line in log.read_text("utf-8").splitlines()]
    ours = [line for line in lines if " INFO " not in line and not any_in(line, OF_THE_MACHINE)]
    if ours:
        raise Trouble("The program's log says:\n" + "\n".join(ours))


def native_stacks(home: Path) -> str:
    """Return what the program wrote of a crash in native code: the stacks of all its threads."""
    return "".join(log.read_text("utf-8", "replace") for log in home.rglob("crash.log"))


def any_in(line: str, parts: tuple[str, ...]) -> bool:
    """Return whether a line contains one of the texts."""
    return any(part in line for part in parts)


def report(sentence: str) -> None:
    """Print the progress."""
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
