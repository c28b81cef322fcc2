"""Task declaration of tables of results, whose scores another program computed."""

from __future__ import annotations

from jurydesk.core.competition.rating_design import RatingDesign
from jurydesk.core.competition.task import (
    GROUP,
    Input,
    Presentation,
    Readers,
    Scoring,
    Sniff,
    Statistic,
    Task,
    numbered_groups,
)
from jurydesk.core.language import translatable
from jurydesk.core.readers.foreign_tables.table_signature import is_results_table, names_systems
from jurydesk.core.readers.text_file import text_head
from jurydesk.core.tasks.table.score_kinds import WEIGHT
from jurydesk.core.tasks.table.table_evaluator import evaluate
from jurydesk.core.tasks.table.table_evidence import (
    TableEvidence,
    attributes,
    explain_item,
    list_item,
    rated_text,
)
from jurydesk.core.tasks.table.table_options import PUBLISHED, TableOptions, policies
from jurydesk.core.tasks.table.table_reader import (
    ItemFacts,
    TableSystem,
    read_items,
    read_results_table,
)

FILES = ("*.csv", "*.tsv", "*.txt", "*.json", "*.jsonl", "*.parquet", "*.gz")
INPUTS = (
    Input(
        "results",
        "Results",
        "submission",
        FILES,
        many=True,
        help="Tables with systems, items and scores: CSV, TSV, JSON, JSON Lines or Parquet; one "
        "file of all systems or several.",
    ),
    Input(
        "references",
        "Items",
        "reference",
        FILES,
        required=False,
        help="A table of the items that count, with their groups, weights, slices and texts.",
    ),
    Input(
        "images",
        "Images",
        "folder",
        (),
        required=False,
        help="A folder of the pictures that the tables name; for display only.",
    ),
)
TABLE = translatable("a table of results")


def sniff(head: bytes) -> Sniff | None:
    """Recognize a table with columns of items and scores, or a known program's results."""
    text = text_head(head)
    if not is_results_table(text):
        return None
    # Three columns may also be distances of images, of which no header names systems.
    return Sniff("results", 0.95 if names_systems(text) else 0.6, TABLE)


TASK: Task[TableOptions, ItemFacts, TableSystem] = Task(
    id="table",
    title="Table of results",
    summary="Scores that another program computed, of any systems and items, from a table.",
    item_noun=("item", "items"),
    inputs=INPUTS,
    readers=Readers(
        read_references=lambda inputs, options, run: read_items(inputs, options),
        read_submission=lambda path, known, options, run: read_results_table(path, known, options),
        sniff=sniff,
        load_evidence=TableEvidence.from_row,
    ),
    scoring=Scoring(
        options=TableOptions,
        profiles=(PUBLISHED,),
        metrics=(),
        evaluate=lambda known, system, options, run: evaluate(system, options),
        settings=lambda known, options: {"missing": options.missing},
        policies=policies,
        groups=numbered_groups,
        group_noun=("group", "groups"),
    ),
    presentation=Presentation(
        example="table",
        attributes=attributes,
        statistics={
            WEIGHT: Statistic("Weight", "Weight of the item."),
            GROUP: Statistic("Group", "Number of the group, from its name."),
        },
        explain_item=explain_item,
        listed=list_item,
        rating=RatingDesign(entry=rated_text, folder_optional=True),
    ),
)
