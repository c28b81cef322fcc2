import pytest

from jurydesk.core.metrics.meteor.language_data.wordnet import base_form

KNOWN = {"dog", "box", "church", "woman", "fly", "bake", "run", "fast", "s"}


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("dogs", "dog"),
        ("boxes", "box"),
        ("churches", "church"),
        ("women", "woman"),
        ("flies", "fly"),
        ("baked", "bake"),
        ("baking", "bake"),
        ("faster", "fast"),
        ("fastest", "fast"),
        ("cats", ""),
        ("grass", "grass"),
        ("is", "is"),
    ],
)
def test_the_first_known_base_form_is_used(word: str, base: str):
    assert base_form(word, KNOWN.__contains__) == base
