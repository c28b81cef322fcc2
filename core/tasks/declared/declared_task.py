"""Task of competitions that a folder declares: columns, true values and metrics, without Python."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jurydesk.core.competition.rating_design import RatingDesign
from jurydesk.core.competition.redaction import Redaction, RedactionFact, items, require_texts, text
from jurydesk.core.competition.task import (
    GROUP,
    Input,
    PlainOptions,
    Presentation,
    Readers,
    Scoring,
    Sniff,
    Statistic,
    SubmissionChecks,
    Task,
    numbered_groups,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.text_file import text_head
from jurydesk.core.tasks.declared.declaration import (
    KINDS,
    MISSING,
    REFERENCES,
    Declaration,
    Kind,
    Missing,
    ResultColumn,
)
from jurydesk.core.tasks.declared.declaration_reader import declared_title
from jurydesk.core.tasks.declared.declared_evaluator import (
    answer_texts,
    declared_resources,
    evaluate_declared,
)
from jurydesk.core.tasks.declared.declared_tables import (
    DeclaredReferences,
    DeclaredResults,
    read_declared_references,
    read_declared_results,
)
from jurydesk.core.tasks.declared.measures import declare_measure
from jurydesk.core.tasks.table.table_evidence import (
    TableEvidence,
    attributes,
    explain_item,
    list_item,
    rated_text,
)

TEXTS = ("*.csv", "*.tsv", "*.json", "*.jsonl")
TABLES = (*TEXTS, "*.parquet")
INPUTS = (
    Input(
        "competition",
        "Competition",
        "reference",
        ("*.toml",),
        help="The file competition.toml, which declares columns and metrics.",
    ),
    Input(
        "references",
        "References",
        "reference",
        TABLES,
        help="A table with a row for each item and its true values.",
        names=tuple(f"{REFERENCES}{pattern[1:]}" for pattern in TABLES),
    ),
    Input(
        "results",
        "Results",
        "submission",
        TEXTS,
        many=True,
        help="Tables with a row for each item, one for each system: CSV or JSON.",
        names=TEXTS,
    ),
    Input(
        "images",
        "Images",
        "folder",
        (),
        required=False,
        help="A folder of the pictures that the references name; for display only.",
    ),
)
_METRICS = re.compile(rb"^[ \t]*\[\[[ \t]*metrics[ \t]*\]\][ \t\r]*(?:#.*)?$", re.MULTILINE)


def sniff(head: bytes) -> Sniff | None:
    """Recognize the declaration of a competition by its list of metrics."""
    found = text_head(head)
    if _METRICS.search(found) and not found.lstrip().startswith((b"{", b"<")):
        return Sniff("competition", 1.0, translatable("a declared competition"))
    return None


def redaction_facts(references: DeclaredReferences) -> tuple[RedactionFact, ...]:
    """Return the columns of results, and the names of the items."""
    count = counted(len(references.ids), "item")
    return (
        RedactionFact(
            "rules", "The columns of results with their kinds.", references.declared.rules()
        ),
        RedactionFact("items", fill("The names of the {items}.", count), list(references.ids)),
    )


def redacted_references(values: Mapping[str, Json]) -> DeclaredReferences:
    """Return the items and the columns, without true values and metrics."""
    rules = values["rules"]
    columns = [require_texts(one) for one in items(rules["columns"])]
    kinds: dict[str, Kind] = {one: one for one in KINDS}
    policies: dict[str, Missing] = {one: one for one in MISSING}
    missing = policies[text(rules["missing"])]
    known = tuple(ResultColumn(name, kinds[kind]) for name, kind in columns)
    declared = Declaration("", text(rules["item"]), known, (), missing)
    return DeclaredReferences(declared, "", require_texts(values["items"]))


REDACTION: Redaction[DeclaredReferences] = Redaction(
    redaction_facts, redacted_references, scripts=("result_table.js", "declared.js")
)

TASK: Task[PlainOptions, DeclaredReferences, DeclaredResults] = Task(
    id="declared",
    title="Competition of a folder",
    summary="Results in a table, scored by metrics that a text file chooses: no program is needed.",
    item_noun=("item", "items"),
    inputs=INPUTS,
    readers=Readers(
        read_references=lambda inputs, options, run: read_declared_references(inputs),
        read_submission=lambda path, known, options, run: read_declared_results(path, known),
        sniff=sniff,
        title=declared_title,
        load_evidence=TableEvidence.from_row,
    ),
    scoring=Scoring(
        metrics=(),
        evaluate=lambda known, results, options, run: evaluate_declared(known, results, run),
        metric_named=declare_measure,
        settings=lambda known, options: {"missing": known.declared.missing},
        resources=lambda known, options: declared_resources(known),
        libraries=("rapidfuzz", "snowballstemmer"),
        groups=numbered_groups,
    ),
    presentation=Presentation(
        example="declared",
        attributes=attributes,
        statistics={GROUP: Statistic("Group", "Number of the group, from its name.")},
        explain_item=explain_item,
        listed=list_item,
        rating=RatingDesign(entry=rated_text, folder_optional=True),
    ),
    submission_checks=SubmissionChecks(submission_texts=answer_texts, redaction=REDACTION),
)
