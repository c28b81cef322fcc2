"""Networks on each device: sizes of batches, numbers of threads, and GPUs beside the processor."""

from __future__ import annotations

import contextlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.execution.device import choose_device, devices
from jurydesk.core.execution.run import default_jobs
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.batches import Batches, Network
from jurydesk.core.neural.weights.random_weights import WORD
from jurydesk.core.neural.weights.weight_roles import WeightFiles, find_weights, role
from jurydesk.core.selftest.check import Check
from jurydesk.core.system.extras import install_hint

PART = "networks"
PICTURES, SIDE = 64, 96
BATCH_SIZES = (1, 7, 64)
WAYS = (
    translatable("batches of 1, batches of 7, batches of 64"),
    translatable("batches of 1, batches of 7, batches of 64, all threads"),
)
"""Ways of computing on a GPU and on the processor, as they are listed."""
CPU_TOLERANCE, GPU_TOLERANCE = 1e-4, 1e-3
"""The largest difference of a feature, in units of the largest feature; float32 has 7 digits."""

Prepare = Callable[[Any], Any]
Load = Callable[[WeightFiles], tuple[Network, Prepare]]


def network_checks(wanted: str) -> Iterator[Check]:
    """Compare features of every way of computing them; `wanted` is `auto`, `cpu` or a device.

    Raises DeviceError for a device that is not there.
    """
    if wanted == "auto":
        found = [device.id for device in devices() if device.kind != "cpu"]
    else:
        found = [device.id for device in [choose_device(wanted)] if device.kind != "cpu"]
    if importlib.util.find_spec("torch") is None:
        text = fill("PyTorch is not installed: {install_hint}.", install_hint("neural"))
        yield Check(PART, "networks", "absent", text)
        return
    yield from checks_of("clip", load_clip, found, is_small=True)
    yield from checks_of("inception", load_inception_extractor, found, is_small=False)


def checks_of(id: str, load: Load, gpus: list[str], *, is_small: bool) -> Iterator[Check]:
    """Examine the network of a role with its weights, else with random weights.

    Random weights of a network that is not small are left to GPUs: processors would need minutes.
    """
    title = role(id).title
    files = find_weights(id, {}).found
    if files is None and not (gpus or is_small):
        text = "Its weights are missing, and there is no GPU for random weights in their place."
        yield Check(PART, title, "absent", text)
        return
    try:
        network, prepare = load(files or random_files(id))
    except ResourceMissing as missing:
        yield Check(PART, title, "differs" if files else "absent", str(missing))
        return
    pictures = prepared_pictures(prepare)
    reference = features(network, "cpu", pictures, PICTURES, threads=1)
    for device in ("cpu", *gpus):
        name = (
            fill("{title}, {device}, its weights", Message(title), device)
            if files
            else fill("{title}, {device}, random weights", Message(title), device)
        )
        network = network if device == "cpu" else network.to(device)
        yield device_check(name, network, device, pictures, reference)


def device_check(name: str, network: Network, device: str, pictures: Any, reference: Any) -> Check:
    """Compute the features in batches of each size, and compare them with the reference."""
    everyone = default_jobs()
    ways = {f"batches of {size}": (size, 1) for size in BATCH_SIZES}
    if device == "cpu":
        ways["all threads"] = (PICTURES, everyone)
    tolerance = CPU_TOLERANCE if device == "cpu" else GPU_TOLERANCE
    gaps = {
        way: deviation(features(network, device, pictures, size, threads), reference)
        for way, (size, threads) in ways.items()
    }
    wrong = [f"{way} by {gap:.2g}" for way, gap in gaps.items() if not gap <= tolerance]
    if wrong:
        text = fill(
            "Features differ from those of one CPU thread: {join} of the largest.", ", ".join(wrong)
        )
        return Check(PART, name, "differs", text)
    ways_phrase = Message(", ".join(ways))
    if device == "cpu":
        text = fill(
            "{pictures} pictures, {ways_phrase}: equal within {tolerance:g} of the largest.",
            PICTURES,
            ways_phrase,
            tolerance,
        )
        return Check(PART, name, "ok", text)
    began = time.perf_counter()
    features(network, device, pictures, PICTURES, threads=1)
    speed = PICTURES / (time.perf_counter() - began)
    text = fill(
        "{pictures} pictures, {ways_phrase}: equal within {tolerance:g} of the largest "
        "({max:.1e}); {speed:.0f} a second.",
        PICTURES,
        ways_phrase,
        tolerance,
        max(gaps.values()),
        speed,
    )
    return Check(PART, name, "ok", text)


def features(network: Network, device: str, pictures: Any, size: int, threads: int) -> Any:
    """Return the features (n, width) of pictures, in batches of `size`, with `threads` threads."""
    with limited_threads(threads):
        return Batches(network, device, size).rows(pictures).numpy()


@contextlib.contextmanager
def limited_threads(count: int) -> Iterator[None]:
    """Limit the threads of PyTorch within the block."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def deviation(found: Any, reference: Any) -> float:
    """Return the largest difference in units of the reference's largest; NaN where one is NaN."""
    return float(np.abs(found - reference).max() / np.abs(reference).max())


def prepared_pictures(prepare: Prepare) -> Any:
    """Return noise of many colors as the network's own preprocessing makes it."""
    import torch
    from PIL import Image

    random = np.random.RandomState(0)
    noise = random.randint(0, 256, (PICTURES, SIDE, SIDE, 3), dtype=np.uint8)
    return torch.from_numpy(np.stack([prepare(Image.fromarray(one)) for one in noise]))


def random_files(id: str) -> WeightFiles:
    """Return the model with random weights of a role; ResourceMissing where it cannot be made."""
    outcome = find_weights(id, {id: Path(WORD)})
    if outcome.found is None:
        raise ResourceMissing(outcome.reason)
    return outcome.found


def load_clip(files: WeightFiles) -> tuple[Network, Prepare]:
    """Return the picture tower of a CLIP model, and its preprocessing."""
    from jurydesk.core.neural.clip.clip_model import PictureTower
    from jurydesk.core.neural.clip.open_clip import load_open_clip

    model = load_open_clip(files.path, files.files[-1])
    return PictureTower(model), model.pixels


def load_inception_extractor(files: WeightFiles) -> tuple[Network, Prepare]:
    """Return Inception with all its layers, and the preprocessing of pytorch-fid."""
    from jurydesk.core.metrics.fid.preprocessing import PRESETS, Extractor
    from jurydesk.core.neural.inception import inception_chunks

    preset = PRESETS["pytorch-fid"]
    return Extractor(preset, inception_chunks.load_inception(files.path, "cpu")), preset.prepare
