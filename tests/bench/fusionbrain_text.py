"""Speed of FusionBrain's text sub-tasks compared with loops like those of the organisers' programs.

Run as `python tests/bench/fusionbrain_text.py [--items 10000] [--pairs 100000] [--rounds 3]`.

The peers are plain loops over the same libraries: every word is analysed and stemmed anew, every
lookup queries RuWordNet's database (without the original's object-relational layer, so that this
peer is faster than the original), and edit distances are NLTK's. Ours is the whole engine: it reads
and hashes the files, reports defects, stores statistics and computes bootstrap intervals. Each
measurement is a separate forked process with all modules imported and an empty word cache; the
programs alternate. Wall and CPU seconds are medians; memory is the peak.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import random
import re
import sqlite3
import string
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pymorphy3
import razdel
from nltk.metrics.distance import edit_distance
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import RussianStemmer
from nltk.tokenize.destructive import NLTKWordTokenizer
from usage import Usage, table

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.edit_distance import recognition_scores
from jurydesk.core.metrics.russian_meteor.number_words import number_words_to_digits
from jurydesk.core.metrics.russian_meteor.russian_words import NUMBER_WORDS
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK

WORDNET = Path(__file__).parent.parent / "oracles" / "fusionbrain" / "shared_toy_ruwordnet.db"
SUBTASKS = ("textqa", "mathqa", "captioning", "vqa", "text_recognition")
NUMBERS = {"textqa": 0, "mathqa": 1, "captioning": 3, "vqa": 4, "text_recognition": 5}
STEMS = tuple(
    [
        "дом",
        "дерев",
        "кошк",
        "собак",
        "красн",
        "бел",
        "больш",
        "маленьк",
        "улиц",
        "человек",
        "мальчик",
        "девочк",
        "стол",
        "окн",
        "машин",
        "поезд",
        "велосипед",
        "озер",
        "рек",
        "гор",
        "снег",
        "мяч",
        "книг",
        "игр",
        "сид",
        "сто",
        "летел",
        "бежал",
        "смотрел",
        "едет",
        "над",
        "под",
        "",
    ][:-1]
)
ENDINGS = ("", "а", "у", "ом", "ами", "ый", "ая", "ого", "ой", "ы", "и", "е", "ает", "ит")


# The files


def write_files(folder: Path, items: int) -> dict[str, Path]:
    """Write ids, truth and predictions of five text sub-tasks with equally many items."""
    random_ = random.Random(7)
    ids, truth, predictions = {}, {}, {}
    for number in range(items):
        subtask = SUBTASKS[number % len(SUBTASKS)]
        key = str(number)
        accepted = [sentence(random_, subtask) for _ in range(random_.randint(1, 4))]
        said = accepted[0] if random_.random() < 0.2 else change_words(random_, accepted[0])
        ids[key] = NUMBERS[subtask]
        truth[key] = [{"type": "text", "content": accepted}]
        predictions[key] = [{"type": "text", "content": said}]
    paths = {}
    for name, content in {"task-ids": ids, "truth": truth, "predictions": predictions}.items():
        paths[name] = folder / f"{name}.json"
        paths[name].write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return paths


def sentence(random_: random.Random, subtask: str) -> str:
    """Return a text of invented Russian words, as long as the sub-task's answers."""
    if subtask == "mathqa" or (subtask == "vqa" and random_.random() < 0.3):
        return str(random_.randint(-20, 900))
    lengths = {"textqa": (1, 6), "captioning": (6, 14), "vqa": (1, 2), "text_recognition": (1, 2)}
    words = random_.randint(*lengths[subtask])
    return " ".join(random_.choice(STEMS) + random_.choice(ENDINGS) for _ in range(words))


def change_words(random_: random.Random, text: str) -> str:
    """Return the text with some words in another form or place."""
    words = text.split()
    for place, word in enumerate(words):
        if random_.random() < 0.4:
            words[place] = word[: max(2, len(word) - 2)] + random_.choice(ENDINGS)
    if random_.random() < 0.3:
        random_.shuffle(words)
    return " ".join(words)


# The peers


