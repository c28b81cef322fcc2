"""Make the example competitions again: `python packaging/examples/make.py [NAME [FOLDER]]`.

Without a name, all are written into their folders under `resources/examples/`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "resources" / "examples"


def main(arguments: Sequence[str]) -> None:
    """Write one example, or all of them."""
    names = arguments[:1] or sorted(path.parent.name for path in HERE.glob("*/make_*.py"))
    for name in names:
        folder = Path(arguments[1]) if arguments[1:] else EXAMPLES / name
        importlib.import_module(f"{name}.make_{name}").make(folder)
        print(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
