"""Threshold lab: its parts."""

from __future__ import annotations

from jurydesk.app.inspectors.densecap.threshold_lab import ThresholdLab
from jurydesk.app.style.theme import theme


def test_the_size_of_the_dials_follows_the_zoom(qtbot) -> None:
    lab = ThresholdLab()
    qtbot.addWidget(lab)
    dials = (lab.overlap, lab.meteor, lab.score)
    before = [(dial.slider.minimumHeight(), dial.box.minimumWidth()) for dial in dials]
    theme().set_zoom(2.0)
    after = [(dial.slider.minimumHeight(), dial.box.minimumWidth()) for dial in dials]
    assert after == [(2 * height, 2 * width) for height, width in before]
