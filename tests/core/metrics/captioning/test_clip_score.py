from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.metrics.captioning.clip_score import clip_score, reference_clip_score


def test_clip_score_is_two_and_a_half_cosines_and_never_negative():
    assert clip_score(np.array([0.3, -0.2, 0.0])).tolist() == pytest.approx([0.75, 0, 0])


def test_the_harmonic_mean_is_that_of_the_nearest_reference():
    """By hand from clipscore.py: 2 * 0.75 * 0.6 / (0.75 + 0.6)."""
    found = reference_clip_score(np.array([0.75]), [np.array([0.1, 0.6, 0.4])])
    assert found.tolist() == pytest.approx([2 / 3])


def test_a_score_or_cosine_of_zero_gives_zero():
    scores = np.array([0.0, 0.5, 0.0, 0.5])
    near = [np.array([0.5]), np.array([-0.5]), np.array([0.0]), np.array([])]
    assert reference_clip_score(scores, near).tolist() == [0, 0, 0, 0]
