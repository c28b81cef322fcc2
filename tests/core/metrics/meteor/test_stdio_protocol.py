import io
import json
import subprocess
import sys

import pytest

from jurydesk.core.metrics.meteor import profile, stdio_protocol
from support.oracles import oracle


def recorded() -> list[tuple[str, list[str]]]:
    with oracle("meteor/stdio.jsonl").open(encoding="utf-8", newline="\n") as file:
        return [(record["line"], record["answers"]) for record in map(json.loads, file)]


@pytest.mark.parametrize(("line", "expected"), recorded())
def test_every_line_is_answered_as_the_jar_answers_it(compiled, line: str, expected: list[str]):
    assert stdio_protocol.answers(compiled, profile("coco"), line) == expected


@pytest.mark.parametrize("line", ["EVAL ||| 1 2 3", "SING ||| x", "EVAL ||| 1.0 ||| "])
def test_invalid_counts_are_refused(compiled, line: str):
    assert stdio_protocol.answers(compiled, profile("coco"), line) == [
        "Error: specify Meteor stats"
    ]


def test_the_service_answers_line_by_line(compiled):
    sink = io.StringIO()
    source = ["SCORE ||| a dog ||| a dog\r\n", "nonsense\n"]
    stdio_protocol.serve_protocol(compiled, profile("coco"), source, sink)
    counts, error = sink.getvalue().splitlines()
    assert counts.startswith("2.0 2.0 1.0 1.0 1.0 1.0 1.0 1.0 0.0")
    assert error == "Error: specify SCORE or EVAL or SING"


def test_the_wrapper_of_pycocoevalcap_works_with_its_command_replaced(
    compiled, monkeypatch: pytest.MonkeyPatch
):
    wrapper = pytest.importorskip("pycocoevalcap.meteor.meteor")
    start = subprocess.Popen

    def ours(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        jar = next(place for place, word in enumerate(command) if word.endswith(".jar"))
        arguments = command[jar + 1 :]
        return start([sys.executable, "-m", "jurydesk.core.cli", "meteor", *arguments], **options)

    monkeypatch.setattr(wrapper.subprocess, "Popen", ours)
    with oracle("meteor/own.jsonl").open(encoding="utf-8", newline="\n") as file:
        records = [record for record in map(json.loads, file) if record["config"] == "coco"]
    records = [record for record in records if record["refs"]][:40]
    meteor = wrapper.Meteor()
    try:
        _, scores = meteor.compute_score(
            {number: record["refs"] for number, record in enumerate(records)},
            {number: [record["hyp"]] for number, record in enumerate(records)},
        )
    finally:
        if meteor.lock.locked():  # its destructor would wait forever
            meteor.lock.release()
        meteor.meteor_p.stdout.close()
        meteor.meteor_p.stderr.close()
        del meteor
    assert scores == [record["score"] for record in records]
