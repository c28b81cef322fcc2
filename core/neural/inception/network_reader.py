"""Reader of pictures by CLIP or DINOv2, whose cached features serve all of their metrics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.execution.device import choose_device
from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.fid.preprocessing import OWN
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.clip.clip_chunks import clip_work
from jurydesk.core.neural.clip.clip_embeddings import PICTURES, cached_model
from jurydesk.core.neural.clip.clip_model import ClipModel, PictureTower
from jurydesk.core.neural.feature_cache import RowCache
from jurydesk.core.neural.inception.image_features import PictureReader
from jurydesk.core.neural.weights.weight_loading import require_torch
from jurydesk.core.neural.weights.weight_origins import record_use
from jurydesk.core.neural.weights.weight_roles import fingerprints, require_weights

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache
    from jurydesk.core.execution.run import Run

NETWORKS = ("clip", "ruclip", "dinov2")
"""Roles of networks beside Inception whose features of pictures are compared."""


def network_reader(role: str, paths: Mapping[str, Path], cache: Cache, run: Run) -> PictureReader:
    """Return a reader with the network of a role loaded on the run's device."""
    weights = require_weights(role, paths)
    title = weights.role.title
    run.report(0, 0, fill("Loading {title}", Message(title)))
    run.call(require_torch, title)
    hashes = " ".join(fingerprints(weights, run.check).values())
    device = choose_device(run.device).id
    model = run.call(cached_model, role, weights.path, weights.files[-1], hashes).to(device)
    record_use(role, hashes, device)
    return PictureReader(
        Batches(PictureTower(model), device),
        OWN,
        run.call(feature_width, model),
        hashes,
        RowCache(cache, (role, PICTURES, hashes)),
        weights,
        clip_work,
        title,
    )


def feature_width(model: ClipModel) -> int:
    """Return the number of features of a picture, from a black one."""
    import torch
    from PIL import Image

    pixels = torch.as_tensor(model.pixels(Image.new("RGB", (32, 32))))
    return int(PictureTower(model)(pixels[None]).shape[1])
