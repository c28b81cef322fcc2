"""Networks on a GPU: numbers, speed, batches, memory, shared cards and cancelling.

Run as `python tests/bench/gpu.py [--device auto] [--pictures 512] [PART ...]` from any folder; it
finds the program beside itself and needs no set-up. It is made for a bare machine with CUDA and
takes less than five minutes there. Without a GPU it runs whole on the processor, with fewer
pictures: so far it never ran on a GPU.

Carry: the repository, and nothing else: weights are random, made here by a rule. Install, where
there is a network:

    pip install torch torchvision numpy scipy pillow safetensors open_clip_torch transformers

Without one, `pip download -d wheels` with these names before, and
`pip install --no-index --find-links wheels` with them there. A network whose package is missing is
named and left out.

`equality`: features of every network on the processor and on the GPU, in units of the largest.
`speed`: pictures, or texts, a second with the utilization of the device, from memory and from
files. `batches`: the size that free memory gives, and out of memory: the size is halved and the
rows stay the same. `shared`: two processes on one card. `cancel`: the time to stop. The last line
is OK only if all of that holds.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def find_program() -> None:
    """Make `import jurydesk` work in a repository that was not set up."""
    built = ROOT / "build" / "tree"
    if not (built / "jurydesk").exists():
        built = Path(tempfile.mkdtemp(prefix="jurydesk-tree-"))
        package = built / "jurydesk"
        package.mkdir()
        (package / "__init__.py").symlink_to(ROOT / "core" / "api" / "__init__.py")
        for name in ("core", "app", "resources"):
            (package / name).symlink_to(ROOT / name, target_is_directory=True)
    sys.path[:0] = [str(built), str(ROOT / "tests")]


find_program()

import numpy as np  # noqa: E402 - found by the path

from jurydesk.core.execution.device import choose_device  # noqa: E402
from jurydesk.core.execution.run import Cancelled, CancelToken, Run  # noqa: E402
from jurydesk.core.neural.batches import Batches, Network, is_out_of_memory  # noqa: E402

BOUND = 1e-4
"""Largest difference of a feature between devices without TF32, in units of the largest feature."""
CANCEL_SECONDS = 0.2
PARTS = ("equality", "speed", "batches", "shared", "cancel")
WORDS = 24
"""Word pieces of a text."""
EQUAL = 4
"""Items in a batch on the processor where features are compared; on the GPU twice as many."""
ROOM = 3
"""Items for which a device has memory, where no card can be filled."""
ON_GPU, ON_PROCESSOR = 512, 8
"""Usual number of pictures."""
failures: list[str] = []


def check(holds: bool, text: str) -> None:
    """Print a line, and remember it if it does not hold."""
    print(f"  {'ok ' if holds else 'NOT'} {text}", flush=True)
    if not holds:
        failures.append(text)


# Networks of their real sizes, with random weights


def inception() -> tuple[Network, Callable[[int], Any]]:
    """Return Inception at its real size, and pictures."""
    import torch

    from jurydesk.core.metrics.fid.inception_network import build_inception
    from jurydesk.core.metrics.fid.inception_weights import shapes
    from jurydesk.core.metrics.fid.preprocessing import PRESETS, Extractor
    from jurydesk.core.neural.weights.random_weights import random_tensor

    tensors = {
        name: torch.from_numpy(random_tensor(name, shape)) for name, shape in shapes().items()
    }
    network = Extractor(PRESETS["fusionbrain"], build_inception(tensors, "cpu", 2048))
    return network, lambda n: noise((n, 256, 256, 3), is_bytes=True)


def clip() -> tuple[Network, Callable[[int], Any]]:
    """Return the picture tower of ViT-B/32, and pixels."""
    import torch
    from open_clip import create_model

    from jurydesk.core.neural.clip.clip_model import ClipModel, PictureTower

    torch.manual_seed(0)
    network = create_model("ViT-B-32").eval()
    return PictureTower(ClipModel(network, None, None)), lambda n: noise((n, 3, 224, 224))


def clip_texts() -> tuple[Network, Callable[[int], Any]]:
    """Return the text tower of ViT-B/32, and captions of one text each."""
    import torch
    from open_clip import create_model

    from jurydesk.core.neural.clip.clip_model import ClipModel, TextTower

    torch.manual_seed(0)
    network = create_model("ViT-B-32").eval()
    return TextTower(ClipModel(network, None, None)), lambda n: numbers((n, 1, 77), 49_000)


def dinov2() -> tuple[Network, Callable[[int], Any]]:
    """Return DINOv2 ViT-S/14, and pixels."""
    import torch
    from transformers import Dinov2Config, Dinov2Model

    from jurydesk.core.neural.clip.clip_model import ClipModel, PictureTower

    torch.manual_seed(0)
    sizes = {"hidden_size": 384, "num_attention_heads": 6, "image_size": 518, "patch_size": 14}

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = Dinov2Model(Dinov2Config(**sizes))

        def encode_image(self, pictures: Any) -> Any:
            return self.network(pixel_values=pictures).pooler_output

    model = ClipModel(Encoder().eval(), None, None)
    return PictureTower(model), lambda n: noise((n, 3, 224, 224))


def bert() -> tuple[Network, Callable[[int], Any]]:
    """Return BERT base as BERTScore uses it, up to its ninth layer, and word pieces."""
    import torch
    from transformers import BertConfig, BertModel

    from jurydesk.core.neural.texts.token_matches import PieceTower

    torch.manual_seed(0)
    network = BertModel(BertConfig(num_hidden_layers=9), add_pooling_layer=False).eval()
    return PieceTower(network, "cpu"), lambda n: numbers((n, WORDS), 30_000)


NETWORKS = {
    "inception": inception,
    "clip": clip,
    "clip texts": clip_texts,
    "dinov2": dinov2,
    "bert": bert,
}


def noise(shape: tuple[int, ...], *, is_bytes: bool = False) -> Any:
    """Return random pixels that are the same on every machine."""
    import torch

    random = np.random.RandomState(0)
    if is_bytes:
        return torch.from_numpy(random.randint(0, 256, shape, dtype=np.uint8))
    return torch.from_numpy(random.randn(*shape).astype(np.float32))


def numbers(shape: tuple[int, ...], highest: int) -> Any:
    """Return random ids of word pieces."""
    import torch

    return torch.from_numpy(np.random.RandomState(0).randint(5, highest, shape).astype(np.int64))


def networks() -> Iterator[tuple[str, Network, Callable[[int], Any]]]:
    """Yield every network whose packages are installed."""
    for name, make in NETWORKS.items():
        try:
            yield name, *make()
        except ImportError as missing:
            print(f"  {name} is left out: {missing}", flush=True)


# Utilization


class Utilization:
    """Samples of the device's utilization in percent while a block runs."""

    def __init__(self, device: str) -> None:
        self.device, self.samples = device, list[float]()
        self._stop = threading.Event()

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Sample within the block."""
        thread = threading.Thread(target=self._sample, daemon=True)
        before, began = time.process_time(), time.perf_counter()
        thread.start()
        yield
        self._stop.set()
        thread.join()
        if self.device == "cpu":
            share = (time.process_time() - before) / (time.perf_counter() - began)
            self.samples = [100 * share / len(os.sched_getaffinity(0))]

    def _sample(self) -> None:
        command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
        while self.device != "cpu" and not self._stop.wait(0.2):
            try:
                found = subprocess.run(command, capture_output=True, text=True, check=True)
                self.samples.append(float(found.stdout.split()[0]))
            except (OSError, ValueError, IndexError, subprocess.CalledProcessError):
                return

    def __str__(self) -> str:
        return f"{statistics.median(self.samples):.0f} %" if self.samples else "unknown"


# Parts


def equality(device: str, pictures: int) -> None:
    """Compare features of both devices; on the processor, batches of two sizes."""
    for name, network, items in networks():
        few = items(min(pictures, 2 * EQUAL))
        reference = Batches(network.to("cpu"), "cpu", EQUAL).rows(few)
        found = Batches(network.to(device), device, 2 * EQUAL).rows(few)
        gap = float((found - reference).abs().max() / reference.abs().max())
        check(gap <= BOUND, f"{name}: {gap:.1e} of the largest feature, bound {BOUND:g}")


def speed(device: str, pictures: int) -> None:
    """Measure items a second on each device, with its utilization."""
    for name, network, items in networks():
        for place, count in {"cpu": min(pictures, 32), device: pictures}.items():
            batch = items(count)
            batches = Batches(network.to(place), place)
            batches.rows(batch[: 2 * EQUAL])  # warm; on CUDA it chooses the size
            use = Utilization(place)
            began = time.perf_counter()
            with use.measured():
                batches.rows(batch)
            rate = count / (time.perf_counter() - began)
            print(f"  {name:<10} {place:<7} {rate:9.1f} a second, batches of {batches.size}, "
                  f"utilization {use}", flush=True)  # fmt: skip


def from_files(device: str, pictures: int) -> None:
    """Measure Inception from files: decoding beside the network."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write_pictures(Path(folder), pictures)
        use = Utilization(device)
        began = time.perf_counter()
        with use.measured(), Run(device=device) as run:
            read_features(paths, run)
        rate = pictures / (time.perf_counter() - began)
        print(f"  inception from files, {rate:.1f} a second, utilization {use}", flush=True)


