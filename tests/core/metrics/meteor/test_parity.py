import random
import shutil
import subprocess

import pytest

from jurydesk.core.metrics.meteor import profile, stdio_protocol
from jurydesk.core.metrics.meteor.language_data import source_files
from support.suite.samples import sample

LINES = 400
FLAGS = {"vist": ["-t", "hter"], "coco": ["-norm"]}


def random_lines(index, seed: int) -> list[str]:
    """Return random lines of known words, single letters and signs, with many shared words."""
    chooser = random.Random(seed)
    text, starts = index.arrays.text.tobytes(), index.arrays.text_start
    known = (index.arrays.word_paraphrase >= 0).nonzero()[0].tolist()
    words = [
        text[starts[place] : starts[place + 1]].decode() for place in chooser.sample(known, k=600)
    ]
    words = [word for word in words if "|" not in word]
    common = ["the", "a", "of", ".", ",", "in", "to", "and", "was", "Aa", "BB", "Dogs", "don't"]

    def line() -> str:
        pool = [*chooser.sample(words, k=8), *common]
        sentences = [
            " ".join(chooser.choices(pool, k=chooser.randint(1, 40)))
            for _ in range(chooser.randint(2, 4))
        ]
        return " ||| ".join(("SCORE", *sentences))

    return [line() for _ in range(LINES)]


@pytest.mark.parity
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("name", "seed"), sample([("vist", 1), ("coco", 2)], 1))
def test_random_lines_are_counted_as_the_jar_counts_them(index, compiled, name: str, seed: int):
    java = shutil.which("java")
    if java is None:
        pytest.skip("Java is not installed")
    jar = source_files.installed_language_data().resources
    lines = random_lines(index, seed)
    printed = subprocess.run(
        [java, "-Xmx2G", "-jar", jar.name, "-", "-", "-stdio", "-l", "en", *FLAGS[name]],
        cwd=jar.parent,
        input="\n".join(lines) + "\n",
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.splitlines()
    ours = [stdio_protocol.answers(compiled, profile(name), line)[0] for line in lines]
    assert [line for line, one, two in zip(lines, ours, printed, strict=True) if one != two] == []
