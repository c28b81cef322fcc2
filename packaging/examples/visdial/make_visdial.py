"""Make the example of visual dialogues: `python packaging/examples/make.py visdial`.

Everything in it is our own: texts are in `dialogs.txt`, word vectors and training dialogues
are made by rule, and the reference sets are built from them as `building/` lets anybody do again.
"""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TEXTS = HERE / "dialogs.txt"
TITLE = "Three dialogues"
ABOUT = (
    "Three dialogues of ten questions, each with its set of reference answers, and four systems; "
    "in building/ what the sets were built from."
)
CANDIDATES = 100
TRAINING_DIALOGS = 80
ROUNDS = 10
DIM, BUCKETS, SHORTEST, LONGEST = 16, 64, 3, 4
MAGIC, VERSION, SKIPGRAM, SOFTMAX = 793712314, 12, 2, 3
FIRST_IMAGE, FIRST_TRAINING_IMAGE = 90001, 10001

Json = Any


@dataclass(frozen=True, slots=True)
class Round:
    """Question with the meaning of its true answer, and the answers of two systems."""

    question: str
    meaning: str
    truth: str
    careful: tuple[str, ...]
    short: str


@dataclass(frozen=True, slots=True)
class Dialog:
    """Description of a picture, and its ten questions."""

    caption: str
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Texts:
    """Candidate answers by meaning, and the dialogues."""

    meanings: Mapping[str, tuple[str, ...]]
    dialogs: tuple[Dialog, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """Return all candidate answers."""
        return tuple(answer for answers in self.meanings.values() for answer in answers)

    def meaning_of(self, answer: str) -> str:
        """Return the meaning of an answer."""
        return next(name for name, answers in self.meanings.items() if answer in answers)


def texts() -> Texts:
    """Return the content of `dialogs.txt`."""
    _, pool, *parts = TEXTS.read_text(encoding="utf-8").strip().split("\n= ")
    meanings = {}
    for line in pool.strip().split("\n")[1:]:
        name, _, answers = line.partition(": ")
        meanings[name] = tuple(answers.split(" / "))
    return Texts(meanings, tuple(_dialog(part) for part in parts))


def _dialog(part: str) -> Dialog:
    caption, *lines = part.strip().split("\n")
    rounds = []
    for line in lines:
        question, meaning, truth, careful, short = line.split(" | ")
        rounds.append(Round(question, meaning, truth, tuple(careful.split(" / ")), short))
    return Dialog(caption, tuple(rounds))


def _random_generator(seed: int) -> random.Random:
    """Return a random generator with a fixed seed."""
    return random.Random(seed)  # noqa: S311 - nothing secret is drawn


# Dialogues as VisDial has them


def dialogues(known: Texts) -> Json:
    """Return the three dialogues, each round with a hundred candidates in its own order."""
    chance = _random_generator(1)
    questions = sorted({one.question for dialog in known.dialogs for one in dialog.rounds})
    answers = known.answers
    dialogs = []
    for number, dialog in enumerate(known.dialogs):
        rounds = []
        for one in dialog.rounds:
            same = [answers.index(answer) for answer in known.meanings[one.meaning]]
            others = [i for i in range(len(answers)) if i not in same]
            options = same + chance.sample(others, CANDIDATES - len(same))
            chance.shuffle(options)
            truth = answers.index(one.truth)
            rounds.append(
                {
                    "question": questions.index(one.question),
                    "answer": truth,
                    "answer_options": options,
                    "gt_index": options.index(truth),
                }
            )
        dialogs.append(
            {"image_id": FIRST_IMAGE + number, "caption": dialog.caption, "dialog": rounds}
        )
    return _visdial("example", questions, answers, dialogs)


def training(known: Texts) -> Json:
    """Return training dialogues: every question with answers of the same meaning."""
    chance = _random_generator(2)
    asked = [one for dialog in known.dialogs for one in dialog.rounds]
    questions, answers = sorted({one.question for one in asked}), known.answers
    dialogs = [
        {
            "image_id": FIRST_TRAINING_IMAGE + number,
            "caption": chance.choice(known.dialogs).caption,
            "dialog": [
                {
                    "question": questions.index(one.question),
                    "answer": answers.index(chance.choice(known.meanings[one.meaning])),
                }
                for one in chance.sample(asked, ROUNDS)
            ],
        }
        for number in range(TRAINING_DIALOGS)
    ]
    return _visdial("training", questions, answers, dialogs)


def _visdial(split: str, questions: Sequence[str], answers: Sequence[str], dialogs: Json) -> Json:
    data = {"questions": list(questions), "answers": list(answers), "dialogs": dialogs}
    return {"version": "1.0", "split": split, "data": data}


def relevance(known: Texts, written: Json) -> Json:
    """Return relevance judgements: all answers of the same meaning, the true one highest."""
    return [
        {
            "image_id": dialog["image_id"],
            "round_id": number,
            "gt_relevance": [
                _share(known, known.answers[option], known.answers[one["answer"]])
                for option in one["answer_options"]
            ],
        }
        for dialog in written["data"]["dialogs"]
        for number, one in enumerate(dialog["dialog"], start=1)
    ]


def _share(known: Texts, answer: str, truth: str) -> float:
    if answer == truth:
        return 1.0
    return 0.6 if known.meaning_of(answer) == known.meaning_of(truth) else 0.0


# Word vectors


def word_vectors(known: Texts) -> dict[str, list[float]]:
    """Return a vector for each word: words of one meaning are close, ambiguous words between."""
    chance = _random_generator(3)
    sense = {name: [chance.uniform(-1, 1) for _ in range(DIM)] for name in known.meanings}
    used: dict[str, list[list[float]]] = {}
    for name, answers in known.meanings.items():
        for word in {word for answer in answers for word in _words(answer)}:
            used.setdefault(word, []).append(sense[name])
    for dialog in known.dialogs:
        for one in dialog.rounds:
            for word in _words(one.question):
                used.setdefault(word, []).append(sense[one.meaning])
    return {
        word: [sum(axis) / len(senses) + chance.uniform(-0.1, 0.1) for axis in zip(*senses)]  # noqa: B905 - equal by making
        for word, senses in sorted(used.items())
    }


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def fasttext_model(vectors: Mapping[str, Sequence[float]]) -> bytes:
    """Return a fastText model of these words; its n-grams are small and random."""
    chance = _random_generator(4)
    arguments = (DIM, 5, 5, 1, 5, 1, SOFTMAX, SKIPGRAM, BUCKETS, SHORTEST, LONGEST, 100)
    rows = [
        *vectors.values(),
        *([chance.uniform(-0.02, 0.02) for _ in range(DIM)] for _ in range(BUCKETS)),
    ]
    return b"".join(
        (
            struct.pack("<2i12id", MAGIC, VERSION, *arguments, 1e-4),
            struct.pack("<3i2q", len(vectors), len(vectors), 0, 10_000, -1),
            *(word.encode() + struct.pack("<xqb", 1, 0) for word in vectors),
            struct.pack("<?2q", False, len(rows), DIM),
            *(struct.pack(f"<{DIM}f", *row) for row in rows),
            struct.pack("<?2q", False, len(vectors), DIM),
            bytes(4 * DIM * len(vectors)),
        )
    )


# Systems


def generations(known: Texts, say: Any) -> list[Json]:
    """Return a system's answers; `say` gives those of a round."""
    return [
        {"image_id": FIRST_IMAGE + image, "round_id": number, "generations": list(say(one))}
        for image, dialogue in enumerate(known.dialogs)
        for number, one in enumerate(dialogue.rounds)
    ]


def careless(known: Texts) -> list[Json]:
    """Return the careful system's file with several typical errors."""
    value = generations(known, lambda one: one.careful)
    value[3]["generations"] = [f"<START> {text} <END>" for text in value[3]["generations"]]
    value[5]["generations"] = value[5]["generations"][0]
    value[9]["round_id"] = 10
    value[12]["round_id"] = 1
    value[17]["generations"] = []
    value[20]["generations"] = ["", *value[20]["generations"]]
    del value[25]
    return value


def systems(known: Texts) -> dict[str, list[Json]]:
    """Return the files of generated answers by name."""
    return {
        "careful.json": generations(known, lambda one: one.careful),
        "short.json": generations(known, lambda one: (one.short, "yes", "i can not tell")),
        "always-yes.json": generations(known, lambda one: ("yes", "yes, i think so")),
        "careless.json": careless(known),
    }


# The folder


def make(folder: Path) -> None:
    """Write the whole competition into a folder."""
    known = texts()
    building = folder / "building"
    building.mkdir(parents=True, exist_ok=True)
    written = dialogues(known)
    _write(building / "dialogs.json", written)
    _write(building / "training.json", training(known))
    _write(building / "relevance.json", relevance(known, written))
    (building / "words.bin").write_bytes(fasttext_model(word_vectors(known)))
    build_references(building, folder / "references.json")
    named = systems(known)
    for name, value in named.items():
        _write(folder / name, value)
    inputs = {"references": ["references.json"], "generations": list(named)}
    manifest = {"title": TITLE, "task": "visdial", "inputs": inputs, "about": ABOUT}
    _write(folder / "example.json", manifest, indent=1)


def build_references(building: Path, out: Path) -> None:
    """Build the reference sets of method S, with explanations."""
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.visdial.reference_sets.builder import BuildOptions
    from jurydesk.core.tasks.visdial.reference_sets.order import (
        BuildSpec,
        build_and_write,
        read_build_inputs,
    )

    order = BuildSpec(
        dialogs=building / "dialogs.json",
        out=out,
        recipe=BuildOptions("S"),
        embeddings=building / "words.bin",
        relevance=building / "relevance.json",
        train=building / "training.json",
        explained=True,
    )
    builder = read_build_inputs(order, Run()).data
    if builder is None:
        raise SystemExit("The example's dialogues are not sound.")
    build_and_write(order, builder, Run())


def _write(path: Path, value: Json, indent: int | None = None) -> None:
    lines = _lines(value) if isinstance(value, list) else [json.dumps(value, indent=indent)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def _lines(values: list[Json]) -> Iterator[str]:
    """Return a list as JSON with one line per entry."""
    yield "["
    for number, value in enumerate(values, start=1):
        yield json.dumps(value) + ("," if number < len(values) else "")
    yield "]"