def write_pictures(folder: Path, count: int) -> Path:
    """Write pictures of 512 x 512."""
    from PIL import Image

    (folder / "pictures").mkdir()
    for number in range(count):
        small = np.random.RandomState(number).randint(0, 256, (64, 64, 3), dtype=np.uint8)
        image = Image.fromarray(small).resize((512, 512))
        image.save(folder / "pictures" / f"{number:06}.jpg")
    return folder / "pictures"


class Noticed:
    """Network that says when it is first called."""

    def __init__(self, network: Network, called: threading.Event) -> None:
        self.network, self.called = network, called

    def __call__(self, batch: Any) -> Any:
        """Return the rows of a batch."""
        self.called.set()
        return self.network(batch)

    def to(self, device: str) -> Noticed:
        """Return the same network on another device."""
        return Noticed(self.network.to(device), self.called)


def read_features(folder: Path, run: Run, called: threading.Event | None = None) -> Any:
    """Compute the features of a folder by Inception with random weights, without a cache."""
    from jurydesk.core.execution.cache import NoCache
    from jurydesk.core.neural.inception.fid_score import FidCalculator

    calculator = FidCalculator({"inception": Path("random-numbers")}, cache=NoCache())
    reader = calculator.reader(run)
    reader.batches.network = Noticed(reader.batches.network, called or threading.Event())
    return calculator.statistics(folder, reader, run)


