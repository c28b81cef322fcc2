"""Entry point of the program: opens the window, a desk or a packet, or runs a command."""

from __future__ import annotations

import sys

from jurydesk.core.system.interrupt import exit_on_interrupt

TYPE_CHECKING = False  # type checkers know it; importing `typing` would dominate the start-up time
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PACKET = ".jurypacket"
SMOKE = "--smoke"
WINDOW_OPTIONS = ("--page", SMOKE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code. A command loads no Qt.

    Imports are local so that Ctrl-C is already handled while they run.
    """
    if argv is None:
        exit_on_interrupt()
        from jurydesk.core.system.blas import shorten_thread_timeout

        shorten_thread_timeout()
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()
    from jurydesk.core.language import choose_language

    try:
        arguments = choose_language(sys.argv[1:] if argv is None else argv)
    except ValueError as error:
        sys.stderr.write(f"jurydesk: {error}\n")
        return 2
    from jurydesk.core.system.add_ons import activate_add_ons

    activate_add_ons()
    if arguments[:1] == ["--device-line"]:
        from jurydesk.app.jobs.job_functions import device_line

        sys.stdout.write(device_line(arguments[1] if len(arguments) > 1 else "auto"))
        return 0
    if arguments and arguments[0].lower().endswith(PACKET):
        from pathlib import Path

        from jurydesk.app.rating_client.start_rating import start_rating

        return start_rating(Path(arguments[0]), smoke=SMOKE in arguments[1:])
    if wants_window(arguments):
        from jurydesk.app.startup.start import start

        return start(arguments)
    from jurydesk.core.cli import main as command

    return command(argv, open_window=_open_window)


def wants_window(arguments: Sequence[str]) -> bool:
    """Return whether the arguments open the window rather than run a command."""
    if not arguments:
        return True
    return arguments[0].split("=")[0] in WINDOW_OPTIONS or arguments[0].endswith(".jurydesk")


def _open_window(path: Path) -> int:
    if path.suffix.lower() == PACKET:
        return main([str(path)])
    from jurydesk.app.startup.start import start

    return start([str(path)])


if __name__ == "__main__":
    raise SystemExit(main())
