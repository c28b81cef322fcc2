"""Smoke test of the packaged rating program: `jurydesk PACKET --smoke`.

The page must appear with its story and photos, in a sandboxed process, and save one answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jurydesk.app.rating_client.rating_window import RatingWindow
from jurydesk.app.startup.smoke_walk import Step, WalkError, process_start, report_step
from jurydesk.core.human_evaluation.answers.rating_session import RatingSession

UNLOCKED_VARIABLE = "QTWEBENGINE_DISABLE_SANDBOX"
HELPER = "QtWebEngineProcess"
FILTERED = "2"
"""Value of `Seccomp` in Linux's status of a process with a filter of system calls."""

STATE = """({
  ready: Number(document.documentElement?.dataset.ready ?? -1),
  stories: document.getElementById("stories")?.textContent ?? "",
  photos: [...document.querySelectorAll("#photos img")].filter((one) => one.naturalWidth).length,
  wanted: document.querySelectorAll("#photos img").length,
  title: document.getElementById("title")?.textContent ?? "",
})"""
ANSWER = 'document.querySelector("#questions button, #questions input")?.click()'


class RatingWalk:
    """Steps through the rating window; `since` is the time when its view was created."""

    def __init__(self, window: RatingWindow, session: RatingSession, since: float) -> None:
        self._window, self._session, self._since = window, session, since
        self._state: dict[str, Any] = {}
        self._wait_for_answer = False
        self._before = 0

    def steps(self) -> Iterator[Step]:
        """Generate the steps: wait for the page, check it and its process, and give an answer."""
        yield "the rating page shows a story", self._is_shown
        report_step("  the page, after its view was made", self._since)
        report_step("  the page, after its program was started", process_start())
        story = self._session.view()["content"]["stories"][0]
        if not same_words(story, self._state["stories"]):
            raise WalkError(f"the page shows {self._state['stories']!r} and not {story!r}")
        sys.stdout.write(f"  “{self._state['title']}”, {describe_sandbox()}\n")
        self._before = self._session.view()["number"]
        self._window.view.page().runJavaScript(ANSWER)
        yield "an answer is saved", self._has_answer

    def _has_answer(self) -> bool:
        return int(self._session.view()["number"]) > self._before

    def _is_shown(self) -> bool:
        if not self._wait_for_answer:
            self._wait_for_answer = True
            code = f"JSON.stringify({STATE})"
            self._window.view.page().runJavaScript(code, self._receive)
        state = self._state
        return bool(state.get("ready", -1) >= 0 and 0 < state["wanted"] == state["photos"])

    def _receive(self, text: str) -> None:
        self._wait_for_answer = False
        if text:
            self._state = json.loads(text)


def same_words(one: str, other: str) -> bool:
    """Return whether `other` contains `one`, ignoring white space."""
    return "".join(one.split()) in "".join(other.split())


def describe_sandbox() -> str:
    """Return how the page's process is sandboxed; raise WalkError if it should be and is not."""
    if os.environ.get(UNLOCKED_VARIABLE):
        return "not sandboxed, as the environment requests"
    if not Path("/proc/self/status").is_file():
        return "sandboxed by this system's own means"
    helpers = [folder for folder in Path("/proc").glob("[0-9]*") if is_engine_process(folder)]
    if any("--no-sandbox" in command_line(folder) for folder in helpers):
        raise WalkError("the web engine runs without its sandbox")
    pages = [status for status in map(read_status, helpers) if is_sandboxed(status)]
    if not pages:
        raise WalkError(f"none of the web engine's {len(helpers)} processes is sandboxed")
    return "in a process with a filter of system calls and namespaces of its own"


def is_sandboxed(status: Mapping[str, str]) -> bool:
    """Return whether a process has filtered system calls and a process namespace of its own."""
    return status.get("Seccomp") == FILTERED and len(status.get("NSpid", "").split()) > 1


def is_engine_process(folder: Path) -> bool:
    """Return whether this is a process of the web engine that this program started."""
    return HELPER in command_line(folder) and is_descendant(folder)


def command_line(folder: Path) -> str:
    """Return the command line of a process; empty if it has ended."""
    try:
        return (folder / "cmdline").read_text(errors="replace")
    except OSError:
        return ""


def read_status(folder: Path) -> dict[str, str]:
    """Return the fields of a process's status; empty if it has ended."""
    try:
        lines = (folder / "status").read_text(errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def is_descendant(folder: Path) -> bool:
    """Return whether a process is this one or one of its descendants."""
    while folder.name not in ("0", "1", ""):
        if folder.name == str(os.getpid()):
            return True
        folder = folder.with_name(read_status(folder).get("PPid", "0"))
    return False
