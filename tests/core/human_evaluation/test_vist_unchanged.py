"""Plans and packets of VIST equal those of the version that rated only stories.

The digests were recorded from that program at the same seeds, with ids and secret counted up in
the place of random ones. Photos are compared by name: their bytes depend on Pillow's version.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import secrets
import zipfile

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design.planning import StudyRequest, plan_study
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tasks.vist.vist_task import TASK
from jurydesk.core.workflow.ratings import write_packets

EXAMPLE = resources_folder() / "examples" / "vist"
SUBMISSIONS = tuple(EXAMPLE / f"{name}.json" for name in ("storyteller", "labels", "happy"))
ORDERS = {
    "human": StudyRequest(
        SUBMISSIONS, 6, 4, 2, (EXAMPLE / "human-stories.json",), human=True,
        images=EXAMPLE / "images", seed=7,
    ),
    "alone": StudyRequest(SUBMISSIONS, 5, 3, 1, practice=2, attention=1, repeated=0.2, seed=7),
}  # fmt: skip
RECORDED = {
    "human": {
        "items": "a268aa52aee478ff4024c0be57a5caf4ac1448801ac4f84ed956e22c22b1486e",
        "questionnaire": "f118735e6fa93103b2f859e98d3a5a9804a5d4b9d6eda3da9892075f12672d5b",
        "names": "467565232ac24fd7ce0bdcd17a6074e9d742dd91acaa68548e04c99c01e190b3",
        "manifest": "f23c56dae8704774873dece3f8223ef79bc18c2744d612b7bf45c0b49551e643",
    },
    "alone": {
        "items": "aeb740c16b5c5ee7c759647333f6595bde7e26d24cf7b5cd7b8100022b8c0e74",
        "questionnaire": "5d58e1f0749dc047e91d8ac3309e8713f78b48d92ea763ae28fca6bc34948cba",
        "names": "7f4144805720b81711aa8725a5b2e4bdb986afe2073fa9914e2d4a3a24171422",
        "manifest": "4b0a1126bf8276392b1281037407e652edddbf4b5da5c048647b15b9b4b83b9b",
    },
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_plan_at_a_seed_gives_the_recorded_packets(name, tmp_path, monkeypatch):
    count = itertools.count(1)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(count):0{2 * size}x}")
    study = plan_study(ORDERS[name], TASK).data
    path = tmp_path / "study.jurydesk"
    with Desk.create(path) as desk:
        RatingStore(desk).set_study(study)
    packets = sorted(write_packets(path, tmp_path, False, "en", Run()).paths)
    found = dict.fromkeys(RECORDED[name], "")
    for path in packets:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read("manifest.json"))
            # What was added since, with the version number.
            assert re.fullmatch("[0-9a-f]{64}", manifest.pop("key"))
            assert manifest.pop("version") == 3
            manifest["version"] = 1
            parts = {
                "items": archive.read("items.json"),
                "questionnaire": archive.read("questionnaire.json"),
                "names": "\n".join(archive.namelist()).encode(),
                "manifest": json.dumps(
                    {**manifest, "files": sorted(manifest["files"])}, sort_keys=True
                ).encode(),
            }
        for part, content in parts.items():
            found[part] += hashlib.sha256(content).hexdigest()
    digests = {part: hashlib.sha256(text.encode()).hexdigest() for part, text in found.items()}
    assert digests == RECORDED[name]
