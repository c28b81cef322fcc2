"""densecap-pytorch's evaluator, unmodified, on a file of scenes.

`folder` is a checkout of soloist97/densecap-pytorch (ff9b3c6e), whose code is not part of this
project. Its METEOR wrapper, of nlg-eval, is that of pycocoevalcap here: the same jar and protocol.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

WRAPPER = "nlgeval.pycocoevalcap.meteor.meteor"
SPECIAL = ["<pad>", "<bos>", "<eos>"]


def evaluate_unmodified(images: list[Any], folder: Path) -> float:
    """Return the mAP of densecap-pytorch."""
    import torch

    evaluator = _module(folder / "model" / "evaluator.py").DenseCapEvaluator(SPECIAL)
    for image in images:
        found = image["detections"]
        evaluator.add_result(
            torch.tensor(found["logprobs"], dtype=torch.float32),
            torch.tensor(_corners(found["boxes"]), dtype=torch.float32),
            found["captions"],
            torch.tensor(_corners(image["gt_boxes"]), dtype=torch.float32),
            image["gt_captions"],
        )
    result = evaluator.evaluate()
    return float(result["map"])


def _corners(boxes: list[list[float]]) -> list[list[float]]:
    return [[x - w / 2, y - h / 2, x + w / 2, y + h / 2] for x, y, w, h in boxes]


def _module(path: Path) -> Any:
    """Import the evaluator alone; the package around it needs a network's modules."""
    from pycocoevalcap.meteor.meteor import Meteor

    class Closable(Meteor):  # type: ignore[misc]
        def close(self) -> None:
            """End the jar, as nlg-eval's wrapper does."""
            self.meteor_p.stdin.close()
            self.meteor_p.wait()

        def __del__(self) -> None:
            pass

    for number in range(1, 5):
        name = ".".join(WRAPPER.split(".")[:number])
        sys.modules[name] = ModuleType(name)
    sys.modules[WRAPPER].Meteor = Closable  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("densecap_evaluator_original", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
