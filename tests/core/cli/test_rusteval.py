from __future__ import annotations

import json

import pytest
from golden import oracle

FOLDER = "keyword_spotting/icfhr"


def cases():
    """What rusteval 0.5.0 printed, where it scored the files and we do not refuse them."""
    for case in json.loads(oracle(f"{FOLDER}/cases.json").read_text("utf-8")):
        own = oracle(f"{FOLDER}/{case['name']}.gt.xml").exists()
        if own and case["rusteval"] and not case["is_refused"]:
            yield pytest.param(case, id=case["name"])


@pytest.mark.parametrize("case", list(cases()))
def test_the_table_has_the_numbers_that_rusteval_printed(jurydesk, case):
    name = case["name"]
    outcome = jurydesk(
        "rusteval", oracle(f"{FOLDER}/{name}.gt.xml"), oracle(f"{FOLDER}/{name}.res.xml")
    )
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    columns = lines[0].split()
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:-4]}
    rows["mean"] = lines[-1].split()
    printed = {**case["rusteval"], "mean": case["rusteval_mean"]}
    for query, values in printed.items():
        found = dict(zip(columns, map(float, rows[query]), strict=True))
        assert found == pytest.approx(values, abs=1.1e-5)


def test_the_layout_is_that_of_rusteval(jurydesk):
    name = "random_1"
    outcome = jurydesk(
        "rusteval", oracle(f"{FOLDER}/{name}.gt.xml"), oracle(f"{FOLDER}/{name}.res.xml")
    )
    lines = outcome.out.splitlines()
    assert lines[0] == "\t\tprecAt5         precAt10        ap              "
    assert lines[1] == lines[-2] == "=" * 71
    assert lines[-4] == "-" * 72
    assert lines[-3] == "MEAN:\t\tprecAt5         precAt10        ap              "
    assert lines[-1].startswith("\t\t")
    assert lines[-1].endswith("\t\t")
    assert all(line.count("\t\t") == 3 for line in lines[2:-4])
