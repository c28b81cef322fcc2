"""Check that model weights load in an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.incomplete_downloads import require_complete
from jurydesk.core.neural.weights.weight_loading import UNSOUND
from jurydesk.core.neural.weights.weight_roles import WeightFiles, weights_at_option
from jurydesk.core.neural.weights.weight_roles import role as weight_role


def check_weights(role: str, path: Path) -> str:
    """Return the reason why weights do not fit a role; empty if they do.

    Networks are loaded completely, which takes seconds and their full memory.
    """
    found, reason = weights_at_option(weight_role(role), path)
    if found is None:
        return reason
    try:
        for file in found.files:
            require_complete(file, allows_text=True)
        OPENERS[role](found)
    except ResourceMissing as missing:
        return str(missing)
    except UNSOUND as fault:  # raised by transformers and PyTorch for damaged files
        return fill(
            "The weights are not usable ({reason}): {path}",
            str(fault).splitlines()[0],
            found.path,
        )
    return ""


def _inception(weights: WeightFiles) -> None:
    from jurydesk.core.neural.inception.inception_chunks import load_inception

    load_inception(weights.path, "cpu")


def _ruclip(weights: WeightFiles) -> None:
    from jurydesk.core.neural.clip.ruclip import load_ruclip

    load_ruclip(weights.path, weights.files[-1])


def _clip(weights: WeightFiles) -> None:
    from jurydesk.core.neural.clip.open_clip import load_open_clip

    load_open_clip(weights.path, weights.files[-1])


def _dinov2(weights: WeightFiles) -> None:
    from jurydesk.core.neural.clip.dino import load_dino

    load_dino(weights.path, weights.files[-1])


def _bertscore(weights: WeightFiles) -> None:
    from jurydesk.core.neural.texts.text_encoder import load_text_encoder, network_size

    _, layers = network_size(weights.path)
    load_text_encoder(weights.path, weights.files[-1], layers, "cpu")


def _bert(weights: WeightFiles) -> None:
    from jurydesk.core.tasks.visdial.embeddings.bert import load_bert

    load_bert(weights.path, "cpu")


def _fasttext(weights: WeightFiles) -> None:
    from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText

    FastText(weights.path)


def _ruwordnet(weights: WeightFiles) -> None:
    from jurydesk.core.metrics.russian_meteor.ruwordnet import RuWordNet

    wordnet = RuWordNet(weights.path)
    wordnet.related("кошка")
    wordnet.close()


def _nltk(weights: WeightFiles) -> None:
    from jurydesk.core.metrics.russian_meteor.number_tagger import perceptron_numbers

    perceptron_numbers(weights.path)


OPENERS: Mapping[str, Callable[[WeightFiles], None]] = {
    "inception": _inception,
    "ruclip": _ruclip,
    "clip": _clip,
    "bert": _bert,
    "dinov2": _dinov2,
    "bertscore": _bertscore,
    "fasttext": _fasttext,
    "ruwordnet": _ruwordnet,
    "nltk": _nltk,
}
"""Loader of each role's weights."""
