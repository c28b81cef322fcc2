"""A real Chromium, driven over the pipe of its DevTools protocol, where one is installed."""

from __future__ import annotations

import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0

AT_3_AND_4 = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(pipes[0], 3)
os.dup2(pipes[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""The browser reads its commands from descriptor 3 and answers on 4."""


def installed() -> str | None:
    """Return the path of the first installed Chromium."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """One browser with one page; messages end with a zero byte (`--remote-debugging-pipe`)."""

    def __init__(self, program: str, folder: Path) -> None:
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True, exist_ok=True)
        self.seen: list[dict[str, Any]] = []
        self._numbers = itertools.count(1)
        self._rest = b""
        read_commands, self._write = os.pipe()
        self._read, write_answers = os.pipe()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", AT_3_AND_4, str(read_commands), str(write_answers)),
                *(program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu"),
                *(
                    "--no-first-run",
                    "--disable-dev-shm-usage",
                    f"--user-data-dir={folder / 'home'}",
                ),
                *(["--no-sandbox"] if os.geteuid() == 0 else []),
            ],
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        rest = json.dumps(message).encode() + b"\0"
        while rest:  # a process that was stopped and continued may have written only a part
            rest = rest[os.write(self._write, rest) :]
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.seen.append(answer)

    def _receive(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("Chromium does not answer")
            block = os.read(self._read, 1 << 20)
            if not block:
                raise RuntimeError("Chromium ended")
            self._rest += block
        message, _, self._rest = self._rest.partition(b"\0")
        received: dict[str, Any] = json.loads(message)
        return received

    def open(self, path: Path) -> None:
        """Open a file of the disk, and wait until it is loaded."""
        loader = self.call("Page.navigate", url=path.as_uri())["loaderId"]
        while not self._was_loaded(loader):
            self.seen.append(self._receive())

    def _was_loaded(self, loader: str) -> bool:
        return any(
            one["params"]["name"] == "load" and one["params"]["loaderId"] == loader
            for one in self.seen
            if one.get("method") == "Page.lifecycleEvent"
        )

    def run(self, code: str) -> Any:
        """Return the value of a JavaScript expression."""
        found = self.call(
            "Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression is true."""
        until = time.monotonic() + PATIENCE
        while not self.run(condition):
            if time.monotonic() > until:
                raise TimeoutError(condition)
            time.sleep(0.02)

    def press(self, key: str, text: str = "") -> None:
        """Press and release a key, named as the DOM names it (`Enter`, `4`)."""
        typed = text or (key if len(key) == 1 else "")
        down = {"type": "keyDown", "key": key, **({"text": typed} if typed else {})}
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def requested(self) -> list[str]:
        """Return the addresses of all network requests."""
        return [
            one["params"]["request"]["url"]
            for one in self.seen
            if one.get("method") == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """Return errors that scripts raised or that the console shows."""
        return [
            json.dumps(one["params"])
            for one in self.seen
            if one.get("method") == "Runtime.exceptionThrown"
            or (
                one.get("method") == "Log.entryAdded" and one["params"]["entry"]["level"] == "error"
            )
        ]

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
