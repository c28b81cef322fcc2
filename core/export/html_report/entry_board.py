"""Public board of certificates of sealed entries: a page that loads and sends nothing.

The desk stays at home: the page has what the certificates tell, and no more. A script checks the
signature of each, and that its row says what was signed; without scripts the board is whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from jurydesk.core.export.html_report.certificate_page import (
    BOARD_SCRIPT,
    SIGNED_SCRIPTS,
    sealed_page_part,
)
from jurydesk.core.export.html_report.inline_page import data_element, page_head, script_elements
from jurydesk.core.language import current_language, fill, translatable, translate, translate_text
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.look_alikes import look_alike_warnings
from jurydesk.core.sealed.certificate import Certificate, CertifiedScore
from jurydesk.core.sealed.public_keys import key_words
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tables.columns import Column, TextColumn
from jurydesk.core.tables.html_table import html_table

STYLE = "board.css"
SEVERAL = translatable("The certificates are of several competitions: make a board of each.")
COMPARED = {
    "better": translatable("better than {system}"),
    "worse": translatable("worse than {system}"),
    "not significant": translatable("no significant difference from {system}"),
}
"""The comparison with the nearest published system in words."""


@dataclass(frozen=True, slots=True)
class EntryBoard:
    """Certificates with valid signatures of one organiser."""

    certificates: tuple[Certificate, ...]

    @property
    def rows(self) -> list[Certificate]:
        """Certificates of looks that count, by place, then by team and number."""
        counting = [one for one in self.certificates if one.counts]
        return sorted({one.sha256: one for one in counting}.values(), key=_order)

    @property
    def others(self) -> int:
        """Number of certificates of looks that were no new best."""
        return sum(not one.counts for one in self.certificates)


def _order(one: Certificate) -> tuple[int, str, int]:
    place = whole_number(one.rank.place.partition("-")[0])
    return 10**9 if place is None else place, one.team.casefold(), one.ledger.number


def certified_columns(rows: Sequence[Certificate]) -> list[Column]:
    """Return the columns of the board; scores are the texts that were signed."""
    metrics = _metrics(rows)
    return [
        _column("team", translate("team"), [one.team for one in rows]),
        _column("rank", translate("rank"), [_rank(one) for one in rows]),
        *(_column(name, name, [_score(one.scores, name) for one in rows]) for name in metrics),
        _column("nearest", translate("nearest published system"), [_nearest(one) for one in rows]),
        _column("look", translate("look"), [_look(one) for one in rows]),
        _column("time", translate("time"), [one.issued for one in rows]),
        _column("entry", translate("entry"), [one.entry[:16] for one in rows]),
        _column("remark", translate("remark"), [_remark(one) for one in rows]),
    ]


def _metrics(rows: Sequence[Certificate]) -> list[str]:
    return [*dict.fromkeys(score.metric for one in rows for score in one.scores)]


def _column(name: str, title: str, values: Sequence[str]) -> TextColumn:
    return TextColumn(name, str(title), [str(one) for one in values])


def _rank(one: Certificate) -> str:
    if not one.rank.place:
        return "–"
    return translate("{place} of {of}", place=one.rank.place.replace("-", "–"), of=one.rank.of)


def _score(scores: Sequence[CertifiedScore], name: str) -> str:
    found = next((one for one in scores if one.metric == name), None)
    if found is None:
        return "–"
    return f"{found.value} [{found.low}, {found.high}]" if found.low else found.value


def _nearest(one: Certificate) -> str:
    template = COMPARED.get(one.rank.compared)
    if template is None:
        return one.rank.nearest or "–"
    return translate_text(template.format(system=one.rank.nearest))


def _look(one: Certificate) -> str:
    looks, budget = one.ledger.looks, one.ledger.budget
    return translate("{look} of {budget}", look=looks, budget=budget) if budget else str(looks)


def _remark(one: Certificate) -> str:
    return translate("beyond the policy: {reason}", reason=one.overruled) if one.overruled else ""


def entry_board_page(board: EntryBoard) -> bytes:
    """Return the page, in the language of the program."""
    rows = board.rows
    first = board.certificates[0]
    title = first.competition
    sentences = [
        translate("Scores of entries after the deadline, as the organiser certified them."),
        translate(
            "Organiser's key: {key} ({words}).",
            key=first.organiser_text,
            words=key_words(first.organiser),
        ),
    ]
    if board.others:
        note = fill("{count} looks were no new best and are not listed.", board.others)
        sentences.append(translate_text(note))
    kits = {one.reference for one in rows}
    if len(kits) > 1:
        note = fill("The entries are of {count} kits: reference data may differ.", len(kits))
        sentences.append(translate_text(note))
    sentences += map(translate_text, look_alike_warnings([one.team for one in rows]))
    style = (resources_folder() / "web" / "report" / STYLE).read_text(encoding="utf-8")
    scripts = [*map(sealed_page_part, (*SIGNED_SCRIPTS, BOARD_SCRIPT))]
    table = html_table(certified_columns(rows), title) if rows else ""
    paragraphs = "".join(f"<p>{escape(one)}</p>\n" for one in sentences)
    page = (
        f'<!DOCTYPE html>\n<html lang="{current_language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{page_head(scripts, style)}\n<title>{escape(title)}</title>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{paragraphs}<div>{table}</div>\n</main>\n"
        f"{data_element('board', _script_data(rows))}\n{script_elements(scripts)}\n"
        f"</body>\n</html>\n"
    )
    return page.encode("utf-8", "replace")


def _script_data(rows: Sequence[Certificate]) -> Json:
    """Return what the script compares the rows with, and its sentences."""
    says = {
        "head": translate("signature"),
        "valid": translate("valid, and this row is what was signed"),
        "invalid": translate("not valid: do not trust this row"),
        "unsupported": translate("not checked: open the page from a file or by https"),
    }
    return {
        "metrics": _metrics(rows),
        "key": rows[0].document["key"] if rows else "",
        "certificates": [one.document for one in rows],
        "says": {name: str(one) for name, one in says.items()},
    }
