"""Encoder of texts of a Hugging Face folder up to one of its layers, with its tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.language import fill
from jurydesk.core.metrics.captioning.bert_score import LAYERS
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.hub_networks import load_hub_network
from jurydesk.core.neural.weights.weight_loading import read_network_settings, require_torch

KINDS = ("bert", "roberta", "xlm-roberta", "distilbert", "electra", "mpnet", "deberta-v2")
"""Networks that are built from the program's own code; others could need code of the folder."""
PURPOSE = "BERTScore"
LONGEST = 512
"""Maximum number of word pieces of a text, for networks that do not limit them."""
OFFSET = 2
"""Positions that RoBERTa's kind keeps for itself."""


@dataclass(frozen=True, slots=True, eq=False)
class TextEncoder:
    """Loaded encoder with its tokenizer, on one device."""

    tokenizer: Any
    network: Any
    longest: int
    device: str

    def pieces(self, text: str) -> list[int]:
        """Return the ids of a text's word pieces with first and last token, as bert-score does."""
        ids: list[int] = self.tokenizer.encode(
            text.strip(), add_special_tokens=True, truncation=True, max_length=self.longest
        )
        return ids

    @property
    def special(self) -> tuple[int, int]:
        """Ids of the first and last token, which have no weight."""
        return self.tokenizer.cls_token_id, self.tokenizer.sep_token_id


def usual_layer(folder: Path) -> int:
    """Return the layer that bert-score takes of such a network: without a usual one, the last."""
    kind, layers = network_size(folder)
    return LAYERS.get((kind, layers), layers)


def network_size(folder: Path) -> tuple[str, int]:
    """Return kind and number of layers; ResourceMissing for settings of another network."""
    settings = _settings(folder / "config.json")
    layers = settings.get("num_hidden_layers", settings.get("n_layers", 12))
    if type(layers) is not int or not 1 <= layers <= 1000:
        raise ResourceMissing(
            fill("{path}: the number of layers is not valid.", folder / "config.json")
        )
    return str(settings["model_type"]), layers


def load_text_encoder(folder: Path, weights: Path, layer: int, device: str) -> TextEncoder:
    """Load the first layers of a network; ResourceMissing if a file does not fit."""
    require_torch(PURPOSE)
    try:
        from transformers import AutoTokenizer
    except ImportError as fault:
        raise ResourceMissing(
            "BERTScore needs PyTorch and transformers: install jurydesk with its extra `neural`."
        ) from fault
    _, layers = network_size(folder)
    if not 1 <= layer <= layers:
        raise ResourceMissing(
            fill("{folder} has the layers 1 to {layers}, and not {layer}.", folder, layers, layer)
        )
    try:
        network = _network(_settings(folder / "config.json"), weights, layer)
        tokenizer = AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
        if tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
            raise ValueError("the tokenizer has no first or last token")
        if len(tokenizer) > network.config.vocab_size:
            raise ValueError("the tokenizer has more word pieces than the network")
    except ResourceMissing:
        raise
    except Exception as fault:  # transformers' checks of settings may raise anything
        reason = " ".join(str(fault).split()).rstrip(".") or type(fault).__name__
        raise ResourceMissing(
            fill("{folder} cannot be used for BERTScore: {reason}.", folder, reason[:200])
        ) from fault
    return TextEncoder(tokenizer, network.to(device), _longest(tokenizer, network), device)


def _longest(tokenizer: Any, network: Any) -> int:
    room = getattr(network.config, "max_position_embeddings", LONGEST)
    kept = OFFSET if "roberta" in network.config.model_type else 0
    return int(min(tokenizer.model_max_length, max(room - kept, 2)))


def _network(settings: dict[str, Any], weights: Path, layer: int) -> Any:
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.for_model(**settings)
    config.num_hidden_layers = layer
    return load_hub_network(AutoModel, config, weights, "pooler.")


def _settings(path: Path) -> dict[str, Any]:
    found = read_network_settings(path)
    kind = found.get("model_type") if isinstance(found, dict) else None
    if kind not in KINDS:
        raise ResourceMissing(
            fill("{path} does not describe a network of these: {kinds}.", path, ", ".join(KINDS))
        )
    settings: dict[str, Any] = {
        name: value
        for name, value in found.items()
        if name not in ("auto_map", "quantization_config")
    }
    return settings
