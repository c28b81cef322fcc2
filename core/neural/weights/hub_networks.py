"""Networks of Hugging Face folders, loaded by transformers without code of the folder."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from jurydesk.core.language import fill, name_list
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.incomplete_downloads import require_complete


def load_hub_network(network: Any, config: Any, weights: Path, unused: str = "") -> Any:
    """Return a network of this class (or `Auto` class) with the weights of a folder, on the CPU.

    Tensors whose names begin with `unused` may be missing. Raises ResourceMissing if others are,
    and what transformers raises for files that do not fit.
    """
    from transformers.utils import logging as messages

    require_complete(weights)
    messages.disable_progress_bar()
    messages.set_verbosity(logging.CRITICAL)
    # Pickles are read as tensors only, and code of the folder is never run.
    loaded, report = network.from_pretrained(
        str(weights.parent),
        config=config,
        local_files_only=True,
        use_safetensors=weights.suffix == ".safetensors",
        output_loading_info=True,
        dtype="float32",
    )
    missing = [name for name in report["missing_keys"] if not (unused and name.startswith(unused))]
    if missing:
        raise ResourceMissing(
            fill(
                "{path}: {count:,} tensors are missing ({names}): these are the weights of "
                "another network.",
                weights,
                len(missing),
                name_list(sorted(missing)),
            )
        )
    return loaded.eval()
