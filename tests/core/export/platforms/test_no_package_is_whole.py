"""No package of a platform, whole or forged, is taken for a verified result."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.export.platforms.codabench_bundle import check_codabench
from jurydesk.core.export.platforms.codabench_export import codabench_members
from jurydesk.core.export.platforms.configuration import verdict_json
from jurydesk.core.export.platforms.evalai_challenge import check_evalai
from jurydesk.core.export.platforms.evalai_export import evalai_members
from jurydesk.core.export.platforms.package_source import PackageSettings, reference_members
from support.files.packages import ENGINE, metric, vqa_source

METRICS = (metric("overall", "Accuracy"), metric("lower", "Errors", "lower"))
SETTINGS = PackageSettings(start=datetime(2026, 3, 1, 11, 59, tzinfo=UTC), terms="Be fair.")
PLATFORMS = {
    "codabench": (codabench_members, check_codabench, "competition.yaml"),
    "evalai": (evalai_members, check_evalai, "challenge_config.yaml"),
}


@pytest.fixture(params=PLATFORMS)
def package(request, tmp_path):
    make, check, configuration = PLATFORMS[request.param]
    source = vqa_source(tmp_path, METRICS)
    members = make(source, SETTINGS, ENGINE, reference_members(source, "T"))
    return members, check, configuration


def packed(members: Mapping[str, bytes], again: str = "") -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a repeated name on purpose
        for name, content in members.items():
            archive.writestr(name, content)
        if again:
            archive.writestr(again, members[again])
    return file.getvalue()


def forgeries(members: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the package, each of its files, and packages with each changed, removed, repeated."""
    yield "whole", packed(members)
    for name, content in members.items():
        yield name, content
        yield f"changed {name}", packed({**members, name: content[1:]})
        yield f"removed {name}", packed({key: one for key, one in members.items() if key != name})
        yield f"repeated {name}", packed(members, name)


def test_verify_takes_no_package_for_a_result(package, tmp_path, capsys):
    members, _, _ = package
    for what, content in forgeries(members):
        path = tmp_path / (Path(what).name if what in members else "package.zip")
        path.write_bytes(content)
        assert main(["verify", str(path), "--quiet"]) == 1, what
        assert capsys.readouterr().err, what


def test_the_platform_s_check_refuses_a_package_without_a_file_that_its_configuration_names(
    package, tmp_path
):
    members, check, configuration = package
    path = tmp_path / "package.zip"
    text = members[configuration].decode()
    for name in members:
        path.write_bytes(packed({key: one for key, one in members.items() if key != name}))
        found = verdict_json(check(path))
        assert found["accepted"] is not (name == configuration or name in text), name
