"""Drop-in replacement for the caption API of pycocotools and pycocoevalcap.

`COCOEvalCap` takes pycocotools' objects or those of this module's `COCO`. SPICE is left out:
its parser's models cannot be installed.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from jurydesk.core.execution.run import Run
from jurydesk.core.language import fill, name_list
from jurydesk.core.metrics.captioning.bleu import SMALL, STATISTICS, TINY
from jurydesk.core.metrics.captioning.ngrams import MAX_N
from jurydesk.core.model.defects import Severity
from jurydesk.core.model.evaluation import ArgumentError, Evaluation, Json
from jurydesk.core.readers.json_cursor import describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    CaptionSubmission,
    Image,
    ImageId,
    image_id,
)
from jurydesk.core.tasks.captions.captions_evaluator import evaluate
from jurydesk.core.tasks.captions.captions_options import CaptionOptions

NAMES = {
    **{f"bleu_{n}": f"Bleu_{n}" for n in range(1, MAX_N + 1)},
    "meteor": "METEOR",
    "rouge_l": "ROUGE_L",
    "cider": "CIDEr",
}
"""pycocoevalcap's names of the metrics, in its order."""
SCORERS = {"Bleu_1": "Bleu", "METEOR": "METEOR", "ROUGE_L": "Rouge", "CIDEr": "CIDEr"}
"""Scorers by the first metric that each of them prints."""


class Captions(Protocol):
    """Protocol of a COCO object with captions by image."""

    imgToAnns: Mapping[Any, Sequence[Mapping[str, Any]]]  # noqa: N815 - pycocotools' name

    def getImgIds(self) -> Sequence[Any]:  # noqa: N802 - pycocotools' name
        """Return the ids of the images."""


class COCO:
    """Captions in COCO's format, with the part of pycocotools' interface for captions."""

    def __init__(self, annotation_file: str | Path | None = None) -> None:
        self.dataset: dict[str, Json] = {}
        self.anns: dict[ImageId, dict[str, Json]] = {}
        self.imgs: dict[ImageId, dict[str, Json]] = {}
        self.imgToAnns: dict[ImageId, list[dict[str, Json]]] = defaultdict(list)
        if annotation_file is not None:
            data = _loaded(annotation_file)
            try:
                self.dataset = dict(data)
                self.createIndex()
            except (KeyError, TypeError, ValueError):
                raise ArgumentError(
                    fill("{annotation_file} is not a COCO annotation file.", annotation_file)
                ) from None

    def createIndex(self) -> None:  # noqa: N802 - pycocotools' name
        """Index captions by image and by annotation id."""
        for annotation in self.dataset.get("annotations", ()):
            self.imgToAnns[annotation["image_id"]].append(annotation)
            self.anns[annotation["id"]] = annotation
        for image in self.dataset.get("images", ()):
            self.imgs[image["id"]] = image

    def getImgIds(self) -> list[ImageId]:  # noqa: N802 - pycocotools' name
        """Return the ids of the images, in the order of the file."""
        return list(self.imgs)

    def loadRes(self, resFile: str | Path | list[Any]) -> COCO:  # noqa: N802, N803 - as there
        """Load results as a COCO object; raise InputError for an unknown image."""
        data = resFile
        if isinstance(data, str | Path):
            data = _loaded(data)
        if not isinstance(data, list):
            raise ArgumentError(
                fill(
                    "The results are {type}. A list of objects with image_id and caption is "
                    "expected.",
                    describe_value(data),
                )
            )
        for number, one in enumerate(data):
            if not isinstance(one, dict) or image_id(one.get("image_id")) is None:
                found = describe_value(one if not isinstance(one, dict) else one.get("image_id"))
                raise ArgumentError(fill("Result {number}: the image id is {type}.", number, found))
        ids = {one["image_id"] for one in data}
        if unknown := [key for key in ids if key not in self.imgs]:
            names = name_list(sorted(json.dumps(key) for key in unknown))
            raise ArgumentError(fill("Results contain images without annotations: {names}.", names))
        results = COCO()
        results.dataset = {
            "images": [image for key, image in self.imgs.items() if key in ids],
            "annotations": [{**one, "id": number} for number, one in enumerate(data, start=1)],
        }
        results.createIndex()
        return results


