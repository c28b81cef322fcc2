"""Sentence-embedding models: location, loading, and digests for stamps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, note
from jurydesk.core.model.evaluation import FloatArray, ResourceMissing
from jurydesk.core.neural.weights.weight_origins import record_use
from jurydesk.core.neural.weights.weight_roles import (
    WeightFiles,
    find_weights,
    fingerprints,
    unless_named,
    weights_digest,
)
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

KINDS = {"fasttext": "fastText", "bert": "BERT"}
"""Titles of the models by role."""
SHOWN = 8
"""Digits of a model's SHA-256 in the short stamp."""

Embed = Callable[[list[str]], FloatArray]
"""Function from texts to vectors (texts, width)."""


def find_model(kind: str, options: VisDialOptions) -> WeightFiles | None:
    """Return the model of a kind, named in the options or found in the models folder."""
    return find_weights(kind, options.model_paths()).found


def missing_models(options: VisDialOptions, place: Place) -> Iterator[Defect]:
    """Yield a note for every missing model, with the skipped measures.

    Raises ResourceMissing if the user named it.
    """
    paths = options.model_paths()
    for kind, title in KINDS.items():
        outcome = find_weights(kind, paths)
        if outcome.found is None:
            reason = unless_named(ResourceMissing(outcome.reason), paths, kind)
            consequence = fill("Not computed: {title} L2 and {title2} CS.", title, title)
            yield note(place, consequence, reason)


def model_resources(options: VisDialOptions) -> dict[str, str]:
    """Return the SHA-256 of every file of the models, by role and name."""
    models = (find_model(kind, options) for kind in KINDS)
    return {
        name: digest
        for weights in models
        if weights is not None
        for name, digest in fingerprints(weights).items()
    }


def model_settings(options: VisDialOptions) -> dict[str, str]:
    """Return the models in use for the short stamp, as prefixes of their SHA-256."""
    used = model_resources(options)
    shown = {
        kind: next((d[:SHOWN] for name, d in used.items() if name.startswith(kind)), "none")
        for kind in KINDS
    }
    return {**shown, "weights": ",".join(kind for kind in KINDS if shown[kind] != "none") or "none"}


def load_embedder(kind: str, options: VisDialOptions, run: Run) -> Embed | None:
    """Load the embedding function of a kind; None without a model. Raises ResourceMissing."""
    from jurydesk.core.execution.device import choose_device

    weights = find_model(kind, options)
    if weights is None:
        return None
    found = _fasttext(weights.path, run) if kind == "fasttext" else _bert(weights.path, run)
    device = choose_device(run.device).id if kind == "bert" else "cpu"
    record_use(kind, weights_digest(weights), device)
    return found


def _fasttext(path: Path, run: Run) -> Embed:
    from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText
    from jurydesk.core.tasks.visdial.embeddings.mean_vectors import sentence_vectors

    run.report(0, 0, "fastText")
    model = run.call(FastText, path)
    return lambda texts: run.call(sentence_vectors, texts, model)


def _bert(path: Path, run: Run) -> Embed:
    from jurydesk.core.execution.device import choose_device
    from jurydesk.core.tasks.visdial.embeddings.bert import load_bert
    from jurydesk.core.tasks.visdial.embeddings.bert_embedding import embed

    run.report(0, 0, "BERT")
    try:
        model = run.call(load_bert, path, choose_device(run.device).id)
    except ResourceMissing as missing:
        raise ResourceMissing(fill("BERT: {missing}", missing)) from missing
    except (OSError, ValueError, TypeError, RuntimeError) as fault:
        # Errors of transformers in a vocabulary, or of PyTorch on a device.
        reason = str(fault).splitlines()[0].rstrip(".") if str(fault) else type(fault).__name__
        raise ResourceMissing(fill("BERT model {path}: {reason}.", path, reason)) from fault
    return lambda texts: embed(model, texts, run)
