"""Inspector of one image: picture, metrics with their terms, captions and references."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from jurydesk.app.inspectors.alignment.alignment_layout import WordFlow, flow
from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.titled_images import TitledPicture, TitledPictures
from jurydesk.app.plots.plot_export import picture_exports
from jurydesk.app.style.distinct_names import fit_names
from jurydesk.app.style.theme import HEADING, SMALL, TINY, colour, font, px
from jurydesk.app.style.visible_text import display_text, elide
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, across, set_spacing
from jurydesk.app.widgets.segments import Segments
from jurydesk.app.widgets.wrapped_view import WrappedView
from jurydesk.core.language import translatable, translate, translate_plural, translate_text
from jurydesk.core.model.evaluation import FloatArray, MetricInfo
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from jurydesk.core.tables.numbers import number, quantity
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence
from jurydesk.core.tasks.captions.captions_metrics import METRICS
from jurydesk.core.tasks.captions.captions_terms import Term, terms

LONGEST = 4


@dataclass(frozen=True, slots=True)
class SharedNgram:
    """N-gram shared with another text: first word and number of words."""

    start: int
    words: int

    def covers(self, place: int) -> bool:
        return self.start <= place < self.start + self.words


def grams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of a text."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def shared_spans(
    words: Sequence[str], others: Iterable[Sequence[str]], length: int = 0
) -> tuple[SharedNgram, ...]:
    """Return the n-grams of `words` that another text has, none overlapping, in their order.

    Longer n-grams are found first; a positive `length` restricts them to that length. An n-gram
    is shared at most as often as it occurs in one other text, as in BLEU.
    """
    texts = [list(other) for other in others]
    is_covered = [False] * len(words)
    found: list[SharedNgram] = []
    for n in (length,) if length else range(LONGEST, 0, -1):
        left: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            left |= grams(text, n)
        for span in found:
            for start in range(span.start, span.start + span.words - n + 1):
                left[tuple(words[start : start + n])] -= 1
        for start in range(len(words) - n + 1):
            gram = tuple(words[start : start + n])
            if left[gram] > 0 and not any(is_covered[start : start + n]):
                left[gram] -= 1
                is_covered[start : start + n] = [True] * n
                found.append(SharedNgram(start, n))
    return tuple(sorted(found, key=lambda span: span.start))


def occurrences(words: Sequence[str], gram: str) -> tuple[SharedNgram, ...]:
    """Return every occurrence of an n-gram, given as words joined by blanks."""
    wanted = gram.split()
    n = len(wanted)
    places = range(len(words) - n + 1) if n else range(0)
    return tuple(SharedNgram(i, n) for i in places if list(words[i : i + n]) == wanted)


MOST_WORDS = 400
"""Maximum number of words of a text that is drawn."""
LINE, HEAD, GAP, NUMBER = 32, 20, 6, 10
SAMPLE = 18
"""Length of a sample line in the legend."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """Text as words, with title, remark and shared n-grams."""

    title: str
    remark: str
    words: tuple[str, ...]
    spans: tuple[SharedNgram, ...]

    @property
    def shared(self) -> int:
        """Number of shared words."""
        return sum(span.words for span in self.spans)


class TokenLegend(WrappedView[WordFlow]):
    """Legend of the underlines and of grey words."""

    TEXTS = (
        translatable("shared n-gram with its n"),
        translatable("one shared word"),
        translatable("grey: not shared"),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Legend"), parent)
        self.setAccessibleDescription("; ".join(map(translate, self.TEXTS)))

    def set_in_lines(self, width: int) -> WordFlow:
        metrics = QFontMetricsF(font(SMALL))
        texts = tuple(map(translate, self.TEXTS))
        widths = [metrics.horizontalAdvance(text) + px(self._line(text)) for text in texts]
        return flow(texts, widths, width, px(2 * NUMBER))

    def height_of(self, placed: WordFlow) -> int:
        return placed.lines * px(HEAD)

    def _line(self, text: str) -> int:
        """Return the width of the sample line before a text; grey words have none."""
        return 0 if text == translate(self.TEXTS[-1]) else SAMPLE + GAP

    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        painter.setFont(font(SMALL))
        pens = (QPen(colour("accent"), px(3)), QPen(colour("muted"), px(1)), None)
        for word, text, pen in zip(
            self.place(self.width()).words, map(translate, self.TEXTS), pens, strict=True
        ):
            box = QRectF(word.left, word.line * px(HEAD), word.width, px(HEAD))
            if pen is not None:
                painter.setPen(pen)
                y = round(box.center().y()) + px(4)
                painter.drawLine(round(box.left()), y, round(box.left()) + px(SAMPLE), y)
            box.setLeft(box.left() + px(self._line(text)))
            painter.setPen(colour("muted"))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)


class TokenRows(WrappedView[tuple[WordFlow, ...]]):
    """Texts with shared n-grams underlined and numbered, single shared words by a thin line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Caption and references"), parent)
        self.rows: tuple[TokenRow, ...] = ()
        self.chosen = ""
        self.places: Mapping[str, Sequence[int]] = {}
        policy = self.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        self.setSizePolicy(policy)

    def show_rows(self, rows: Sequence[TokenRow]) -> None:
        self.rows = tuple(rows)
        self.setAccessibleDescription(" ".join(map(describe, self.rows)))
        self.lay_out()

    def choose(self, gram: str, places: Mapping[str, Sequence[int]] | None = None) -> None:
        """Tint all occurrences of an n-gram, or words by the title of their text."""
        self.chosen = gram
        self.places = places or {}
        self.update()

    def highlighted_spans(self, row: TokenRow) -> tuple[SharedNgram, ...]:
        """Return the tinted spans of a text."""
        words = (SharedNgram(place, 1) for place in self.places.get(row.title, ()))
        return (*occurrences(row.words, self.chosen), *words)

    @property
    def least_width(self) -> int:
        return px(240)

    def set_in_lines(self, width: int) -> tuple[WordFlow, ...]:
        return tuple(self._flow(row, width) for row in self.rows)

    def height_of(self, placed: tuple[WordFlow, ...]) -> int:
        return sum(px(HEAD) + one.lines * px(LINE) + px(GAP) for one in placed)

    def _flow(self, row: TokenRow, width: int) -> WordFlow:
        metrics = QFontMetricsF(font(HEADING))
        texts = [display_text(word) for word in row.words[:MOST_WORDS]]
        ends = {span.start + span.words - 1 for span in row.spans if span.words > 1}
        widths = [
            metrics.horizontalAdvance(text) + (px(NUMBER) if place in ends else 0)
            for place, text in enumerate(texts)
        ]
        return flow(texts, widths, width, px(GAP))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.least_width, self.sizeHint().height())

    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        top = 0
        bold = QFontMetricsF(font(SMALL, bold=True))
        names = [display_text(row.title) for row in self.rows]
        for row, name, placed in zip(self.rows, names, self.place(self.width()), strict=True):
            head = QRectF(0, top, self.width(), px(HEAD))
            painter.setFont(font(SMALL, bold=True))
            painter.setPen(colour("text"))
            middle = Qt.AlignmentFlag.AlignVCenter
            said = QFontMetricsF(font(SMALL)).horizontalAdvance(row.remark)
            room = head.width() - min(said + px(NUMBER), head.width() / 2)
            title = fit_names(names, bold.horizontalAdvance, room)[name]
            painter.drawText(head, middle | Qt.AlignmentFlag.AlignLeft, title)
            painter.setFont(font(SMALL))
            painter.setPen(colour("muted"))
            left = bold.horizontalAdvance(title)
            head.setLeft(left + px(NUMBER))
            remark = elide(
                QFontMetricsF(font(SMALL)), row.remark, Qt.TextElideMode.ElideRight, head.width()
            )
            painter.drawText(head, middle | Qt.AlignmentFlag.AlignRight, remark)
            top += px(HEAD)
            self._words(painter, row, placed, top)
            top += placed.lines * px(LINE) + px(GAP)

    def _words(self, painter: QPainter, row: TokenRow, placed: WordFlow, top: int) -> None:
        for span in self.highlighted_spans(row):
            for stretch in placed.stretches(span.start, span.words):
                y = top + stretch.line * px(LINE)
                box = QRectF(stretch.left, y, stretch.right - stretch.left, px(LINE - 6))
                painter.fillRect(box, colour("accent_soft"))
        shared = {place for s in row.spans for place in range(s.start, s.start + s.words)}
        for place, word in enumerate(placed.words):
            painter.setFont(font(HEADING))
            painter.setPen(colour("text" if place in shared else "muted"))
            box = QRectF(word.left, top + word.line * px(LINE), word.width, px(LINE - 8))
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, left, display_text(row.words[place]))
        for span in row.spans:
            self._underline(painter, span, placed, top)

    def _underline(self, painter: QPainter, span: SharedNgram, placed: WordFlow, top: int) -> None:
        stretches = placed.stretches(span.start, span.words)
        several = span.words > 1
        painter.setPen(QPen(colour("accent" if several else "muted"), px(3 if several else 1)))
        for stretch in stretches:
            y = top + (stretch.line + 1) * px(LINE) - px(6)
            painter.drawLine(round(stretch.left), y, round(stretch.right), y)
        if several and stretches:
            last = stretches[-1]
            painter.setFont(font(TINY))
            painter.setPen(colour("accent"))
            box = QRectF(last.right - px(NUMBER), top + last.line * px(LINE), px(NUMBER), px(LINE))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(span.words))


