"""Speed of VisDial's ranks compared with the formulas of the challenge's starter program.

Run as `python tests/bench/visdial_ranks.py [--images 2064] [--rounds 3] [--original FOLDER]`. Both
programs read the dialogues, the dense annotations and the ranks of ten rounds of 100 options for
each image, in cold processes that take turns. The original is a plain form of the starter's
`visdialch/metrics.py` with torch: it makes ranks from scores option by option, as published. With a
clone of batra-mlp-lab/visdial-challenge-starter-pytorch as FOLDER it is that file itself, with 32
dialogues in a batch. Values are compared to 1e-6, since it computes in single precision; a
difference ends the benchmark.

Medians of three on a quiet machine (Python 3.11, torch 2.15; 2026-11-29), 20,640 rounds; with
the starter's own file, one round on a busy one, 9.6 times:

    starter's formulas   13.9 CPU s   737 MB   8.1 times ours
    jurydesk              1.7 CPU s   227 MB
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
from pathlib import Path

from usage import Usage, in_own_process, in_turn, of_process, table

ROUNDS, OPTIONS, ANSWERS = 10, 100, 5000
ORIGINAL = """
import json, sys
import torch

dialogs, dense, submitted = (json.load(open(path)) for path in sys.argv[1:4])
truth = {
    (dialog["image_id"], number): turn["gt_index"]
    for dialog in dialogs["data"]["dialogs"]
    for number, turn in enumerate(dialog["dialog"], start=1)
}
relevance = {(one["image_id"], one["round_id"]): one["gt_relevance"] for one in dense}

def scores_to_ranks(scores):
    order = scores.sort(1, descending=True)[1]
    ranks = order.clone().fill_(0)
    for i in range(order.size(0)):
        for j in range(order.size(1)):
            ranks[i][order[i][j]] = j
    return ranks + 1

keys = [(one["image_id"], one["round_id"]) for one in submitted]
ranks = scores_to_ranks(-torch.tensor([one["ranks"] for one in submitted]).float())
found = torch.stack([ranks[i][truth[key]] for i, key in enumerate(keys)]).float()
values = {f"r@{k}": float((found <= k).float().mean()) for k in (1, 5, 10)}
values |= {"mean": float(found.mean()), "mrr": float((1 / found).mean())}
gains = []
for i, key in enumerate(keys):
    if key in relevance:
        rel = torch.tensor(relevance[key])
        k = int((rel != 0).sum())
        discounts = torch.log2(torch.arange(k).float() + 2)
        best = rel.sort(descending=True)[0][:k]
        own = rel[ranks[i].sort()[1]][:k]
        gains.append((own / discounts).sum() / (best / discounts).sum())
values["ndcg"] = float(torch.stack(gains).mean())
json.dump(values, sys.stdout)
"""
STARTER = """
import importlib.util, json, sys
import torch

path = f"{sys.argv[4]}/visdialch/metrics.py"
spec = importlib.util.spec_from_file_location("starter", path)
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)
dialogs, dense, submitted = (json.load(open(path)) for path in sys.argv[1:4])
truth = torch.tensor(
    [[turn["gt_index"] for turn in one["dialog"]] for one in dialogs["data"]["dialogs"]]
)
scores = -torch.tensor([one["ranks"] for one in submitted]).float().view(*truth.shape, -1)
turns = torch.tensor([one["round_id"] - 1 for one in dense])
relevance = torch.tensor([one["gt_relevance"] for one in dense])
sparse, ndcg = starter.SparseGTMetrics(), starter.NDCG()
for first in range(0, len(truth), 32):
    batch = slice(first, first + 32)
    sparse.observe(scores[batch], truth[batch])
    own = scores[batch][torch.arange(len(turns[batch])), turns[batch]]
    ndcg.observe(own, relevance[batch])
json.dump({**sparse.retrieve(), **ndcg.retrieve()}, sys.stdout)
"""


NAMES = ("dialogs", "dense", "ranks")


def write_files(folder: Path, images: int) -> None:
    """Write dialogues, dense annotations of a round of each, and ranks."""
    chance = random.Random(3)
    dialogs, dense, ranks = [], [], []
    for image in range(images):
        turns = []
        for number in range(1, ROUNDS + 1):
            options = chance.sample(range(ANSWERS), OPTIONS)
            truth = chance.randrange(OPTIONS)
            answer = {"answer": options[truth], "answer_options": options, "gt_index": truth}
            turns.append({"question": image % 1000, **answer})
            own = chance.sample(range(1, OPTIONS + 1), OPTIONS)
            ranks.append({"image_id": image, "round_id": number, "ranks": own})
        dialogs.append({"image_id": image, "caption": f"caption {image}", "dialog": turns})
        relevance = [0.0] * OPTIONS
        for place in chance.sample(range(OPTIONS), 12):
            relevance[place] = chance.choice((0.2, 0.4, 0.6, 0.8, 1.0))
        chosen = chance.randrange(1, ROUNDS + 1)
        dense.append({"image_id": image, "round_id": chosen, "gt_relevance": relevance})
    texts = {
        "questions": [f"question {number}" for number in range(1000)],
        "answers": [f"answer {number}" for number in range(ANSWERS)],
    }
    data = {"version": "1.0", "split": "val", "data": {"dialogs": dialogs, **texts}}
    for name, content in zip(NAMES, (data, dense, ranks), strict=True):
        (folder / f"{name}.json").write_text(json.dumps(content))


def compared(theirs: Path, mine: Path) -> None:
    """Exit if the two programs computed different values."""
    (system,) = json.loads(mine.read_text())["systems"]
    for name, value in json.loads(theirs.read_text()).items():
        if not math.isclose(value, system["scores"][name], rel_tol=1e-6):
            sys.exit(f"{name}: {value} and {system['scores'][name]} differ.")


def main() -> None:
    """Print the usage of both programs, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=2064)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--original", default="", metavar="FOLDER")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as place:
        folder = Path(place)
        in_own_process(write_files, folder, chosen.images)
        dialogs, dense, ranks = (str(folder / f"{name}.json") for name in NAMES)
        script, theirs, mine = (folder / name for name in ("original.py", "theirs", "mine"))
        script.write_text(STARTER if chosen.original else ORIGINAL)
        given = ("--dialogs", dialogs, "--relevance", dense, "--results", ranks, "--json", "-")
        own = (sys.executable, "-m", "jurydesk", "score", "visdial-ranks", *given)

        def original() -> Usage:
            files = (dialogs, dense, ranks, chosen.original)
            return of_process([sys.executable, str(script), *files], theirs)

        def program() -> Usage:
            return of_process(own, mine)

        usages = in_turn({"starter": original, "jurydesk": program}, chosen.rounds)
        compared(theirs, mine)
        peer, ours = table(usages)
    print(f"CPU ratio {peer.cpu / ours.cpu:.2f}, wall ratio {peer.wall / ours.wall:.2f}")


if __name__ == "__main__":
    main()
