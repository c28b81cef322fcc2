"""Speed of VQA accuracy compared with the official program's algorithm.

Run as `python tests/bench/vqa.py [--questions 214354] [--rounds 3] [--original FOLDER]`. Both
programs read annotations of ten answers a question and results, in cold processes that take turns.
The original is a plain form of `vqaEval.py` in Python 3: it processes every answer of every
question, and compares the records. With a clone of GT-Vision-Lab/VQA as FOLDER, and
`--python2 PROGRAM`, it is that program itself, and both read the questions as well. The overall
accuracies are compared; a difference ends the benchmark.

Medians of three rounds on a quiet machine (Python 3.11, the original in Python 2.7; 2026-11-29),
214,354 questions:

    vqaEval               157.8 CPU s   2606 MB   12.0 times ours
    jurydesk               12.9 CPU s    520 MB
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

HALF = 0.005 + 1e-9
"""Half a unit of the last decimal in percent."""
TYPES = ("yes/no", "number", "other")
ORIGINAL = """
import json, re, sys
from jurydesk.core.metrics.question_answering.vqa_accuracy import (
    ARTICLES, CONTRACTIONS, NUMBERS, SIGNS
)

period, comma = re.compile(r"(?!<=\\\\d)(\\\\.)(?!\\\\d)"), re.compile(r"(\\\\d)(\\\\,)(\\\\d)")

def punctuation(text):
    found = text
    for sign in SIGNS:
        if (sign + " " in text or " " + sign in text) or (re.search(comma, text) is not None):
            found = found.replace(sign, "")
        else:
            found = found.replace(sign, " ")
    return period.sub("", found, 32)

def digits_and_articles(text):
    words = []
    for word in text.lower().split():
        word = NUMBERS.setdefault(word, word)
        if word not in ARTICLES:
            words.append(word)
    for place, word in enumerate(words):
        if word in CONTRACTIONS:
            words[place] = CONTRACTIONS[word]
    return " ".join(words)

def clean(text):
    return text.replace("\\\\n", " ").replace("\\\\t", " ").strip()

questions = {one["question_id"]: one for one in json.load(open(sys.argv[1]))["annotations"]}
results = {one["question_id"]: one for one in json.load(open(sys.argv[2]))}
total = []
for key, question in questions.items():
    for one in question["answers"]:
        one["answer"] = clean(one["answer"])
    said = clean(results[key]["answer"])
    if len({one["answer"] for one in question["answers"]}) > 1:
        for one in question["answers"]:
            one["answer"] = digits_and_articles(punctuation(one["answer"]))
        said = digits_and_articles(punctuation(said))
    values = []
    for one in question["answers"]:
        others = [other for other in question["answers"] if other != one]
        matches = [other for other in others if other["answer"] == said]
        values.append(min(1, float(len(matches)) / 3))
    total.append(float(sum(values)) / len(values))
print(json.dumps(float(sum(total)) / len(total)))
"""
OFFICIAL = """
import json, sys
tools = ("/PythonHelperTools/vqaTools", "/PythonEvaluationTools/vqaEvaluation")
sys.path[:0] = [sys.argv[4] + one for one in tools]
from vqa import VQA
from vqaEval import VQAEval

annotations, results, questions = sys.argv[1:4]
known = VQA(annotations, questions)
evaluation = VQAEval(known, known.loadRes(results, questions), n=2)
evaluation.evaluate()
sys.stdout.write("\\n" + json.dumps(evaluation.accuracy["overall"]))
"""
HEAD = {
    "info": {},
    "license": {},
    "task_type": "Open-Ended",
    "data_type": "drawn",
    "data_subtype": "bench",
}


NAMES = ("annotations.json", "results.json", "questions.json")


def write_files(folder: Path, questions: int) -> None:
    """Write annotations, results and questions; people repeat the words of a small vocabulary."""
    chance = random.Random(5)
    words = [
        "yes",
        "no",
        "2",
        "two",
        "a red",
        "red",
        "the man's hat",
        "don't know",
        "1,000",
        "blue.",
    ]
    words += [f"answer {number}" for number in range(3000)]
    listed, results = [], []
    for number in range(questions):
        own = chance.choices(words[:40] if number % 2 else words, k=3)
        texts = chance.choices(own, (6, 3, 1), k=10)
        answers = [
            {"answer": text, "answer_confidence": "yes", "answer_id": place}
            for place, text in enumerate(texts, start=1)
        ]
        kind = {"question_type": f"what {number % 65}", "answer_type": TYPES[number % 3]}
        identity = {"question_id": number, "image_id": number // 5}
        listed.append({**identity, **kind, "multiple_choice_answer": own[0], "answers": answers})
        results.append({"question_id": number, "answer": chance.choice(own)})
    asked = [
        {"question_id": one["question_id"], "image_id": one["image_id"], "question": "What is it?"}
        for one in listed
    ]
    contents = ({**HEAD, "annotations": listed}, results, {**HEAD, "questions": asked})
    for name, content in zip(NAMES, contents, strict=True):
        (folder / name).write_text(json.dumps(content))


def compared(theirs: Path, mine: Path, *, is_rounded: bool) -> None:
    """Exit if the two programs computed different accuracies; the official one rounds."""
    (system,) = json.loads(mine.read_text())["systems"]
    wanted, found = json.loads(theirs.read_text().splitlines()[-1]), system["scores"]["overall"]
    if is_rounded:
        is_equal = abs(wanted - 100 * found) <= HALF
    else:
        is_equal = math.isclose(wanted, found, rel_tol=1e-12)
    if not is_equal:
        sys.exit(f"{wanted} and {found} differ.")


def main() -> None:
    """Print the usage of both programs, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=214_354)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--original", default="", metavar="FOLDER")
    parser.add_argument("--python2", default="", metavar="PROGRAM")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as place:
        folder = Path(place)
        in_own_process(write_files, folder, chosen.questions)
        references, results, questions = (str(folder / name) for name in NAMES)
        script, theirs, mine = (folder / name for name in ("original.py", "theirs", "mine"))
        script.write_text((OFFICIAL if chosen.original else ORIGINAL).replace("\\\\", "\\"))
        given = ("--references", references, "--results", results, "--json", "-")
        more = ("--questions", questions) if chosen.original else ()
        own = (sys.executable, "-m", "jurydesk", "score", "vqa", *given, *more)
        files = (references, results, questions, chosen.original)
        peer_program = (chosen.python2 or sys.executable, str(script), *files)

        def original() -> Usage:
            return of_process(peer_program, theirs)

        def program() -> Usage:
            return of_process(own, mine)

        name = "vqaEval" if chosen.original else "vqaEval's algorithm"
        usages = in_turn({name: original, "jurydesk": program}, chosen.rounds)
        compared(theirs, mine, is_rounded=bool(chosen.original))
        peer, ours = table(usages)
    print(f"CPU ratio {peer.cpu / ours.cpu:.2f}, wall ratio {peer.wall / ours.wall:.2f}")


if __name__ == "__main__":
    main()
