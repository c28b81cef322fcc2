"""Other spellings of ids."""

import pytest

from jurydesk.core.readers.id_spellings import KnownIds, parse_number_id

OF_A_SHEET = ["4017.0", "4017,00", '="4017"', "'4017", "'4017'", " 4017 ", "004017"]


@pytest.mark.parametrize("text", [*OF_A_SHEET, "val/4017.jpg", 4017.0, "COCO_val_000000004017"])
def test_an_id_of_a_spreadsheet_or_a_file_name_means_one_known_id(text):
    assert KnownIds([(4017, (4017,)), (17, (17,))]).find(text) == 4017
    assert KnownIds([("4017", ("4017",)), ("17", ("17",))]).find(text) == "4017"


def test_an_id_that_could_be_two_is_none():
    known = KnownIds([(1, (1,)), ("01", ("01",)), (5, (5, "farm.jpg")), (6, (6, "farm.jpg"))])
    assert (known.find("1.0"), known.find("01"), known.find("farm")) == (None, None, None)


@pytest.mark.parametrize("value", [*OF_A_SHEET, 4017, "VisDial_val2018_000000004017.jpg"])
def test_a_number_is_read_from_every_spelling(value):
    assert parse_number_id(value) == 4017


@pytest.mark.parametrize("value", ["4017.5", "-4017", "x4017", "", True, None, [4017], "4 017"])
def test_what_may_be_another_number_is_none(value):
    assert parse_number_id(value) is None