def describe(row: TokenRow) -> str:
    """Return a row as a sentence for screen readers."""
    shared = quantity(row.shared, "shared word")
    return f"{row.title}: {display_text(' '.join(row.words[:MOST_WORDS]))}. {shared}; {row.remark}."


PHOTOS = "photos"
"""Role of the folder with the pictures."""
MOST_TERMS = 8
"""Number of the largest terms that are listed."""
MOST_SYSTEMS = 8
CIDER = "cider"
ROOMY, MEDIUM = 780, 560
TOP_LEFT = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
ANYWHERE = Qt.AlignmentFlag(0)
MEAN = translatable(
    "Mean of all images. A system's BLEU and METEOR are not means and differ from it."
)
PARTS = (
    translatable("Precision"),
    translatable("Recall"),
    translatable("Penalty"),
    translatable("Length"),
)
"""Titles of parts of metrics among the titles of terms, which are also n-grams of captions."""
HEADS = {
    CIDER: (translatable("n-gram"), translatable("Rarity"), translatable("Contribution")),
    "meteor": (translatable("Part or match"), translatable("Kind"), translatable("Weight")),
    "": (translatable("Part or n-gram"), translatable("Kind"), translatable("Value")),
}
"""Column titles of a metric's terms."""
LEAST_TERM = 110
MOST_ROWS = 99
"""More rows than the tables have, which do not scroll."""
LENGTHS = (0, 1, 2, 3)
"""Length of the marked n-grams, by button; 0 means the longest."""


