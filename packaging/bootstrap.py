"""Set Jurydesk up on this machine, then start it or test it.

    python3 packaging/bootstrap.py app      set up, then open the window
    python3 packaging/bootstrap.py test     set up, then run the tests (--fast: without slow ones)
    python3 packaging/bootstrap.py setup    set up only
    python3 packaging/bootstrap.py system   install the system packages of all actions only
    python3 packaging/bootstrap.py package  build the packaged program in an environment of its own,
                                            and try it

Only the standard library is used, in the syntax of Python 3.9, so that an old Python can say what
is missing. Running it again is quick: a stamp in `.venv` records what is installed.
"""

from __future__ import annotations

import argparse
import os
import sys

from bootstrap_parts.commands import ROOT, Trouble, run_shown, say
from bootstrap_parts.environment import (
    install_project,
    link_packages,
    make_environment,
    prepare_language_data,
    program,
)
from bootstrap_parts.python import require_python
from bootstrap_parts.system import PACKAGING_PACKAGES, install_system_packages
from bootstrap_parts.tests import run_tests


def main() -> int:
    """Set up and run the action; return 1 after a problem, 130 after Ctrl+C."""
    parser = argparse.ArgumentParser(
        description="Set Jurydesk up on this machine, then start it or test it.",
        epilog="Further arguments go to the program or to pytest.",
        allow_abbrev=False,
    )
    actions = {"app": start, "setup": finish}
    choices = (*actions, "test", "system", "package")
    parser.add_argument("action", choices=choices, nargs="?", default="app")
    parser.add_argument("--light", action="store_true", help="leave torch and its models out")
    parser.add_argument("--fast", action="store_true", help="test: leave slow tests out")
    options, rest = parser.parse_known_args()
    try:
        require_python()
        if options.action in ("system", "package"):
            install_system_packages(PACKAGING_PACKAGES)
            return package(rest) if options.action == "package" else 0
        set_up(options.light)
        if options.action == "test":
            return run_tests(rest, options.fast)
        return actions[options.action](rest)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or ROOT}: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 130


def set_up(light: bool) -> None:
    """Install everything the program needs on this machine; fast if nothing changed."""
    install_system_packages()
    make_environment()
    install_project(light)
    link_packages()
    prepare_language_data()


# ---- What was asked for -------------------------------------------------------------------------


def start(arguments: list[str]) -> int:
    """Open the window; without a display, score the examples and print the boards."""
    if arguments or has_display():
        return run_shown([program(), *arguments])
    say("There is no display here: the example competitions are scored instead.")
    return run_shown([program(), "demo"])


def package(arguments: list[str]) -> int:
    """Build the packaged program without PyTorch, and run it as a new user would."""
    scripts = (("build.py", "desk", *(arguments or ["--no-archive"])), ("smoke.py",))
    folder = ROOT / "packaging" / "bundle"
    for script, *more in scripts:
        code = run_shown([sys.executable, str(folder / script), *more], None, ROOT)
        if code != 0:
            return code
    return 0


def finish(arguments: list[str]) -> int:
    """Print that the set-up is complete."""
    say("Jurydesk is ready: python3 packaging/bootstrap.py app")
    return 0


def has_display() -> bool:
    """Return whether a window can be shown."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    sys.exit(main())
