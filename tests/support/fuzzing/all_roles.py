"""All roles of the files of strangers, with those of joined tables and of sealed entries."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

from jurydesk.core.system.paths import config_folder
from jurydesk.core.workflow.entries.certificates import certificate_of, revocation_list, revoke
from jurydesk.core.workflow.entries.entry_review import ledger_key
from support.fuzzing.roles import (
    Arguments,
    Role,
    competition_roles,
    desk_roles,
    export_roles,
    job_roles,
    kit_roles,
    model_roles,
    other_inputs,
    platform_roles,
    rating_roles,
)
from support.plug_ins.wheels import make_wheel
from support.processes.quiet_program import run_quietly
from support.sealed_entries import Contest

RATINGS = """annotator,story,system,relevance,fluency,note
ann,s1,A,5,4,fine
ann,s1,B,2,1,
bob,s1,A,4,4,
bob,s1,B,1,2,so so
"""
RESULTS = "system,item,acc\n" + "".join(f"{one},q{n},{n % 2}\n" for one in "ab" for n in range(6))


def joined_roles(folder: Path) -> Iterator[Role]:
    """Yield tables that are joined to a desk: ratings and scores of other programs."""
    (folder / "joined").mkdir()
    results, desk = folder / "joined" / "results.csv", folder / "joined" / "one.jurydesk"
    results.write_text(RESULTS)
    run_quietly(["score", "table", "--results", str(results), "--desk", str(desk), "--quiet"])
    ratings = folder / "joined" / "ratings.csv"
    ratings.write_text(RATINGS)
    places = folder / "places"
    added = ["scores", "add", desk, "FILE"]
    imported = ["ratings", "import", "FILE", "--desk", folder / "joined" / "rated.jurydesk"]
    spice = folder / "joined" / "a.spice.json"
    spice.write_text('[{"image_id": "q1", "scores": {"All": {"f": 0.5, "pr": 1.0, "re": 0.3}}}]')
    sources = (folder / "joined" / "more.csv", spice)
    sources[0].write_text(RESULTS.replace("acc", "other"))
    yield Role("added scores", sources, places / "added", (added,))
    yield Role("imported ratings", (ratings,), places / "imported", (imported,))


def entry_roles(folder: Path) -> Iterator[Role]:
    """Yield sealed entries, certificates and lists of revocations, and wheels of add-ons."""
    (folder / "contest").mkdir()
    contest, places = Contest.make(folder / "contest"), folder / "places"
    shutil.copytree(folder / "contest" / "organiser", config_folder(), dirs_exist_ok=True)
    entry, certificate = contest.seal([1, 2, 3]), folder / "c.jurycert"
    (outcome,) = contest.open(contest.seal([2, 3, 4], name="seen"))
    assert outcome.look is not None
    certificate.write_bytes(certificate_of(outcome.look, contest.organiser))
    revoked = folder / "revoked.json"
    revoke(contest.desk, "key", ledger_key(contest.key("south").public), "stolen")
    revoked.write_bytes(revocation_list(contest.desk, contest.organiser))
    contest.desk.close()
    desk = contest.desk.path
    checks: list[Arguments] = [
        ["entry", "verify", "FILE"],
        ["entry", "ledger", desk, "FILE"],
        ["entry", "board", "FILE", "--out", folder / "public.html"],
    ]
    seen = ["entry", "open", desk, "FILE", "--dry-run"]
    yield Role("sealed entry", (entry,), places / "e.juryentry", (seen,))
    yield Role("certificate", (certificate,), places / "c.jurycert", tuple(checks))
    command = ["entry", "verify", certificate, "--revoked", "FILE"]
    yield Role("revocations", (revoked,), places / "r.json", (command,))
    points = "[jurydesk.tasks]\nx=thing:T"
    wheel = make_wheel(folder, {"thing/__init__.py": ""}, entry_points=points)
    install = ["addon", "install", places / "wheels", "--plug-in"]
    yield Role("wheel", (wheel,), places / "wheels", (install,))


def all_roles(folder: Path) -> list[Role]:
    """Make the sound files of all roles in a folder; return the roles."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            *competition_roles(folder),
            *other_inputs(folder),
            *platform_roles(folder),
            *desk_roles(folder),
            *rating_roles(folder),
            *kit_roles(folder),
            *export_roles(folder),
            *job_roles(folder),
            *model_roles(folder),
            *joined_roles(folder),
            *entry_roles(folder),
        ]