class Published:
    """The organisers' loops, without their output."""

    def __init__(self) -> None:
        self.morphology = pymorphy3.MorphAnalyzer(lang="ru")
        self.tokenizer = NLTKWordTokenizer()
        self.database = sqlite3.connect(WORDNET)

    def all(self, files: dict[str, Path]) -> dict[str, float]:
        """Return the score of every sub-task."""
        ids, truth, said = (
            json.loads(files[name].read_text(encoding="utf-8"))
            for name in ("task-ids", "truth", "predictions")
        )
        found = collections.defaultdict(list)
        for key, number in ids.items():
            subtask = next(name for name, known in NUMBERS.items() if known == number)
            accepted, text = truth[key][0]["content"], said[key][0]["content"]
            found[subtask].append(getattr(self, subtask)(accepted, text))
        return {name: sum(scores) / len(scores) for name, scores in found.items()}

    def lemma(self, word: str) -> str:
        lemma = self.morphology.parse(word)[0].normal_form
        return NUMBER_WORDS.get(lemma, lemma)

    def normalised(self, text: str, kept: str = "") -> str:
        excluded = set(string.punctuation) - set(kept)
        text = "".join(letter for letter in text.lower() if letter not in excluded)
        return " ".join(" ".join(self.lemma(word) for word in text.split()).split())

    def textqa(self, accepted: list[str], text: str) -> float:
        best = max(self.f1(one, text) for one in accepted)
        letter = re.search("[abcde]", text) if best <= 0.5 else None
        return max(self.f1(one, letter[0]) for one in accepted) if letter else best

    def f1(self, accepted: str, text: str) -> float:
        gold, said = self.normalised(accepted).split(), self.normalised(text).split()
        common = sum((collections.Counter(gold) & collections.Counter(said)).values())
        if not gold or not said or not common:
            return float(gold == said)
        precision, recall = common / len(said), common / len(gold)
        return 2 * precision * recall / (precision + recall)

    def mathqa(self, accepted: list[str], text: str) -> float:
        best = max(self.equal(one, text) for one in accepted)
        letter = re.search("[abcde]", text) if best <= 0.5 else None
        return max(self.equal(one, letter[0]) for one in accepted) if letter else best

    def equal(self, accepted: str, text: str) -> int:
        return int(self.normalised(accepted, "-") == self.normalised(text, "-"))

    def text_recognition(self, accepted: list[str], text: str) -> float:
        return max(
            1 - edit_distance(text, one) / max(len(one), len(text)) if one and text else 0
            for one in accepted
        )

    def captioning(self, accepted: list[str], text: str) -> float:
        best = 0.0
        for one in accepted:
            reference, said = (self.plain(each) for each in (one, text))
            tokens = self.tokenizer.tokenize(number_words_to_digits(said))
            best = max(
                best, self.meteor(self.tokenizer.tokenize(reference), tokens, RussianStemmer(), 0.5)
            )
        return best

    @staticmethod
    def plain(text: str) -> str:
        for mark in ",.!?:;%)]}([":
            text = text.replace(mark, "")
        return " ".join(token.text for token in razdel.tokenize(text.strip())).lower()

    def vqa(self, accepted: list[str], text: str) -> float:
        best, said = 0.0, self.whole(text)
        for one in accepted:
            reference = self.tokenizer.tokenize(self.whole(one))
            tokens = self.tokenizer.tokenize(number_words_to_digits(said))
            if len(reference) == 1 and reference[0].isnumeric():
                best = max(best, self.ratio(tokens, reference[0]))
            else:
                best = max(best, self.meteor(reference, tokens, PorterStemmer(), 0.0))
        return best

    def whole(self, text: str) -> str:
        excluded = set(string.punctuation)
        return self.lemma("".join(letter for letter in text if letter not in excluded).lower())

    @staticmethod
    def ratio(tokens: list[str], number: str) -> float:
        for token in tokens:
            if token[0].isdigit():
                try:
                    low, high = sorted((float(token), float(number)))
                except ValueError:
                    continue
                return low / high if high else 1.0
        return 0.0

    def meteor(self, reference: list[str], said: list[str], stemmer: object, gamma: float) -> float:
        left, right = list(enumerate(said)), list(enumerate(reference))
        pairs = self.pair(left, right, lambda word: {word})
        left = [(i, stemmer.stem(word)) for i, word in left]
        right = [(i, stemmer.stem(word)) for i, word in right]
        pairs += self.pair(left, right, lambda word: {word})
        pairs += self.pair(left, right, self.related)
        if not pairs:
            return 0.0
        pairs.sort()
        chunks = 1 + sum(b != (a[0] + 1, a[1] + 1) for a, b in itertools.pairwise(pairs))
        precision, recall = len(pairs) / len(said), len(pairs) / len(reference)
        mean = precision * recall / (0.9 * precision + 0.1 * recall)
        return (1 - gamma * (chunks / len(pairs)) ** 3) * mean

    @staticmethod
    def pair(
        left: list[tuple[int, str]],
        right: list[tuple[int, str]],
        candidates: Callable[[str], set[str]],
    ) -> list[tuple[int, int]]:
        found = []
        for i in reversed(range(len(left))):
            wanted = candidates(left[i][1])
            for j in reversed(range(len(right))):
                if right[j][1] in wanted:
                    found.append((left.pop(i)[0], right.pop(j)[0]))
                    break
        return found

    def related(self, word: str) -> set[str]:
        ask = self.database.execute
        senses = ask("SELECT id, synset_id FROM sense WHERE lemma = ?", (word.upper().strip(),))
        found = set()
        for sense, synset in senses.fetchall():
            found.add(word)
            hypernyms = ask(
                "SELECT title FROM synset JOIN hypernym_relation ON id = hypernym_id "
                "WHERE hyponym_id = ?",
                (synset,),
            )
            found |= {title.lower() for (title,) in hypernyms}
            derivations = ask(
                "SELECT name FROM sense JOIN derivation_relation ON id = derivative_id "
                "WHERE source_id = ?",
                (sense,),
            )
            found |= {name.lower() for (name,) in derivations}
        return found


