"""Facts card: how a score is computed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLayout

from jurydesk.app.pages.leaderboard.facts_card import FactsCard, system_facts
from jurydesk.app.style.theme import theme
from jurydesk.core.model.evaluation import Interval, MetricInfo, Score

NOUN = ("detection", "detections")
T_INTERVAL = Interval(0.4, 0.6, 0.95, "bootstrap t, 200 resamples of images, no bias")


def row(score: Score):
    summary = SimpleNamespace(scores=(score,), profile="published", created="")
    return SimpleNamespace(summary=summary)


def metric(aggregate):
    scale = (0.0, 1.0)
    return MetricInfo("map", "mAP", "A number.", scale, "higher", "Somebody", aggregate=aggregate)


@pytest.mark.parametrize(
    ("aggregate", "words"),
    [("mean", "Averaged over"), ("sum", "Summed over"), ("own", "Made of")],
)
def test_only_a_mean_is_called_averaged_over_items(aggregate, words):
    facts = system_facts(row(Score("map", 0.5, 1204)), metric(aggregate), NOUN)
    assert facts[words] == "1,204 detections"
    assert len({"Averaged over", "Summed over", "Made of"} & set(facts)) == 1


@pytest.mark.parametrize("words", range(1, 12))
def test_every_value_gets_enough_lines(qtbot, words):
    """Also at the card's preferred width, for which Qt caches a height."""
    card = FactsCard()
    qtbot.addWidget(card)
    said = " ".join(["bootstrap", "percentile", "of"][n % 3] for n in range(words))
    card.show_facts("A", "", {"Closeness": "0.9917857142857143", "Interval by": said, "Last": said})
    card.show()
    form = next(one for one in card.body.children() if isinstance(one, QLayout))
    card.resize(card.width() - form.geometry().width() + form.sizeHint().width(), 400)
    QApplication.processEvents()
    place = form.geometry()
    assert place.width() == form.sizeHint().width()
    form.invalidate()
    for width in (place.width(), place.width() + 100):
        form.heightForWidth(width)
    form.setGeometry(place)
    values = [one for one in card.findChildren(QLabel) if one.isVisible() and one.wordWrap()]
    values = values[1:]  # after the title
    assert len(values) == 3
    assert all(one.height() >= one.heightForWidth(one.width()) for one in values)


def test_an_interval_states_its_resampling_unit():
    facts = system_facts(row(Score("map", 0.5, 12, interval=T_INTERVAL)), metric("own"), NOUN)
    assert facts["Interval by"] == "bootstrap t, 200 resamples of images, no bias"
    without = system_facts(row(Score("map", 0.5, 12)), metric("own"), NOUN)
    assert "Interval by" not in without


def test_a_score_that_is_not_reliable_is_in_parentheses():
    doubted = replace(metric("mean"), doubt="Not reliable: the models have random weights.")
    assert system_facts(row(Score("map", 0.25, 12)), doubted, NOUN)["mAP"] == "(0.2500)"
    assert system_facts(row(Score("map", 0.25, 12)), metric("mean"), NOUN)["mAP"] == "0.2500"


def test_the_value_of_a_wide_name_is_below_it(qtbot):
    card = FactsCard()
    qtbot.addWidget(card)
    card.show_facts("a", "", {"Standard deviation ~~~~~~ ~~~~~~": "0.0842", "Profile": "published"})
    assert card.minimumSizeHint().width() <= 290
    name, value, other, beside = card.findChildren(QLabel)[-4:]
    card.resize(290, 200)
    with qtbot.waitExposed(card):
        card.show()
    assert value.y() > name.geometry().bottom()
    assert value.x() == name.x()
    assert beside.x() > other.geometry().right()


def test_values_become_narrow_again_when_the_window_is_zoomed_out(qtbot):
    card = FactsCard()
    qtbot.addWidget(card)
    theme().set_zoom(2.0)
    card.show_facts("a", "", {"Profile": "published"})
    wide = card.minimumSizeHint().width()
    theme().set_zoom(1.0)
    assert card.minimumSizeHint().width() < wide