class Narrow:
    """Network whose device has memory for `room` items, where no card can be filled."""

    def __init__(self, network: Network, room: int) -> None:
        self.network, self.room = network, room

    def __call__(self, batch: Any) -> Any:
        """Return the rows of a batch, or fail as a full card does."""
        if len(batch) > self.room:
            raise RuntimeError("CUDA out of memory")
        return self.network(batch)

    def to(self, device: str) -> Narrow:
        """Return the same network on another device."""
        return Narrow(self.network.to(device), self.room)


def batches(device: str, pictures: int) -> None:
    """Choose the size from free memory, then run out of it."""
    for name, network, items in networks():
        few = items(min(pictures, 32))
        plain = Batches(network.to(device), device)
        expected = plain.rows(few)
        print(f"  {name}: batches of {plain.size}", flush=True)
        if device == "cpu":
            tight = Batches(Narrow(network, ROOM), device, 4 * ROOM)
            found = tight.rows(few)
        else:
            tight = Batches(network, device, 32)
            with filled_card(device):
                found = tight.rows(few)
        gap = float((found - expected).abs().max() / expected.abs().max())
        check(gap <= BOUND, f"{name}: {gap:.1e} after batches became {tight.size}")
        if device == "cpu" and len(few) > ROOM:
            check(tight.size == ROOM, f"{name}: the batch was halved from {4 * ROOM} to {ROOM}")


