"""Make the example competitions of all tasks again: `python packaging/examples.py`.

Each is made by its own `example_<task>.py`, which can be run alone.
"""

from __future__ import annotations

import importlib
from pathlib import Path


def main() -> None:
    """Write every example into its place under `resources/examples/`."""
    for path in sorted(Path(__file__).parent.glob("example_*.py")):
        module = importlib.import_module(path.stem)
        if hasattr(module, "make"):
            module.make(module.TARGET)
            print(module.TARGET)


if __name__ == "__main__":
    main()
