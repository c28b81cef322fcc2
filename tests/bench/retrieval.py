"""Speed of image-text retrieval compared with the published algorithm: one sort for each query.

Run as `python tests/bench/retrieval.py [--images 5000] [--rounds 3] [--original FOLDER]`. A matrix
of similarities of five captions for each image is scored by both programs in cold processes that
take turns. The original is a plain form of the functions i2t and t2i of VSE++, with NumPy alone; it
is also run without NumPy's vector instructions, as it was published. With a clone of fartashf/vsepp
as FOLDER its functions i2t and t2i are run themselves, and both programs begin with embeddings of
64 dimensions. Their values are compared; a difference ends the benchmark.

Medians of three rounds on a quiet machine (Python 3.11, NumPy 2.4.6, AVX-512; 2026-11-29):

    sorting each query             8.1 CPU s   506 MB   5.1 times ours
    without vector instructions   21.2 CPU s   505 MB   13.5 times ours
    jurydesk                       1.6 CPU s   151 MB

From embeddings (one round, busy) VSE++ takes 5.6 and 10.3 times our CPU seconds, and 61 MB
against 197 MB: it holds the similarities of one image at a time.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

import numpy as np
from usage import Usage, in_own_process, in_turn, of_process, table

CAPTIONS = 5
VECTORS = "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"
ORIGINAL = """
import json, sys
import numpy as np

sims = np.load(sys.argv[1])
images, captions = sims.shape
own = np.arange(captions) // (captions // images)
ranks = {"i2t": np.empty(images), "t2i": np.empty(captions)}
for image in range(images):
    order = np.argsort(sims[image])[::-1]
    ranks["i2t"][image] = min(
        np.where(order == caption)[0][0] for caption in np.flatnonzero(own == image)
    )
for caption in range(captions):
    order = np.argsort(sims[:, caption])[::-1]
    ranks["t2i"][caption] = np.where(order == own[caption])[0][0]
values = {}
for name, found in ranks.items():
    values |= {f"{name}_r{k}": float((found < k).mean()) for k in (1, 5, 10)}
    values[f"{name}_medr"] = float(np.floor(np.median(found)) + 1)
    values[f"{name}_meanr"] = float(found.mean() + 1)
json.dump(values, sys.stdout)
"""
VSEPP = """
import ast, json, sys
import numpy

path = f"{sys.argv[2]}/evaluation.py"
tree = ast.parse(open(path).read())
kept = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name in ("i2t", "t2i")]
functions = {"numpy": numpy}
exec(compile(ast.Module(kept, []), path, "exec"), functions)
with numpy.load(sys.argv[1]) as stored:
    images, captions = stored["images"], stored["captions"]
repeated = numpy.repeat(images, len(captions) // len(images), axis=0)
values = {}
for name in ("i2t", "t2i"):
    found = functions[name](repeated, captions, len(images))
    values |= {f"{name}_r{k}": value / 100 for k, value in zip((1, 5, 10), found)}
    values |= {f"{name}_medr": float(found[3]), f"{name}_meanr": float(found[4])}
json.dump(values, sys.stdout)
"""
DIMENSIONS = 64


def write_embeddings(path: Path, images: int) -> None:
    """Write vectors of unit length of images and captions, which lie near those of their image."""
    generator = np.random.default_rng(7)
    one = generator.standard_normal((images, DIMENSIONS))
    other = np.repeat(one, CAPTIONS, axis=0)
    other += generator.standard_normal(other.shape)
    sides = {"images": one, "captions": other}
    np.savez(
        path, **{name: side / np.linalg.norm(side, axis=1)[:, None] for name, side in sides.items()}
    )


def write_matrix(path: Path, images: int) -> None:
    """Write similarities without ties of correct ones, whose order depends on the processor.

    The last bit of a similarity is set for correct captions alone.
    """
    generator = np.random.default_rng(7)
    header = {"descr": "<f4", "fortran_order": False, "shape": (images, CAPTIONS * images)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for image in range(images):
            row = generator.standard_normal(CAPTIONS * images, np.float32)
            own = slice(CAPTIONS * image, CAPTIONS * (image + 1))
            row[own] += 2.5
            bits = row.view(np.uint32)
            bits &= ~np.uint32(1)
            bits[own] |= np.uint32(1)
            file.write(row.tobytes())


def compared(theirs: Path, mine: Path) -> None:
    """Exit if the two programs computed different values."""
    wanted = json.loads(theirs.read_text())
    (system,) = json.loads(mine.read_text())["systems"]
    for name, value in wanted.items():
        if not math.isclose(value, system["scores"][name], rel_tol=1e-12):
            sys.exit(f"{name}: {value} and {system['scores'][name]} differ.")


def main() -> None:
    """Print the usage of both programs, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--original", default="", metavar="FOLDER")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as place:
        folder = Path(place)
        path = folder / ("embeddings.npz" if chosen.original else "sims.npy")
        script, theirs, mine = (
            folder / name for name in ("original.py", "theirs.json", "mine.json")
        )
        in_own_process(write_embeddings if chosen.original else write_matrix, path, chosen.images)
        script.write_text(VSEPP if chosen.original else ORIGINAL)
        peer = [sys.executable, str(script), str(path), chosen.original]
        own = ("-m", "jurydesk", "score", "retrieval", "--results", str(path), "--json", "-")

        def original() -> Usage:
            return of_process(peer, theirs)

        def plain() -> Usage:
            return of_process(
                ["/usr/bin/env", f"NPY_DISABLE_CPU_FEATURES={VECTORS}", *peer], theirs
            )

        def program() -> Usage:
            return of_process([sys.executable, *own], mine)

        programs = {
            "sorting each query": original,
            "without vector instructions": plain,
            "jurydesk": program,
        }
        usages = in_turn(programs, chosen.rounds)
        compared(theirs, mine)
        *peers, ours = table(usages)
    for name, one in zip(programs, peers, strict=False):
        print(f"{name}: CPU ratio {one.cpu / ours.cpu:.2f}, wall ratio {one.wall / ours.wall:.2f}")


if __name__ == "__main__":
    main()