@contextmanager
def filled_card(device: str) -> Iterator[None]:
    """Leave a hundred megabytes of the card within the block."""
    import torch

    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info(device)
    blocks, size = [], max(free - (100 << 20), 0)
    try:
        while size > 1 << 20:
            try:
                blocks.append(torch.empty(size, dtype=torch.uint8, device=device))
                break
            except RuntimeError as full:
                if not is_out_of_memory(full):
                    raise
                size //= 2
        yield
    finally:
        blocks.clear()
        torch.cuda.empty_cache()


def shared(device: str, pictures: int) -> None:
    """Run two processes on the device at once, and compare their features."""
    count = str(min(pictures, 128))
    command = [sys.executable, __file__, "--device", device, "--pictures", count, "--alone"]
    began = time.perf_counter()
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate()[0] for process in started]
    seconds = time.perf_counter() - began
    codes = [process.returncode for process in started]
    check(codes == [0, 0], f"two processes end with {codes} after {seconds:.0f} s, with start")
    if codes == [0, 0]:
        one, other = (json.loads(output.splitlines()[-1]) for output in outputs)
        gap = abs(one["sum"] - other["sum"]) / abs(one["sum"])
        check(gap <= BOUND, f"their sums of features differ by {gap:.1e}")
        print(f"  {one['rate']:.1f} and {other['rate']:.1f} a second", flush=True)


def alone(device: str, pictures: int) -> None:
    """Compute features by Inception and print their sum: one of two processes."""
    network, items = inception()
    batch = items(pictures)
    one = Batches(network.to(device), device)
    began = time.perf_counter()
    found = one.rows(batch)
    rate = pictures / (time.perf_counter() - began)
    print(json.dumps({"sum": float(found.abs().sum()), "rate": rate}))


def cancel(device: str, pictures: int) -> None:
    """Cancel the reading of a folder while its network runs, and measure how long that takes."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write_pictures(Path(folder), max(pictures, 48))
        token = CancelToken()
        seen = threading.Event()

        ended: list[float] = []

        def work() -> None:
            try:
                with Run(device=device, cancel=token) as run:
                    read_features(paths, run, seen)
            except Cancelled:
                ended.append(time.perf_counter())

        thread = threading.Thread(target=work)
        thread.start()
        seen.wait(120)
        time.sleep(0.1)  # the network is amid a batch then
        asked = time.perf_counter()
        token.cancel()
        thread.join(60)
        took = ended[0] - asked if ended else float("nan")
        check(took <= CANCEL_SECONDS, f"cancelled after {1000 * took:.0f} ms")


def processor_seconds() -> float:
    """Return the seconds of processors that this process and its children took."""
    return sum(os.times()[:4])


def main() -> None:
    """Run the chosen parts on one device."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--pictures", type=int, default=0, help="default: 512 on a GPU, else 8")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    chosen = choose_device(arguments.device)
    pictures = arguments.pictures or (ON_PROCESSOR if chosen.kind == "cpu" else ON_GPU)
    if arguments.alone:
        alone(chosen.id, pictures)
        return
    import torch

    logging.disable(logging.WARNING)  # open_clip warns that weights are random, as they shall be
    memory = f"{chosen.memory / 2**30:.0f} GiB" if chosen.memory else "unknown memory"
    print(f"{chosen.id}: {chosen.name}, {memory}, PyTorch {torch.__version__}")
    if chosen.kind == "cpu":
        print("There is no GPU: all of this runs on the processor, and says nothing of a GPU.")
    began = time.perf_counter()
    known: dict[str, Callable[[str, int], None]] = {
        "equality": equality,
        "speed": speed,
        "batches": batches,
        "shared": shared,
        "cancel": cancel,
    }
    for part in arguments.parts:
        print(part, flush=True)
        known[part](chosen.id, pictures)
        if part == "speed":
            from_files(chosen.id, pictures)
    print(f"{time.perf_counter() - began:.0f} s, {processor_seconds():.0f} s of processors")
    print("OK" if not failures else f"NOT OK: {len(failures)}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
