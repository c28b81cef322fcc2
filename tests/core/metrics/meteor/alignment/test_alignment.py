from jurydesk.core.metrics.meteor import profile


def test_chunks_are_numbered_in_the_order_of_the_reference(compiled):
    alignment = compiled.align("home again the dog ran", "the dog ran home again", profile("vist"))
    assert alignment.chunk_of_matches() == (0, 0, 0, 1, 1)
    assert alignment.chunks == 2


def test_words_are_those_of_the_prepared_text(compiled):
    alignment = compiled.align("The dog's home.", "A dog", profile("coco"))
    assert alignment.hypothesis == ("the", "dog", "'s", "home", ".")
    assert alignment.reference == ("a", "dog")
