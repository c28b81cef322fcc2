from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from support.plug_ins.installation import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")

START_SECONDS = 0.3
DONE, CANCELLED = 0, 130
EXAMPLE = ROOT / "resources" / "examples" / "keyword_spotting"
COMMANDS = (
    ("--help",),
    (
        "score",
        "keyword-spotting",
        "--relevance",
        EXAMPLE / "relevance.xml",
        "--results",
        EXAMPLE / "word-shapes.xml",
    ),
)

# The program, which reports when it handles Ctrl-C. Before that Python itself is starting.
TELLING = """
import os, signal, sys
answer = signal.signal

def told(number, handler):
    answer(number, handler)
    signal.signal = answer
    os.write(1, b"\\n")

signal.signal = told
from jurydesk.app.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("seed", range(8))
def test_ctrl_c_at_any_moment_of_the_start_ends_quietly_with_130(seed):
    moment = random.Random(seed).uniform(0.0, START_SECONDS)
    arguments = [sys.executable, "-c", TELLING, *COMMANDS[seed % len(COMMANDS)]]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as starting:
        assert starting.stdout.read(1) == b"\n"
        time.sleep(moment)
        starting.send_signal(signal.SIGINT)
        _, told = starting.communicate(timeout=60)
    # On a busy machine the program may have ended before the signal.
    assert starting.returncode in (CANCELLED, DONE)
    if starting.returncode == CANCELLED:
        assert told in (b"", b"Error: Cancelled.\n")


def test_before_ctrl_c_is_handled_almost_nothing_is_imported():
    code = (
        "import sys; before = set(sys.modules); import jurydesk.app.__main__; "
        "print(*sorted(name for name in set(sys.modules) - before if '.' in name))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    ours = [name for name in done.stdout.split() if name.startswith("jurydesk.")]
    assert ours == [
        "jurydesk.app",
        "jurydesk.app.__main__",
        "jurydesk.core",
        "jurydesk.core.system",
        "jurydesk.core.system.interrupt",
        "jurydesk.core.version",
    ]
    assert "multiprocessing.context" not in done.stdout
