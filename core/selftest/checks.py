"""Self-test: run of all checks, and the record of their outcomes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.code_digest import code_digest
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.stamp import library_versions, utc_now
from jurydesk.core.selftest.check import Check
from jurydesk.core.version import __version__


def run_checks(
    on_part: Callable[[str], None] = lambda title: None, device: str = "auto"
) -> list[Check]:
    """Run all checks; `on_part` is called with the title of each part, networks use the device.

    Raises DeviceError for a device that is not there.
    """
    from jurydesk.core.selftest.installation import installation_checks
    from jurydesk.core.selftest.networks import network_checks
    from jurydesk.core.selftest.numbers import number_checks

    checks: list[Check] = []
    parts: dict[str, Callable[[], Iterable[Check]]] = {
        translatable("files of the installation"): installation_checks,
        translatable("recorded numbers"): number_checks,
        translatable("networks"): partial(network_checks, device),
    }
    for title, part in parts.items():
        on_part(title)
        checks += part()
    return checks


def record(checks: Sequence[Check]) -> Json:
    """Return the checks as a document; its `sha256` covers checks, versions and code.

    `code` is by competition, as in the stamps of scores: a stamp with the same code and versions
    was made by what was examined here.
    """
    content = {
        "jurydesk": __version__,
        "code": {name: code_digest(task) for name, task in registry().tasks.items()},
        "versions": library_versions(("scipy", "polars", "torch")),
        "checks": [asdict(one) for one in checks],
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"schema": 1, "created": utc_now(), "sha256": digest, **content}
