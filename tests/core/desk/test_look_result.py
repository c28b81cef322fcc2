"""The values of a row of the ledger have their types, whatever a stranger's desk holds."""

from __future__ import annotations

import pytest

from jurydesk.core.desk.look_result import require_row_values


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"number": "1", "team": "North"}, "number is a str"),
        ({"number": True, "team": "North"}, "number is a bool"),
        ({"number": 1.0, "team": "North"}, "number is a float"),
        ({"number": 1, "team": 2}, "team is a int"),
        ({"number": 1, "team": None}, "team is a NoneType"),
    ],
)
def test_a_row_with_a_value_of_another_type_is_refused(row, named):
    with pytest.raises(TypeError, match=named):
        require_row_values(row)


def test_a_sound_row_is_accepted():
    require_row_values({"number": 1, "team": "North"})
