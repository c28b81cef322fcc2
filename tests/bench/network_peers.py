"""Inception and CLIP beside torch-fidelity and open_clip: pictures a second and memory.

Run as `python tests/bench/network_peers.py [--repeats 3] [--images 40] [--threads 2]` where
torch-fidelity 0.4.0 and open_clip_torch are installed. Weights are random, of the networks' real
sizes (CLIP: ViT-B/32), and the same for both programs. Every measurement is a process of its own,
and those of both programs alternate: seconds from decoded pictures to features after one warm
batch, processor seconds of the same, and the peak of the whole process's memory. It prints medians
and the largest difference of a feature.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

BATCH = 20
CLIP = {
    "embed_dim": 512,
    "vision_cfg": {"image_size": 224, "layers": 12, "width": 768, "patch_size": 32},
    "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 512, "heads": 8, "layers": 12},
}
INCEPTION_FILE, CLIP_FOLDER = "inception.pth", "clip"
Features = Callable[[Sequence[Any]], Any]
"""Function from Pillow's pictures of 299 x 299 to features (n, width)."""


def make_weights(folder: Path) -> None:
    """Write random weights of both networks."""
    import torch
    from open_clip.model import CLIP as Network  # noqa: N811 - CLIP is a constant here
    from safetensors.torch import save_file

    from jurydesk.core.metrics.fid.inception_weights import shapes
    from jurydesk.core.neural.weights.random_weights import random_tensor

    tensors = {name: torch.from_numpy(random_tensor(name, s)) for name, s in shapes().items()}
    torch.save(tensors, folder / INCEPTION_FILE)
    (folder / CLIP_FOLDER).mkdir()
    config = {"model_cfg": CLIP, "preprocess_cfg": {}}
    (folder / CLIP_FOLDER / "open_clip_config.json").write_text(json.dumps(config))
    torch.manual_seed(0)
    state = Network(**CLIP).state_dict()
    save_file(state, folder / CLIP_FOLDER / "open_clip_model.safetensors")


def batches(pictures: Sequence[Any], prepare: Callable[[Any], Any], network: Any) -> Any:
    """Return the features of pictures by a plain loop."""
    import torch

    parts = []
    with torch.inference_mode():
        for start in range(0, len(pictures), BATCH):
            part = [prepare(picture) for picture in pictures[start : start + BATCH]]
            parts.append(network(torch.stack(part)))
    return torch.cat(parts)


def fidelity_inception(folder: Path) -> Features:
    """Return torch-fidelity's features of Inception."""
    import torch
    from torch_fidelity.feature_extractor_inceptionv3 import FeatureExtractorInceptionV3

    network = FeatureExtractorInceptionV3(
        "inception-v3-compat", ["2048"], feature_extractor_weights_path=folder / INCEPTION_FILE
    ).eval()

    def prepare(picture: Any) -> Any:
        return torch.from_numpy(np.array(picture)).permute(2, 0, 1)

    return lambda pictures: batches(pictures, prepare, lambda batch: network(batch)[0])


def our_inception(folder: Path) -> Features:
    """Return our features of Inception."""
    import torch

    from jurydesk.core.metrics.fid.preprocessing import PRESETS, Extractor
    from jurydesk.core.neural.batches import Batches
    from jurydesk.core.neural.inception.inception_chunks import load_inception

    preset = PRESETS["clean"]
    ours = Batches(Extractor(preset, load_inception(folder / INCEPTION_FILE, "cpu")), "cpu", BATCH)
    return in_parts(ours, lambda picture: torch.from_numpy(preset.prepare(picture)))


def open_clip(folder: Path) -> Features:
    """Return open_clip's features of ViT-B/32."""
    from open_clip import create_model_from_pretrained

    network, prepare = create_model_from_pretrained(f"local-dir:{folder / CLIP_FOLDER}")
    network = network.eval()
    return lambda pictures: batches(pictures, prepare, network.encode_image)


def our_clip(folder: Path) -> Features:
    """Return our features of ViT-B/32."""
    import torch

    from jurydesk.core.neural.batches import Batches
    from jurydesk.core.neural.clip.clip_model import PictureTower
    from jurydesk.core.neural.clip.open_clip import load_open_clip

    place = folder / CLIP_FOLDER
    model = load_open_clip(place, place / "open_clip_model.safetensors")
    ours = Batches(PictureTower(model), "cpu", BATCH)
    return in_parts(ours, lambda picture: torch.from_numpy(model.pixels(picture)))


def in_parts(ours: Any, prepare: Callable[[Any], Any]) -> Features:
    """Return our features, with as many prepared pictures in memory as a shard has."""
    import torch

    def features(pictures: Sequence[Any]) -> Any:
        parts = []
        for start in range(0, len(pictures), BATCH):
            part = [prepare(picture) for picture in pictures[start : start + BATCH]]
            parts.append(ours.rows(torch.stack(part)))
        return torch.cat(parts)

    return features


PROGRAMS: dict[str, tuple[dict[str, Callable[[Path], Features]], float]] = {
    "Inception": ({"torch-fidelity": fidelity_inception, "ours": our_inception}, 1e-4),
    "CLIP ViT-B/32": ({"open_clip": open_clip, "ours": our_clip}, 1e-5),
}
"""Both programs of each network, and the bound of the difference of a feature."""


def pictures(count: int) -> list[Any]:
    """Return pictures of random colours, already of Inception's size."""
    from PIL import Image

    random = np.random.RandomState(0)
    sizes = (299, 299, 3)
    return [Image.fromarray(random.randint(0, 256, sizes, dtype=np.uint8)) for _ in range(count)]


def measure(network: str, program: str, folder: Path, images: int, threads: int) -> None:
    """Measure one program in this process; write its features and print its figures."""
    import torch

    torch.set_num_threads(threads)
    features = PROGRAMS[network][0][program](folder)
    given = pictures(images)
    features(given[:BATCH])
    wall, cpu = time.perf_counter(), time.process_time()
    found = features(given)
    took = time.perf_counter() - wall, time.process_time() - cpu
    np.save(folder / f"{program}.npy", found.numpy())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([images / took[0], took[1] / images, peak]))


def contest(network: str, folder: Path, repeats: int, images: int, threads: int) -> None:
    """Run both programs alternately, and print their medians."""
    programs, bound = PROGRAMS[network]
    figures: dict[str, list[list[float]]] = {name: [] for name in programs}
    command = [sys.executable, __file__, "--images", str(images), "--threads", str(threads)]
    for _ in range(repeats):
        for name in programs:
            asked = [*command, "--alone", network, name, str(folder)]
            said = subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout
            figures[name].append(json.loads(said.splitlines()[-1]))
    print(f"{network}, {images} pictures, {threads} threads, batches of {BATCH}")
    for name, rows in figures.items():
        rate, cpu, peak = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"  {name:<15} {rate:6.2f} a second, {cpu:6.3f} CPU s each, {peak:7.0f} MiB")
    peer, ours = (np.load(folder / f"{name}.npy") for name in programs)
    apart = float(np.abs(peer - ours).max() / np.abs(peer).max())
    print(f"  largest difference {apart:.1e} of the largest feature, bound {bound:g}")


def main() -> None:
    """Compare both networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--alone", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        network, program, place = arguments.alone
        measure(network, program, Path(place), arguments.images, arguments.threads)
        return
    with tempfile.TemporaryDirectory() as place:
        make_weights(Path(place))
        for network in PROGRAMS:
            contest(network, Path(place), arguments.repeats, arguments.images, arguments.threads)


if __name__ == "__main__":
    main()
