"""Desks of example competitions, and raters who answer everything in their packets."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from unittest.mock import patch

from jurydesk.core.competition.examples import example_inputs, example_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes, make_answers
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.metrics.fid.frechet_distance import TRACES, exact_trace
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_json
from support.examples import folder_of
from support.rating import random_answers


@cache
def score_example_once(name: str) -> CompetitionResult:
    """Return the evaluations of a competition's example."""
    task = registry().tasks[name]
    folder = folder_of(task)
    # Nobody rates the distance of pictures; as published it takes 5 s for each system.
    with patch.dict(TRACES, published=exact_trace):
        return score_submissions(
            task, files_by_role(example_inputs(task, folder)), example_options(task, folder), Run()
        )


def scored_desk(name: str, folder: Path) -> Path:
    """Return a desk in the folder with the example of a competition, scored."""
    task = registry().tasks[name]
    path = folder / f"{name}.jurydesk"
    with Desk.create(path) as desk:
        options = example_options(task, folder_of(task))
        desk.set_competition(task.id, task.title, options_json(options))
        for evaluation in score_example_once(name).evaluations:
            desk.add(evaluation)
    return path


def answer_all(packets: Path, folder: Path) -> list[Path]:
    """Return the answers files of all raters, who answer at random."""
    paths = []
    for number, path in enumerate(sorted(packets.glob("*.jurypacket"))):
        content = read_packet(path).data
        assert content is not None
        ids = [item.id for item in content.items]
        events = random_answers.whole_sitting(ids, content.questionnaire, random.Random(number))
        paths.append(folder / f"{content.rater}.juryanswers")
        paths[-1].write_bytes(
            answers_bytes(make_answers(content.sha256, content.rater, events, content.key))
        )
    return paths