def _loaded(path: str | Path) -> Json:
    """Return the value of a JSON file; raise InputError with its first error."""
    file = read_json_file(Path(path), not_finite=True)
    if not file.is_readable:
        raise ArgumentError(
            next(str(one) for one in file.defects if one.severity is Severity.ERROR)
        )
    return file.data


class COCOEvalCap:
    """Replacement for pycocoevalcap's `COCOEvalCap`, without Java and SPICE."""

    def __init__(self, coco: Captions, cocoRes: Captions) -> None:  # noqa: N803 - as there
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[ImageId, dict[str, Any]] = {}
        self.coco = coco
        self.cocoRes = cocoRes
        self.params: dict[str, Any] = {"image_id": coco.getImgIds()}

    def evaluate(self) -> None:
        """Score the images of `params["image_id"]` and print pycocoevalcap's output.

        Raises:
            InputError: An image has no reference, or not exactly one result.
        """
        images, captions = [], {}
        for key in dict.fromkeys(self.params["image_id"]):
            texts = [_caption(one, key) for one in self.coco.imgToAnns[key]]
            results = [_caption(one, key) for one in self.cocoRes.imgToAnns[key]]
            if not texts or len(results) != 1:
                found = fill(
                    "Image {key} has {texts} references and {results} results.",
                    key,
                    len(texts),
                    len(results),
                )
                raise ArgumentError(
                    fill("{found} At least one reference and one result are expected.", found)
                )
            images.append(Image(key, "", tuple(texts)))
            captions[key] = results[0]
        references = CaptionReferences(tuple(images), "the annotations")
        with Run() as run:
            scored = evaluate(
                references, CaptionSubmission("results", captions), CaptionOptions(), run
            )
        self.eval = coco_scores(scored)
        self.evalImgs = image_scores(scored, [image.id for image in images])
        self.imgToEval = {one["image_id"]: one for one in self.evalImgs}
        sys.stdout.write(coco_report(scored))


def _caption(annotation: Mapping[str, Any], key: ImageId) -> str:
    text = annotation.get("caption")
    if not isinstance(text, str):
        raise ArgumentError(
            fill("A caption of image {key} is {type}. Text is expected.", key, describe_value(text))
        )
    return text


def coco_scores(evaluation: Evaluation) -> dict[str, float]:
    """Return the scores by pycocoevalcap's names."""
    return {title: evaluation.score(name).value for name, title in NAMES.items()}


def image_scores(evaluation: Evaluation, ids: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the scores of each image in the format of pycocoevalcap's `evalImgs`."""
    columns = [evaluation.items.columns[name].tolist() for name in NAMES]
    rows = zip(ids, *columns, strict=True)
    return [{"image_id": key, **dict(zip(NAMES.values(), row, strict=True))} for key, *row in rows]


def coco_report(evaluation: Evaluation) -> str:
    """Return the text that pycocoevalcap's `evaluate` prints."""
    lines = ["tokenization...", "setting up scorers..."]
    for name, value in coco_scores(evaluation).items():
        if name in SCORERS:
            lines.append(f"computing {SCORERS[name]} score...")
        if name == "Bleu_1":
            lines += _bleu_lines(evaluation)
        lines.append(f"{name}: {value:0.3f}")
    return "\n".join(lines) + "\n"


def _bleu_lines(evaluation: Evaluation) -> list[str]:
    columns = [evaluation.items.columns[name] for name in STATISTICS]
    words, reference_words, *correct = (int(column.sum()) for column in columns)
    guess = [int(np.maximum(columns[0] - n, 0).sum()) for n in range(MAX_N)]
    counts = {"testlen": words, "reflen": reference_words, "guess": guess, "correct": correct}
    return [str(counts), f"ratio: {(words + TINY) / (reference_words + SMALL)}"]
