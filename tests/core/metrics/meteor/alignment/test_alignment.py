import json

from jurydesk.core.metrics.meteor import Alignment, profile


def test_an_alignment_is_written_to_json_and_read_back(compiled):
    for pair in (("the dogs ran home", "the dog runs to the house"), ("", "a")):
        alignment = compiled.align(*pair, profile("vist"))
        text = json.dumps(alignment.to_json(), allow_nan=False)
        again = Alignment.from_json(json.loads(text))
        assert again.to_json() == alignment.to_json()
        assert again.matches == alignment.matches


def test_chunks_are_numbered_in_the_order_of_the_reference(compiled):
    alignment = compiled.align("home again the dog ran", "the dog ran home again", profile("vist"))
    assert alignment.chunk_of_matches() == (0, 0, 0, 1, 1)
    assert alignment.chunks == 2


def test_words_are_those_of_the_prepared_text(compiled):
    alignment = compiled.align("The dog's home.", "A dog", profile("coco"))
    assert alignment.hypothesis == ("the", "dog", "'s", "home", ".")
    assert alignment.reference == ("a", "dog")