class CaptionInspector(Inspector):
    """Inspector of a `CaptionEvidence`; the current metric's terms are listed.

    Up and Down choose a term, M a metric; 1 to 3 mark n-grams of one length.
    """

    guide_part = translatable("Captions")

    least_width = 302
    wants_others = True

    def __init__(self) -> None:
        super().__init__()
        self.evidence: CaptionEvidence | None = None
        self.pictures = TitledPictures()
        self.metrics = Table(translate("Metrics"))
        self.terms = Table(translate("Terms of the metric"))
        self.legend = TokenLegend()
        self.texts = TokenRows()
        self.lengths = Segments(translate("n-grams"))
        self.chosen_metric = CIDER
        self._known: tuple[MetricInfo, ...] = ()
        self._terms: tuple[Term, ...] = ()
        self._item: InspectedItem | None = None
        self._others: Mapping[str, InspectedItem] = {}
        self._arrangement: tuple[list[QWidget], list[QWidget]] = ([], [])
        self._lay_out()
        self.terms.current_row_changed.connect(self._term_changed)
        self.metrics.current_row_changed.connect(self._metric_changed)
        self.lengths.chosen.connect(lambda index: self._show_texts())

    def _lay_out(self) -> None:
        metrics, terms = Card(translate("Metrics")), Card(translate("Terms"))
        metrics.body.addWidget(self.metrics)
        terms.body.addWidget(self.terms)
        for card in (metrics, terms):
            card.body.addStretch(1)
        self._terms_title = terms.title
        self.metrics.growing, self.terms.growing = ("metric",), ("term",)
        self.terms.least = {"term": LEAST_TERM}
        self.metrics.dropped, self.terms.dropped = ("reference",), ("working",)
        self._numbers, self._texts = QWidget(), Card(translate("Caption and references"))
        self._tables = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._numbers)
        self._tables.addWidget(metrics, 4)
        self._tables.addWidget(terms, 4)
        self._beside, self._below = QHBoxLayout(), QVBoxLayout()
        for layout in (self._tables, self._beside, self._below):
            set_spacing(layout, 16)
        self._texts.body.addWidget(self.lengths, 0, Qt.AlignmentFlag.AlignLeft)
        self._texts.body.addWidget(self.texts)
        self._texts.body.addWidget(self.legend)
        self.lengths.show_words([translate("longest n-grams"), "1", "2", "3"])
        fill_view(self, self._beside, self._below)
        self._arrange()
        self.metrics.most_rows = self.terms.most_rows = MOST_ROWS
        self.setFocusProxy(self.terms)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(px(self.least_width), super().minimumSizeHint().height())

    def _arrange(self) -> None:
        """Place the numbers beside the picture; with less room the texts; with little, nothing."""
        roomy, medium = self.width() >= px(ROOMY), self.width() >= px(MEDIUM)
        below: list[QWidget] = [self._texts] if roomy else [self._numbers]
        beside: list[QWidget] = [self.pictures, self._numbers if roomy else self._texts]
        if not medium:
            beside, below = [], [self._texts, self.pictures, self._numbers]
        arrangement = (beside, below)
        if arrangement == self._arrangement:
            return
        self._arrangement = arrangement
        across(self._tables, roomy)
        for layout, widgets in zip((self._beside, self._below), arrangement, strict=True):
            for widget in widgets:
                layout.addWidget(widget, int(widget is not self.pictures))
                layout.setAlignment(widget, TOP_LEFT if widget is self.pictures else ANYWHERE)

    def show_item(self, item: InspectedItem) -> None:
        evidence = item.evidence
        if not isinstance(evidence, CaptionEvidence):
            raise TypeError(f"expected the evidence of a caption, got {type(evidence).__name__}")
        self.evidence, self._item, self._others = evidence, item, {}
        self._show_picture(evidence, self.folder_of(item, PHOTOS))
        self._show_metrics(item, evidence)
        self._show_terms()
        self._show_texts()

    def show_others(self, others: Mapping[str, InspectedItem]) -> None:
        """Show other systems' captions of the image below the references."""
        self._others = others
        self._show_texts()

    def _show_metrics(self, item: InspectedItem, evidence: CaptionEvidence) -> None:
        known = self._known = tuple(one for one in METRICS if one.name in item.values)
        values = np.array([item.values[metric.name] for metric in known], np.float64)
        means = np.array([_mean(item.columns.get(metric.name)) for metric in known], np.float64)
        self.metrics.table_model.show(
            (
                TextColumn("metric", translatable("Metric"), [metric.title for metric in known]),
                NumberColumn("value", translatable("This image"), values),
                NumberColumn(
                    "mean", translatable("Mean"), means, tooltip=MEAN, paint=lambda row: "muted"
                ),
                TextColumn(
                    "reference",
                    translatable("Reference"),
                    [_deciding_reference(one.name, evidence) for one in known],
                ),
            )
        )

    def _show_picture(self, evidence: CaptionEvidence, folder: Path | None) -> None:
        found = PictureFolder(folder)
        path = found.find(evidence.file_name) or found.find(evidence.image)
        self.pictures.show_pictures([TitledPicture(evidence.file_name or evidence.image, path)])
        self.pictures.setVisible(folder is not None)

    def _metric_changed(self, row: int | None) -> None:
        if row is not None and self._known[row].name != self.chosen_metric:
            self.chosen_metric = self._known[row].name
            self._show_terms()
            self._show_texts()

    def _show_terms(self) -> None:
        """Show the terms of the chosen metric, or of another one if the image lacks it."""
        item, evidence = self._item, self.evidence
        if item is None or evidence is None or not self._known:
            return
        chosen = next(
            (one for one in self._known if one.name == self.chosen_metric), self._known[-1]
        )
        self.chosen_metric = chosen.name
        self.metrics.set_current_row(self._known.index(chosen))
        self._terms = terms(chosen.name, evidence, item.values, MOST_TERMS)
        self._terms_title.setText(
            translate(
                "Terms of {title} {value}",
                title=translate_text(chosen.title),
                value=number(item.values[chosen.name], 3),
            )
        )
        self.terms.set_current_row(None)
        self.texts.choose("")
        heads = HEADS.get(chosen.name, HEADS[""])
        values = np.array([one.value for one in self._terms], np.float64)
        self.terms.table_model.show(
            (
                TextColumn(
                    "term",
                    heads[0],
                    [display_text(_term_title(one.title)) for one in self._terms],
                ),
                TextColumn(
                    "working",
                    heads[1],
                    [display_text(translate_text(one.working)) for one in self._terms],
                ),
                NumberColumn("value", heads[2], values, decimals=3),
            )
        )

    def _term_changed(self, row: int | None) -> None:
        if row is None:
            self.texts.choose("")
            return
        term, places = self._terms[row], self._terms[row].places or {}
        self.texts.choose(term.gram, {self._title(text): words for text, words in places.items()})

    def _title(self, text: int) -> str:
        if text < 0:
            return translate("Caption")
        return translate("Reference {number}", number=text + 1)

    def _show_texts(self) -> None:
        evidence = self.evidence
        if evidence is None:
            return
        length = LENGTHS[max(self.lengths.index, 0)]
        own = evidence.words.split()
        human = [one.words.split() for one in evidence.references]
        spans = shared_spans(own, human, length)
        remark = translate_plural(
            "{count} word after tokenization", "{count} words after tokenization", len(own)
        )
        rows = [TokenRow(self._title(-1), remark, tuple(own), spans)]
        for place, words in enumerate(human):
            spans = shared_spans(words, [own], length)
            row = TokenRow(self._title(place), "", tuple(words), spans)
            said = [
                translate("{shared} of {total} shared", shared=row.shared, total=len(words)),
                *_roles(place, evidence),
            ]
            rows.append(TokenRow(row.title, " · ".join(said), row.words, spans))
        for system, other in list(self._others.items())[:MOST_SYSTEMS]:
            rows += self._other_rows(system, other, human, length)
        self.texts.show_rows(rows)

    def _other_rows(
        self, system: str, other: InspectedItem, human: Sequence[Sequence[str]], length: int
    ) -> Iterator[TokenRow]:
        """Yield another system's caption with its value of the chosen metric."""
        if isinstance(other.evidence, CaptionEvidence):
            words = tuple(other.evidence.words.split())
            values = [
                f"{one.title} {number(other.values[one.name], 3)}"
                for one in self._known
                if one.name == self.chosen_metric and one.name in other.values
            ]
            said = " · ".join([*values, quantity(len(words), "word")])
            yield TokenRow(system, said, words, shared_spans(words, human, length))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_N:
                self.terms.step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_P:
                self.terms.step(-1)
            case Qt.Key.Key_M if self._known:
                names = [one.name for one in self._known]
                self._metric_changed((names.index(self.chosen_metric) + 1) % len(names))
            case Qt.Key.Key_0 | Qt.Key.Key_1 | Qt.Key.Key_2 | Qt.Key.Key_3:
                self.lengths.choose(int(event.text()))
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected rows as tab-separated text, else the caption."""
        for table in (self.terms, self.metrics):
            if table.hasFocus():
                found = table.selection_text(headers=headers)
                return found if isinstance(found, str) else ""
        return self.evidence.text if self.evidence else ""

    def exports(self) -> Sequence[Export]:
        return picture_exports(self.texts, translate("Caption")) if self.evidence else ()


def _mean(scores: FloatArray | None) -> float:
    """Return the mean of the images that have a score; NaN without any."""
    found = np.array([]) if scores is None else scores[~np.isnan(scores)]
    return float(found.mean()) if len(found) else math.nan


def _deciding_reference(metric: str, evidence: CaptionEvidence) -> str:
    if metric.startswith("bleu_"):
        return translate("{value} (length)", value=evidence.bleu + 1)
    if metric == "meteor":
        return translate("{value} (best)", value=evidence.meteor + 1)
    if metric == "rouge_l":
        if evidence.rouge_precision == evidence.rouge_recall:
            return str(evidence.rouge_precision + 1)
        return translate(
            "{value} (P), {value2} (R)",
            value=evidence.rouge_precision + 1,
            value2=evidence.rouge_recall + 1,
        )
    return translate("{value} (most)", value=evidence.cider + 1) if metric == CIDER else ""


def _term_title(title: str) -> str:
    """Return the title of a part in the language of the window; n-grams are the user's words."""
    is_part = title in PARTS or re.fullmatch(r"\d-grams", title)
    return translate_text(title) if is_part else title


def _roles(number: int, evidence: CaptionEvidence) -> list[str]:
    precision, recall = evidence.rouge_precision, evidence.rouge_recall
    roles = (
        (evidence.bleu, translate("length of BLEU")),
        (evidence.meteor, translate("best METEOR")),
        *(
            [(precision, "ROUGE-L")]
            if precision == recall
            else [
                (precision, translate("precision of ROUGE-L")),
                (recall, translate("recall of ROUGE-L")),
            ]
        ),
        (evidence.cider, translate("most of CIDEr")),
    )
    return [role for reference, role in roles if reference == number]


INSPECTOR = CaptionInspector
