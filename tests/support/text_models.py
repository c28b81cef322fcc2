"""Folder of a small BERT whose weights and word pieces follow a rule, as in the recordings."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np

WORDS = (
    "a the man woman dog cat red bus street sitting on in with two people ride ##s ##ing play "
    "##ed . , park walk"
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
VOCABULARY = list(
    dict.fromkeys([*SPECIAL, *WORDS.split(), *LETTERS, *(f"##{letter}" for letter in LETTERS)])
)
LONGEST = 32
CONFIG = {
    "model_type": "bert",
    "vocab_size": len(VOCABULARY),
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "intermediate_size": 48,
    "max_position_embeddings": LONGEST,
    "type_vocab_size": 2,
}


def make_bert(folder: Path, prefix: str = "") -> Path:
    """Write the folder; the names of its tensors begin with `prefix`."""
    from safetensors.numpy import save_file
    from transformers import AutoConfig, AutoModel

    folder.mkdir(parents=True, exist_ok=True)
    network = AutoModel.from_config(AutoConfig.for_model(**CONFIG))
    tensors = {}
    for name, one in network.named_parameters():
        random = np.random.RandomState(zlib.crc32(name.encode()))
        numbers = random.randn(*one.shape) * 0.3 + name.endswith("LayerNorm.weight")
        tensors[prefix + name] = numbers.astype(np.float32)
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": LONGEST}
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "do_lower_case": True}))
    return folder
