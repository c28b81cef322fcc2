"""Speed of the Fréchet distance and Inception compared with the published code on the same input.

Run as `python tests/bench/neural.py [frechet] [inception] [root] [--repeats 3] [--images 40]`.

`frechet`: pytorch-fid's distance by `scipy.linalg.sqrtm` against ours, from the same means and
covariances of 2048 dimensions, for 5,000 and 1,000 features. `inception`: torchvision's modules
with the published patches in a plain eager float32 loop (batches of 20, as in FusionBrain) against
ours. `root`: the recorded distance of 48 features. Wall and CPU seconds are medians.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from jurydesk.core.metrics.fid.frechet_distance import Gaussian, gaussian_frechet_distance
from support.oracles import oracle
from support.tiny_models import maker

WIDTH = 2048
PEER_BATCH, OUR_BATCH = 20, 20


@dataclass
class Times:
    """Wall and CPU seconds of several runs of one program, and its result."""

    name: str
    run: Callable[[], Any]
    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    value: Any = None

    def once(self) -> None:
        """Run the program once and record its time."""
        wall, cpu = time.perf_counter(), time.process_time()
        self.value = self.run()
        self.walls.append(time.perf_counter() - wall)
        self.cpus.append(time.process_time() - cpu)

    @property
    def line(self) -> str:
        """Return a line with the medians."""
        wall, cpu = statistics.median(self.walls), statistics.median(self.cpus)
        return f"  {self.name:<34} {wall:9.2f} s wall {cpu:9.2f} s CPU"


def contest(title: str, repeats: int, *runners: Times) -> None:
    """Run the programs alternately; print their times and the ratios to the first."""
    for _ in range(repeats):
        for runner in runners:
            runner.once()
    print(title)
    for runner in runners:
        print(runner.line)
    peer = runners[0]
    for runner in runners[1:]:
        wall = statistics.median(peer.walls) / statistics.median(runner.walls)
        cpu = statistics.median(peer.cpus) / statistics.median(runner.cpus)
        print(f"  {runner.name}: {wall:.2f} times as fast by the wall, {cpu:.2f} by the CPU")


def features(seed: int, n: int) -> Gaussian:
    """Return features that, like Inception's, are non-negative and correlated."""
    rng = np.random.default_rng(seed)
    mixing = np.random.default_rng(0).standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH)
    mixing *= np.exp(-np.arange(WIDTH) / 400)[:, None]
    return Gaussian.of(np.maximum(rng.standard_normal((n, WIDTH)) @ mixing * 3 + 0.3, 0))


def published(one: Gaussian, other: Gaussian) -> float:
    """Return the distance by the formula of pytorch-fid's calculate_frechet_distance."""
    from scipy.linalg import sqrtm

    apart = one.mean - other.mean
    root = sqrtm(one.covariance @ other.covariance)
    traces = np.trace(one.covariance) + np.trace(other.covariance)
    return float(apart @ apart + traces - 2 * np.trace(root.real))


def frechet(repeats: int) -> None:
    """Compare both computations of the trace with the published matrix root."""
    for n in (5000, 1000):
        sides = features(1, n), features(2, n)
        peer = Times("scipy.linalg.sqrtm", partial(published, *sides))
        exact = Times("ours, exact", partial(gaussian_frechet_distance, *sides, "exact"))
        ours = Times("ours, published", partial(gaussian_frechet_distance, *sides))
        contest(f"Frechet distance, d = {WIDTH}, N = {n:,}", repeats, peer, exact, ours)
        for runner in (peer, exact, ours):
            apart = abs(runner.value - peer.value) / peer.value
            print(f"  {runner.name:<34} {runner.value!r} ({apart:.1e} from sqrtm)")


def root(repeats: int) -> None:
    """Print the recorded distance whose published root consists mostly of rounding errors."""
    recorded = json.loads(oracle("neural/shared_fid.json").read_text())["runs"]
    with np.load(oracle("neural/shared_fid_features.npz")) as file:
        one, other = (Gaussian.of(file[f"d2048_n48_{side}"]) for side in "ab")
    found = gaussian_frechet_distance(one, other)
    for version, runs in recorded.items():
        expected = runs["d2048_n48"]["fid"]
        print(f"N = 48: {found!r}, {abs(found - expected) / expected:.1e} from {version}")


def plain_network(weights: dict[str, Any]) -> Any:
    """Return torchvision's Inception with the patches of the published network."""
    import torch
    from torch.nn import functional
    from torchvision.models import inception as tv

    def bordered(x: Any, kernel_size: int, stride: int, padding: int) -> Any:
        return torch._C._nn.avg_pool2d(x, kernel_size, stride, padding, count_include_pad=False)

    def largest(x: Any, kernel_size: int, stride: int, padding: int) -> Any:
        return functional.max_pool2d(x, kernel_size, stride, padding)

    network = tv.inception_v3(
        weights=None, aux_logits=False, num_classes=1008, init_weights=False
    ).eval()
    for name, block in network.named_children():
        if isinstance(block, tv.InceptionA | tv.InceptionC | tv.InceptionE):
            pool = largest if name == "Mixed_7c" else bordered
            block.forward = pooled_by(pool, block)
    network.load_state_dict(weights, strict=False)
    network.fc = torch.nn.Identity()
    return network


def pooled_by(pool: Callable[..., Any], block: Any) -> Callable[[Any], Any]:
    """Return a block's forward pass with another pooling instead of its average pooling."""
    from torch.nn import functional

    own = block.forward

    def forward(maps: Any) -> Any:
        average, functional.avg_pool2d = functional.avg_pool2d, pool
        try:
            return own(maps)
        finally:
            functional.avg_pool2d = average

    return forward


def inception(repeats: int, images: int) -> None:
    """Compare the features of random pictures from both networks."""
    import torch

    from jurydesk.core.metrics.fid.inception_network import build_inception as ours
    from jurydesk.core.metrics.fid.inception_weights import shapes

    weights = {
        name: torch.from_numpy(maker().random_tensor(name, s)) for name, s in shapes().items()
    }
    plain, quick = plain_network(weights), ours(weights)
    pictures = torch.rand(images, 3, 299, 299, generator=torch.Generator().manual_seed(0)) * 2 - 1

    def loop(network: Any, size: int) -> Any:
        with torch.inference_mode():
            return torch.cat([network(part) for part in pictures.split(size)])

    peer = Times("plain eager loop, batch 20", lambda: loop(plain, PEER_BATCH))
    own = Times(f"ours, batch {OUR_BATCH}", lambda: loop(quick, OUR_BATCH))
    contest(f"Inception, {images} images, {torch.get_num_threads()} threads", repeats, peer, own)
    for runner in (peer, own):
        print(f"  {runner.name:<34} {images / statistics.median(runner.walls):.2f} images/s")
    apart = (own.value - peer.value).abs().max() / peer.value.abs().max()
    print(f"  largest difference of a feature: {apart:.1e} of the largest")


def main() -> None:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["frechet", "inception", "root"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--images", type=int, default=40)
    arguments = parser.parse_args()
    if "frechet" in arguments.parts:
        frechet(arguments.repeats)
    if "inception" in arguments.parts:
        inception(arguments.repeats, arguments.images)
    if "root" in arguments.parts:
        root(arguments.repeats)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
