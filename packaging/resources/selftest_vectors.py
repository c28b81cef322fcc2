"""Self-test vectors from recorded numbers: `python packaging/resources/selftest_vectors.py`.

Texts and files are our own; the numbers are those of the original programs, recorded in
`tests/oracles/`, whose READMEs name program and version.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / "tests" / "oracles"
TARGET = ROOT / "resources" / "selftest" / "vectors.json"
PAIRS = 24
Json = Any


def main() -> None:
    """Write the file."""
    competitions = [vist(), captions(), densecap(), trec(), xml(), *fusionbrain()]
    functions = {"meteor": meteor_rows(), "frechet": frechet()}
    content = {"competitions": competitions, "functions": functions}
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def vector(
    name: str,
    origin: str,
    task: str,
    files: dict[str, str],
    roles: dict[str, list[str]],
    scores: dict[str, float],
    *,
    items: dict[str, dict[str, float]] | None = None,
    options: dict[str, Json] | None = None,
    tolerance: float = 0.0,
) -> Json:
    """Return one vector as the self-test reads it."""
    return {
        "name": name,
        "origin": origin,
        "task": task,
        "files": files,
        "roles": roles,
        "options": options or {},
        "scores": scores,
        "items": items or {},
        "tolerance": tolerance,
    }


def rows(name: str) -> list[Json]:
    """Return the lines of a recording."""
    return [json.loads(line) for line in (ORACLES / name).read_text("utf-8").splitlines()]


def meteor_rows() -> list[Json]:
    """Return pairs of both profiles with the jar's scores."""
    found = rows("meteor/own.jsonl")
    return [
        {key: row[key] for key in ("config", "hyp", "refs", "score")}
        for config in ("vist", "coco")
        for row in [row for row in found if row["config"] == config][:PAIRS]
    ]


def vist() -> Json:
    """Return stories with the METEOR of recorded pairs."""
    chosen = [
        row
        for row in rows("meteor/own.jsonl")
        if row["config"] == "vist"
        and row["hyp"].strip() == row["hyp"] != ""
        and all(one.strip() == one != "" for one in row["refs"])
    ][:12]
    stories, annotations, items = [], [], {}
    for number, row in enumerate(chosen):
        photos = [f"{number}{place}" for place in range(5)]
        stories.append(
            {"album_id": str(number), "photo_sequence": photos, "story_text_normalized": row["hyp"]}
        )
        items["-".join(photos)] = {"meteor": row["score"]}
        annotations += [
            [
                {
                    "story_id": f"{number}.{story}",
                    "album_id": str(number),
                    "photo_flickr_id": photo,
                    "worker_arranged_photo_order": order,
                    "text": text if order == 0 else "",
                }
            ]
            for story, text in enumerate(row["refs"])
            for order, photo in enumerate(photos)
        ]
    about = {"additional_description": "Recorded pairs"}
    submission = {"team_name": "recorded", "evaluation_info": about, "output_stories": stories}
    files = {
        "stories.json": json.dumps(submission),
        "human.json": json.dumps({"annotations": annotations}),
    }
    roles = {"submission": ["stories.json"], "references": ["human.json"]}
    return vector("stories", "meteor-1.5.jar", "vist", files, roles, {}, items=items)


def captions() -> Json:
    """Return captions with pycocoevalcap's scores."""
    cases = json.loads((ORACLES / "captions/own_eval.json").read_text("utf-8"))["cases"]
    (case,) = [one for one in cases if one["name"] == "basic"]
    files = {
        "annotations.json": json.dumps(case["annotations"]),
        "results.json": json.dumps(case["results"]),
    }
    roles = {"references": ["annotations.json"], "results": ["results.json"]}
    items = {
        str(one["image_id"]): {key: value for key, value in one.items() if key != "image_id"}
        for one in case["per_image"]
    }
    return vector(
        "captions",
        "pycocoevalcap 1.2",
        "captions",
        files,
        roles,
        case["aggregate"],
        items=items,
        tolerance=1e-12,
    )


