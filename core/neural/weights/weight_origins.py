"""Where each role's weights come from, and when they last ran on this machine."""

from __future__ import annotations

import contextlib
import json
from datetime import date

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.system.paths import cache_folder, write_atomically

FILE = "weights-used.json"


ORIGINS = {
    "ruclip": translatable(
        "ai-forever/ruclip-* on Hugging Face, licence as stated there, 0.6 to 1.7 GB"
    ),
    "clip": translatable("a model of open_clip on Hugging Face; ViT-B/32 of OpenAI: MIT, 0.6 GB"),
    "inception": translatable("releases of mseitzer/pytorch-fid on GitHub, Apache 2.0, 96 MB"),
    "dinov2": translatable("facebook/dinov2-large on Hugging Face, Apache 2.0, 1.2 GB"),
    "bertscore": translatable("roberta-large on Hugging Face, MIT, 1.4 GB, or any BERT or RoBERTa"),
    "bert": translatable("google-research/bert, uncased_L-12_H-768_A-12, Apache 2.0, 0.4 GB"),
    "fasttext": translatable("fasttext.cc, English vectors, CC BY-SA 3.0, 7 to 9 GB"),
    "ruwordnet": translatable(
        "the package ruwordnet on PyPI, licence as stated on ruwordnet.ru, 0.1 GB"
    ),
    "nltk": translatable("nltk_data, averaged_perceptron_tagger, licence as stated there, 3 MB"),
}
"""Source, licence and usual size of the weights, by role."""


def record_use(role: str, digest: str, device: str) -> None:
    """Remember that a role's weights ran on a device of this machine today."""
    known = _read()
    entry = {"digest": digest, "device": device, "day": date.today().isoformat()}
    if known.get(role) == entry:
        return
    with contextlib.suppress(OSError):  # it is only shown
        write_atomically(cache_folder() / FILE, json.dumps({**known, role: entry}).encode())


def use_text(role: str) -> str:
    """Return the sentence on the last use of a role's weights on this machine."""
    entry = _read().get(role)
    if not isinstance(entry, dict):
        return translatable("They have not run on this machine.")
    day, device = (str(entry.get(name, ""))[:40] for name in ("day", "device"))
    return fill("They ran on this machine on {day}, device {device}.", day, device)


def _read() -> dict[str, object]:
    try:
        content = parse_json((cache_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
