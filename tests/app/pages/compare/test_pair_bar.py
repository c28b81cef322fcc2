"""Bar of the Compare page: what gives way in a narrow window."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from jurydesk.app.pages.compare.pair_bar import PairBar
from jurydesk.core.model.evaluation import MetricInfo


def test_names_of_systems_give_way_before_the_title_of_the_metric(qtbot: QtBot) -> None:
    bar = PairBar()
    qtbot.addWidget(bar)
    systems = ["Recurrent networks with attention to regions", "Transformers over patches of words"]
    bar.offer(systems, "")
    bar.offer_metrics([_metric("f1", "F1 (reading)"), _metric("map", "mAP")], "f1")
    bar.show()
    whole = bar.sizeHint().width()
    bar.resize(whole - 200, bar.heightForWidth(whole))
    assert bar.metrics.width() == bar.metrics.sizeHint().width()
    assert bar.metrics.elided_text() == "F1 (reading)"
    assert bar.first.width() < bar.first.sizeHint().width()


def _metric(name: str, title: str) -> MetricInfo:
    return MetricInfo(name, title, "", (0.0, 1.0), "higher", "test")
