"""Make the example FusionBrain competition: `python packaging/examples/make.py fusionbrain`.

Everything in it is our own: the questions, the pictures drawn by `scenes.py`,
and a few words in the tables of RuWordNet. Running it again gives the same files. Models are not
part of it: its options ask for random weights in their place, which the program makes by itself
(`core/neural/weights/random_weights.py`) and which give the metrics of pictures some value without
meaning.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fusionbrain.scenes import SIGN, draw
from fusionbrain.texts import ITEMS, SENSES, SYSTEMS, Item

from jurydesk.core.neural.weights.random_weights import WORD

TITLE = "Six tasks by the sea"
ABOUT = "Twenty-four questions in six sub-tasks with drawn pictures, and three systems."
HIDDEN = ("hidden1=0.52", "hidden2=0.41", "hidden3=0.35")
TABLES = """
CREATE TABLE synset (id VARCHAR PRIMARY KEY, title VARCHAR);
CREATE TABLE sense (id VARCHAR PRIMARY KEY, name VARCHAR, lemma VARCHAR, synset_id VARCHAR);
CREATE TABLE hypernym_relation (hyponym_id VARCHAR, hypernym_id VARCHAR);
CREATE TABLE derivation_relation (source_id VARCHAR, derivative_id VARCHAR);
CREATE INDEX sense_lemma ON sense (lemma);
"""

Json = Any


@dataclass(frozen=True, slots=True)
class Files:
    """Content of the example's JSON files."""

    ids: dict[str, int]
    inputs: dict[str, Json]
    truth: dict[str, Json]


def make(folder: Path) -> None:
    """Write the example into a folder."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    files = competition(folder)
    write(folder / "ids.json", files.ids)
    write(folder / "input.json", files.inputs)
    write(folder / "truth.json", files.truth)
    for system in SYSTEMS:
        write(folder / f"{system}.json", predictions(system, folder))
    words(folder / "ruwordnet.db")
    write(folder / "example.json", manifest())


def competition(folder: Path) -> Files:
    """Return ids, input and truth, and save their pictures."""
    files = Files({}, {}, {})
    for number, item in enumerate(ITEMS):
        key = str(number)
        files.ids[key] = item.task
        files.inputs[key] = question_input(item, key, folder)
        files.truth[key] = [{"type": "text", "content": list(item.accepted)}]
        if item.is_generated:
            save(folder / "real-images" / f"{key}.png", item.scene, "truth")
            files.truth[key] = [{"type": "image", "content": f"real-images/{key}.png"}]
    return files


def question_input(item: Item, key: str, folder: Path) -> Json:
    """Return the input of a question: text, and a picture if it has one."""
    record = [{"type": "text", "content": item.question}]
    if item.is_generated:
        record.append({"type": "text", "content": item.accepted[0]})
    elif item.scene:
        save(folder / "images" / f"{key}.png", item.scene, "input")
        record.append({"type": "image", "content": f"images/{key}.png"})
    return record


def predictions(system: str, folder: Path) -> Json:
    """Return one system's answers; None becomes null, and a missing text an empty list."""
    found = {}
    for number, item in enumerate(ITEMS):
        key, answer = str(number), item.answers[SYSTEMS.index(system)]
        if item.is_generated:
            record: list[dict[str, str | None]] = [{"type": "text", "content": "Готово."}]
            if answer:
                name = f"{system}-pictures/{key}.png"
                save(folder / name, answer, system)
                record.append({"type": "image", "content": name})
        else:
            record = [] if answer == "" else [{"type": "text", "content": answer}]
        found[key] = record
    return found


def save(path: Path, scene: str, seed: str) -> None:
    """Draw a scene, or a sign, into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(scene, f"{seed} {scene}", is_sign=path.parent.name == "images" and scene in SIGN).save(
        path, optimize=True
    )


def words(path: Path) -> None:
    """Write a few words into tables of RuWordNet's schema."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    with database:
        database.executescript(TABLES)
        for name, title, hypernym in SENSES:
            database.execute("INSERT OR IGNORE INTO synset VALUES (?, ?)", (title, title))
            database.execute("INSERT OR IGNORE INTO synset VALUES (?, ?)", (hypernym, hypernym))
            lemma = name.replace("Ё", "Е")
            database.execute("INSERT INTO sense VALUES (?, ?, ?, ?)", (name, name, lemma, title))
            database.execute("INSERT INTO hypernym_relation VALUES (?, ?)", (title, hypernym))
    database.execute("VACUUM")
    database.close()


def manifest() -> Json:
    """Return the title, the roles of the files, and the example's options."""
    return {
        "title": TITLE,
        "task": "fusionbrain",
        "inputs": {
            "truth": ["truth.json"],
            "predictions": [f"{system}.json" for system in SYSTEMS],
            "task-ids": ["ids.json"],
            "input": ["input.json"],
            "images": ["images"],
            "real-images": ["real-images"],
        },
        "options": {
            "ruwordnet": "./ruwordnet.db",
            "hidden": list(HIDDEN),
            "weights": [f"{role}={WORD}" for role in ("ruclip", "inception")],
        },
        "about": ABOUT,
    }


def write(path: Path, content: Json) -> None:
    """Write JSON with one line per key."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")
