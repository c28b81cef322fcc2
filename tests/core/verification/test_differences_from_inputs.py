"""What scoring the inputs of a desk gives is compared with it score by score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jurydesk.core.desk.evaluation_rows import pack_evaluation, unpack_rows
from jurydesk.core.model.defects import Place
from jurydesk.core.model.evaluation import Score
from jurydesk.core.verification.stored_results import (
    as_stored,
    differences_from_inputs,
    has_other_defects,
)
from support.desks.toy_desk import evaluation


def changed(made, **columns):
    return replace(made, items=replace(made.items, columns={**made.items.columns, **columns}))


def differences(stored, again, **settings):
    """Return the differences of a result, once it is in a desk, from another one."""
    stored = unpack_rows(pack_evaluation(stored), as_stored)
    return list(differences_from_inputs(stored, again, **settings))


def test_equal_results_have_no_difference():
    made = evaluation()
    assert differences(made, evaluation()) == []
    more = changed(made, another=np.zeros(len(made.items)))
    assert differences(made, more, other_code=True) == []
    (found,) = differences(made, more)
    assert found == f"{made.system}: the column another is not that of its files."


def test_every_other_score_column_and_item_is_named():
    made = evaluation()
    first = made.scores[0]
    other = replace(made, scores=(Score(first.metric, first.value + 0.25, 2), *made.scores[1:]))
    (found,) = differences(made, other)
    assert found == (
        f"{made.system}, {first.metric}: the desk has {first.value!r}, "
        f"its files give {first.value + 0.25!r}."
    )
    (found,) = differences(made, replace(made, scores=made.scores[1:]))
    assert found.endswith("its files give nan.")
    name, column = next(iter(made.items.columns.items()))
    sentence = f"{made.system}: the column {name} is not that of its files."
    other = changed(made, **{name: column + 1})
    assert differences(made, other) == [sentence]
    lost = {key: one for key, one in made.items.columns.items() if key != name}
    gone = replace(made, items=replace(made.items, columns=lost))
    assert differences(made, gone) == [sentence]
    items = replace(made.items, ids=tuple(reversed(made.items.ids)))
    (found,) = differences(made, replace(made, items=items))
    assert found == f"{made.system}: the items are not those of its files."


def test_what_is_shown_beside_the_numbers_is_compared_too():
    made = evaluation()
    curve, heatmap = made.figures
    moved = replace(curve, members=curve.members[::-1])
    items = replace(made.items, evidence=lambda number: made.items.evidence(149 - number))
    for other, part in (
        (replace(made, about="won in 2025"), "about"),
        (replace(made, figures=(curve, replace(heatmap, title="Best"))), "figures[1].title"),
        (replace(made, figures=(heatmap,)), "figures"),
        (replace(made, figures=(moved, heatmap)), "the curves of pr"),
        (replace(made, items=items), "evidence"),
        (replace(made, items=replace(made.items, evidence=None)), "evidence"),
        (replace(made, scores=made.scores[:1]), "listed"),
        (replace(made, scores=(replace(made.scores[0], n=7), made.scores[1])), "closeness (n)"),
    ):
        found = differences(other, made)
        assert found[0].startswith(f"{made.system}, {part}"), part
        assert differences(other, other) == []


def test_defects_are_compared_without_the_folders_of_their_files():
    made = evaluation()
    elsewhere = replace(made.defects[0], place=Place("/tmp/elsewhere/a.txt", 3))
    assert not has_other_defects(made, replace(made, defects=(elsewhere,)))
    assert has_other_defects(made, replace(made, defects=()))
