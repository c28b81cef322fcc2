"""Make models with random weights: `python packaging/examples/tiny_models.py FOLDER`.

They are described in `core/neural/weights/random_weights.py`. The program makes them by itself
where a path is written as `random-numbers`; here they come as files, to be looked at or changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jurydesk.core.neural.weights.random_weights import (
    INCEPTION,
    make_inception,
    make_open_clip,
    make_ruclip,
)


def make_models(folder: Path) -> str:
    """Write all models into a folder; return the command-line options that use them."""
    make_inception(folder / INCEPTION)
    make_ruclip(folder / "ruclip")
    make_open_clip(folder / "clip")
    roles = {"ruclip": folder / "ruclip", "inception": folder / INCEPTION}
    return " ".join(f"--weights {role}={path}" for role, path in roles.items())


if __name__ == "__main__":
    print(make_models(Path(sys.argv[1])))
