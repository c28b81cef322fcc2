"""Arguments of the metric functions, as callers of the original programs write them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.model.evaluation import ArgumentError, UsageError

if TYPE_CHECKING:
    from jurydesk.core.metrics.fid.frechet_distance import Gaussian

TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "dict": "a dictionary",
    "list": "a list",
    "tuple": "a tuple",
    "set": "a set",
    "NoneType": "None",
    "ndarray": "an array",
}
RUNS = "A dictionary of dictionaries is expected: {query: {document: number}}."
TEXTS = "A list of hypotheses and a list of lists of references are expected."


def describe_type(value: object) -> str:
    """Return the type of a value in words: `a list of dictionaries`."""
    name = type(value).__name__
    if isinstance(value, os.PathLike):
        return "a path"
    if isinstance(value, list) and value:
        inner = TYPES.get(type(value[0]).__name__, "").partition(" ")[2]
        plural = {"dictionary": "dictionaries"}.get(inner, f"{inner}s")
        return f"a list of {plural}" if inner else "a list"
    return TYPES.get(name, f"of type {name}")


def id_text(value: object, kind: str) -> str:
    """Return an id, a text or a whole number, as text; raise InputError for others."""
    if isinstance(value, str):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    found = describe_type(value)
    raise ArgumentError(f"A {kind}'s id is {found}; a text or a whole number is expected.")


def ranked_lists(values: object, name: str) -> dict[str, dict[str, float]]:
    """Return numbers by query and document, whose ids are texts; raise InputError for others."""
    if not isinstance(values, Mapping):
        raise ArgumentError(f"{name} is {describe_type(values)}. {RUNS}")
    return {
        query: _documents(held, f"{name}, query {query}")
        for query, held in _by_text(values, "query", name).items()
    }


def _documents(values: object, name: str) -> dict[str, float]:
    if not isinstance(values, Mapping):
        raise ArgumentError(f"{name}: the documents are {describe_type(values)}. {RUNS}")
    found = _by_text(values, "document", name)
    for document, value in found.items():
        if not isinstance(value, int | float | np.number | np.bool_):
            raise ArgumentError(
                f"{name}, document {document} has {describe_type(value)}; a number is expected."
            )
    return found


def _by_text(values: Mapping[Any, Any], kind: str, name: str) -> dict[str, Any]:
    found = {id_text(key, kind): value for key, value in values.items()}
    if len(found) < len(values):
        raise ArgumentError(f"{name}: a {kind}'s id is there as text and as a number.")
    return found


def caption_pairs(hypotheses: Any, references: Any) -> list[tuple[str, list[str]]]:
    """Return texts with their references.

    Each may be a text or a list of tokens. Dictionaries by id, as pycocoevalcap has them, hold a
    text or a list of one text, and a list of references. Raises InputError for others.
    """
    if isinstance(hypotheses, Mapping) and isinstance(references, Mapping):
        if hypotheses.keys() != references.keys():
            apart = len(hypotheses.keys() ^ references.keys())
            raise ArgumentError(f"{apart} ids are not in both dictionaries.")
        references = [references[key] for key in hypotheses]
        hypotheses = [_only(one) for one in hypotheses.values()]
    _require_lists(hypotheses, references)
    if len(hypotheses) != len(references):
        raise ArgumentError(
            f"{len(hypotheses)} hypotheses against {len(references)} reference sets."
        )
    empty = [number for number, one in enumerate(references) if not len(one)]
    if empty:
        raise ArgumentError(f"Hypothesis {empty[0]} has no reference.")
    return [
        (caption_text(one), [caption_text(text) for text in texts])
        for one, texts in zip(hypotheses, references, strict=True)
    ]


def _only(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _require_lists(hypotheses: Any, references: Any) -> None:
    for name, value in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(value, str | Mapping) or not hasattr(value, "__len__"):
            raise ArgumentError(f"The {name} are {describe_type(value)}. {TEXTS}")
    for one in references:
        if isinstance(one, str | Mapping) or not hasattr(one, "__len__"):
            raise ArgumentError(
                f"The references of one hypothesis are {describe_type(one)}. {TEXTS}"
            )


def chosen(value: object, choices: Sequence[str], name: str) -> None:
    """Raise InputError if a value is not one of the choices."""
    if value not in choices:
        given = f'"{value}"' if isinstance(value, str) else describe_type(value)
        raise ArgumentError(f"{name} is {given}; one of {', '.join(choices)} is expected.")


def caption_text(value: Any) -> str:
    """Return a text, or the tokens of one joined by blanks; raise InputError for others."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("caption"), str):
        return str(value["caption"])
    if isinstance(value, Sequence) and all(isinstance(token, str) for token in value):
        return " ".join(value)
    raise ArgumentError(
        f"A caption is {describe_type(value)}; a text or a list of tokens is expected."
    )


def distribution(value: Any) -> Gaussian:
    """Return the distribution of features (n, d), of (mu, sigma), or of a file of statistics.

    A dictionary has `features`, or `mu` and `sigma`. Raises InputError for others.
    """
    from jurydesk.core.metrics.fid.frechet_distance import Gaussian
    from jurydesk.core.neural.inception.npz_statistics import read_statistics

    if isinstance(value, str | os.PathLike):
        try:
            return read_statistics(Path(value)).gaussian
        except UsageError as fault:
            raise ArgumentError(*fault.args) from fault
    if isinstance(value, Mapping):
        if "features" not in value and not {"mu", "sigma"} <= value.keys():
            held = ", ".join(map(str, value)) or "nothing"
            raise ArgumentError(f'The dictionary holds {held}; "mu" and "sigma" are expected.')
        value = value["features"] if "features" in value else (value["mu"], value["sigma"])
    if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[1]) == 2:
        mean, covariance = (np.asarray(one, dtype=np.float64) for one in value)
        mean = mean.reshape(-1) if mean.ndim == 2 and mean.shape[0] == 1 else mean
        finite = np.isfinite(mean).all() and np.isfinite(covariance).all()
        if mean.ndim != 1 or covariance.shape != (len(mean), len(mean)) or not finite:
            raise ArgumentError(
                f"mu has shape {mean.shape} and sigma {covariance.shape}; finite numbers of shape "
                "(d,) and (d, d) are expected."
            )
        return Gaussian(mean, covariance)
    try:
        features = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"The features are {describe_type(value)}; an array (n, d), (mu, sigma) or a .npz "
            "file is expected."
        ) from None
    if features.ndim != 2 or len(features) < 2 or not np.isfinite(features).all():
        raise ArgumentError(
            f"Features have shape {features.shape}; finite numbers of shape (n, d) with n of "
            "at least 2 are expected."
        )
    return Gaussian.of(features)
