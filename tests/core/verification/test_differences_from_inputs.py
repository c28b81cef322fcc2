"""What scoring the inputs of a desk gives is compared with it score by score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jurydesk.core.model.evaluation import Score
from jurydesk.core.verification.stored_results import differences_from_inputs
from support.desks.toy_desk import evaluation


def changed(made, **columns):
    return replace(made, items=replace(made.items, columns={**made.items.columns, **columns}))


def test_equal_results_have_no_difference():
    made = evaluation()
    assert list(differences_from_inputs(made, evaluation())) == []
    more = changed(made, another=np.zeros(len(made.items)))
    assert list(differences_from_inputs(made, more)) == []


def test_every_other_score_column_and_item_is_named():
    made = evaluation()
    first = made.scores[0]
    other = replace(made, scores=(Score(first.metric, first.value + 0.25, 2), *made.scores[1:]))
    (found,) = differences_from_inputs(made, other)
    assert found == (
        f"{made.system}, {first.metric}: the desk has {first.value!r}, "
        f"its files give {first.value + 0.25!r}."
    )
    (found,) = differences_from_inputs(made, replace(made, scores=made.scores[1:]))
    assert found.endswith("its files give nan.")
    name, column = next(iter(made.items.columns.items()))
    sentence = f"{made.system}: the column {name} is not that of its files."
    other = changed(made, **{name: column + 1})
    assert list(differences_from_inputs(made, other)) == [sentence]
    lost = {key: one for key, one in made.items.columns.items() if key != name}
    gone = replace(made, items=replace(made.items, columns=lost))
    assert list(differences_from_inputs(made, gone)) == [sentence]
    items = replace(made.items, ids=tuple(reversed(made.items.ids)))
    (found,) = differences_from_inputs(made, replace(made, items=items))
    assert found == f"{made.system}: the items are not those of its files."