def published_loop(files: dict[str, Path]) -> dict[str, float]:
    """Run the peer."""
    return Published().all(files)


def engine(files: dict[str, Path]) -> dict[str, float]:
    """Run our engine."""
    options = FusionBrainOptions(ruwordnet=str(WORDNET))
    inputs = {name: (path,) for name, path in files.items()}
    (evaluation,) = score_submissions(TASK, files_by_role(inputs), options, Run(jobs=1)).evaluations
    names = {**dict.fromkeys(SUBTASKS, "_meteor"), "textqa": "_f1", "mathqa": "_em"}
    names["text_recognition"] = "_ned"
    return {name: evaluation.score(name + ending).value for name, ending in names.items()}


# Edit distances


def text_pairs(count: int) -> tuple[list[str], list[str]]:
    """Return recognized and true texts of about twelve letters."""
    random_ = random.Random(11)
    true = [sentence(random_, "text_recognition") for _ in range(count)]
    return [change_words(random_, text) for text in true], true


def nltk_scores(recognised: list[str], true: list[str]) -> float:
    """Return the peer's score: the mean of 1 - NED by NLTK."""
    pairs = zip(recognised, true, strict=True)
    return sum(1 - edit_distance(a, b) / max(len(a), len(b)) for a, b in pairs) / len(true)


def own_scores(recognised: list[str], true: list[str]) -> float:
    """Return our score: the mean of 1 - NED."""
    return float(recognition_scores(recognised, true)[0].mean())


# Measuring


def forked(action: Callable[[], object]) -> tuple[Usage, object]:
    """Return the usage and the result of an action in a child process with an empty word cache."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        began = time.perf_counter()
        result = action()
        wall = time.perf_counter() - began
        os.write(writing, json.dumps([wall, result]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        wall, result = json.loads(stream.read())
    _, _, used = os.wait4(child, 0)
    return Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), result


def compare(title: str, programs: dict[str, Callable[[], object]], rounds: int) -> None:
    """Run two programs alternately and print their medians; their results must be equal."""
    usages: dict[str, list[Usage]] = {name: [] for name in programs}
    results = {}
    for _ in range(rounds):
        for name, program in programs.items():
            usage, results[name] = forked(program)
            usages[name].append(usage)
    print(title)
    peer, ours = table(usages)
    print(
        f"{peer.wall / ours.wall:.1f} times faster on the clock, {peer.cpu / ours.cpu:.1f} in CPU"
    )
    peers, own = (json.dumps(rounded(result)) for result in results.values())
    print("equal numbers\n" if peers == own else f"DIFFERENT: {peers} and {own}\n")


def rounded(result: object) -> object:
    """Return the numbers rounded to ten digits, by name if they have names."""
    if isinstance(result, dict):
        return {name: rounded(value) for name, value in sorted(result.items())}
    return round(float(result), 10)  # type: ignore[arg-type]


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    recognised, true = text_pairs(chosen.pairs)
    compare(
        f"1 - NED, {chosen.pairs:,} pairs",
        {
            "NLTK's edit_distance": lambda: nltk_scores(recognised, true),
            "jurydesk": lambda: own_scores(recognised, true),
        },
        chosen.rounds,
    )
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as name:
        files = write_files(Path(name), chosen.items)
        compare(
            f"text sub-tasks, {chosen.items:,} items",
            {
                "published loops": lambda: published_loop(files),
                "jurydesk's engine": lambda: engine(files),
            },
            chosen.rounds,
        )


if __name__ == "__main__":
    main()