def densecap() -> Json:
    """Return captioned boxes with the Lua evaluator's average precisions."""
    case = json.loads((ORACLES / "densecap/shared_01_basic.json").read_text("utf-8"))
    expected = case["expected"]["official"]
    scores = expected["ap"] | expected["det"]
    files = {"boxes.json": json.dumps({"images": case["images"]})}
    roles = {"ground_truth": ["boxes.json"], "detections": ["boxes.json"]}
    return vector("captioned boxes", "eval_utils.lua", "densecap", files, roles, scores)


def trec() -> Json:
    """Return ranked lists with pytrec_eval's numbers."""
    cases = [one for one in rows("keyword_spotting/shared_trec.jsonl") if "pytrec_eval" in one]
    case = max(
        (
            one
            for one in cases
            if one["relevance_level"] == 1
            and "-c" not in one["trec_eval_args"]
            and len(one["run"]) < 20_000
        ),
        key=lambda one: len(one["run"]),
    )
    files = {"qrels.txt": case["qrels"], "run.txt": case["run"]}
    roles = {"relevance": ["qrels.txt"], "results": ["run.txt"]}
    found = case["pytrec_eval"]
    wanted = ("map", "P_10", "ndcg", "ndcg_cut_10", "recip_rank", "bpref", "Rprec")
    items = {
        query: {name: values[name] for name in wanted if name in values}
        for query, values in found["per_query"].items()
    }
    scores = {name: value for name, value in found["mean"].items() if name in wanted}
    name = f"ranked lists ({case['name']})"
    return vector(
        name,
        "pytrec_eval 0.5",
        "keyword-spotting",
        files,
        roles,
        scores,
        items=items,
    )


def xml() -> Json:
    """Return word lists with rusteval's numbers, which it prints with five digits."""
    folder = ORACLES / "keyword_spotting" / "icfhr"
    cases = json.loads((folder / "cases.json").read_text("utf-8"))
    (case,) = [one for one in cases if one["name"] == "random_1"]
    files = {
        "relevance.xml": (folder / "random_1.gt.xml").read_text("utf-8-sig"),
        "results.xml": (folder / "random_1.res.xml").read_text("utf-8-sig"),
    }
    roles = {"relevance": ["relevance.xml"], "results": ["results.xml"]}
    return vector(
        "word images",
        "rusteval 0.5.0",
        "keyword-spotting",
        files,
        roles,
        case["rusteval_mean"],
        items=case["rusteval"],
        tolerance=5.1e-6,
    )


def fusionbrain() -> list[Json]:
    """Return answers with the organisers' scores."""
    names = {
        "textqa": "textqa_f1",
        "mathqa": "mathqa_em",
        "text_recognition": "text_recognition_ned",
    }
    found = []
    for subtask, metric in names.items():
        path = ORACLES / "fusionbrain" / f"shared_{subtask}.json"
        cases = json.loads(path.read_text("utf-8"))["cases"]
        sound = [
            one
            for one in cases
            if len(one["examples"]) > 1 and isinstance(one["expected"].get("inner"), dict)
        ]
        case = max(sound, key=lambda one: len(one["examples"]))
        files = {
            "truth.json": json.dumps(case["examples"], ensure_ascii=False),
            "answers.json": json.dumps(case["preds"], ensure_ascii=False),
        }
        roles = {"truth": ["truth.json"], "predictions": ["answers.json"]}
        found.append(
            vector(
                f"{subtask} ({case['name']})",
                "the organisers' program",
                "fusionbrain",
                files,
                roles,
                {metric: case["expected"]["inner"]["score"]},
                options={"subtask": subtask},
                tolerance=1e-12,
            )
        )
    return found


def frechet() -> Json:
    """Return small features with the distance by the nuclear norm."""
    case = "d64_n40_rank_deficient"
    with np.load(ORACLES / "neural/shared_fid_features.npz") as file:
        first, second = (file[f"{case}_{side}"][:, :] for side in "ab")
    runs = json.loads((ORACLES / "neural/shared_fid.json").read_text("utf-8"))["runs"]
    return {
        "origin": "the nuclear norm, in NumPy",
        "first": first.astype(float).tolist(),
        "second": second.astype(float).tolist(),
        "exact": next(iter(runs.values()))[case]["exact_nuclear_norm_value"],
        "tolerance": 1e-9,
    }


if __name__ == "__main__":
    main()
