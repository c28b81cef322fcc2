"""One image: its picture, what CIDEr counts most, and the caption over its references."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.exports import Export
from app.inspectors.captions.spans import shared_spans
from app.inspectors.captions.token_rows import TokenRow, TokenRows
from app.inspectors.inspector import InspectedItem, Inspector
from app.models.columns import NumberColumn, TextColumn
from app.plain import shown
from app.theme import px
from app.views.column import fill
from app.views.export import pictures
from app.views.images import pictures_in
from app.views.titled_pictures import Titled, TitledPictures
from app.widgets.parts import Card, spaced
from app.widgets.segments import Segments
from app.widgets.table import Table
from core.tasks.captions.evidence import CaptionEvidence, NGram
from core.tasks.captions.metrics import METRICS

PHOTOS = "photos"
"""The role of the folder with the pictures."""
MOST_GRAMS = 8
ROOMY = 820
LENGTHS = (0, 1, 2, 3)
"""Which n-grams are marked, by the order of the buttons; 0 marks the longest."""


class CaptionInspector(Inspector):
    """Shows a `CaptionEvidence`; Up and Down go through the n-grams, 1 to 3 mark one length."""

    least_width = 302

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.evidence: CaptionEvidence | None = None
        self.pictures = TitledPictures()
        self.metrics = Table(self.tr("Metrics"))
        self.grams = Table(self.tr("n-grams of CIDEr"))
        self.texts = TokenRows()
        self.lengths = Segments(self.tr("n-grams"))
        self._strongest: tuple[NGram, ...] = ()
        self._lay_out()
        self.grams.current_row_changed.connect(self._gram_changed)
        self.lengths.chosen.connect(lambda index: self._show_texts())

    def _lay_out(self) -> None:
        metrics, grams = Card(self.tr("Metrics")), Card(self.tr("What makes CIDEr"))
        metrics.body.addWidget(self.metrics)
        grams.body.addWidget(self.grams)
        for card in (metrics, grams):
            card.body.addStretch(1)
        self.metrics.growing, self.grams.growing = "metric", "gram"
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.addWidget(self.pictures, 0, Qt.AlignmentFlag.AlignTop)
        self._beside.addWidget(metrics, 1)
        self._beside.addWidget(grams, 1)
        spaced(self._beside, 16)
        texts = Card(self.tr("Caption and references"))
        texts.body.addWidget(self.lengths, 0, Qt.AlignmentFlag.AlignLeft)
        texts.body.addWidget(self.texts)
        self.lengths.show_words([self.tr("longest n-grams"), "1", "2", "3"])
        fill(self, self._beside, texts)
        self.metrics.keep_height(len(METRICS) - 1)
        self.grams.keep_height(MOST_GRAMS)
        self.setFocusProxy(self.grams)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, the cards are below each other."""
        super().resizeEvent(event)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._beside.setDirection(beside if self.width() >= px(ROOMY) else below)

    def show_item(self, item: InspectedItem) -> None:
        """Show another image."""
        evidence = item.evidence
        if not isinstance(evidence, CaptionEvidence):
            raise TypeError(f"the evidence of a caption is needed, not {type(evidence).__name__}")
        self.evidence = evidence
        self._show_picture(evidence, self.folder_of(item, PHOTOS))
        known = [metric for metric in METRICS if metric.name in item.values]
        values = np.array([item.values[metric.name] for metric in known], np.float64)
        self.metrics.table_model.show(
            (
                TextColumn("metric", "Metric", [metric.title for metric in known]),
                NumberColumn("value", "This image", values),
                TextColumn(
                    "reference", "Reference", [_decided(one.name, evidence) for one in known]
                ),
            )
        )
        self.metrics.fit_columns()
        self._show_grams(evidence)
        self._show_texts()

    def _show_picture(self, evidence: CaptionEvidence, folder: Path | None) -> None:
        stem = Path(evidence.file_name).stem
        found = pictures_in(folder) if folder is not None else {}
        path = found.get(stem, found.get(evidence.image))
        self.pictures.show_pictures([Titled(evidence.file_name or evidence.image, path)])
        self.pictures.setVisible(folder is not None)

    def _show_grams(self, evidence: CaptionEvidence) -> None:
        self._strongest = evidence.strongest(MOST_GRAMS)
        self.grams.set_current_row(None)
        self.texts.choose("")
        images = f"In how many of {evidence.images:,} images a reference has it"
        self.grams.table_model.show(
            (
                TextColumn("gram", "n-gram", [shown(one.text) for one in self._strongest]),
                NumberColumn(
                    "images",
                    "Images",
                    np.array([one.images for one in self._strongest], np.int64),
                    0,
                    images,
                ),
                NumberColumn(
                    "share",
                    "Adds",
                    np.array([one.share for one in self._strongest], np.float64),
                    3,
                    "What it adds to the image's CIDEr",
                ),
            )
        )
        self.grams.fit_columns()

    def _gram_changed(self, row: int | None) -> None:
        self.texts.choose("" if row is None else self._strongest[row].text)

    def _show_texts(self) -> None:
        evidence = self.evidence
        if evidence is None:
            return
        length = LENGTHS[max(self.lengths.index, 0)]
        own = evidence.words.split()
        human = [one.words.split() for one in evidence.references]
        spans = shared_spans(own, human, length)
        remark = f"{len(own)} words, as the tokenizer cuts them"
        rows = [TokenRow(self.tr("Caption"), remark, tuple(own), spans)]
        for number, words in enumerate(human):
            spans = shared_spans(words, [own], length)
            row = TokenRow(f"Reference {number + 1}", "", tuple(words), spans)
            said = [f"{row.shared} of {len(words)} shared", *_roles(number, evidence)]
            rows.append(TokenRow(row.title, " · ".join(said), row.words, spans))
        self.texts.show_rows(rows)

    # Keys, copies and files

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_N:
                self.grams.step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_P:
                self.grams.step(-1)
            case Qt.Key.Key_0 | Qt.Key.Key_1 | Qt.Key.Key_2 | Qt.Key.Key_3:
                self.lengths.choose(int(event.text()))
            case _:
                event.ignore()

    def copied(self, headers: bool) -> str:
        """Return the selected rows as tab-separated text, else the caption."""
        for table in (self.grams, self.metrics):
            if table.hasFocus():
                found = table.copied(headers=headers)
                return found if isinstance(found, str) else ""
        return self.evidence.text if self.evidence else ""

    def exports(self) -> Sequence[Export]:
        """Return the texts as a picture."""
        return pictures(self.texts, self.tr("Caption")) if self.evidence else ()


def _decided(metric: str, evidence: CaptionEvidence) -> str:
    """Return which reference decided a metric."""
    if metric.startswith("bleu_"):
        return f"{evidence.bleu + 1} (length)"
    if metric == "meteor":
        return f"{evidence.meteor + 1} (best)"
    if metric == "rouge_l":
        if evidence.rouge_precision == evidence.rouge_recall:
            return str(evidence.rouge_precision + 1)
        return f"{evidence.rouge_precision + 1} (P), {evidence.rouge_recall + 1} (R)"
    return "all" if metric == "cider" else ""


def _roles(number: int, evidence: CaptionEvidence) -> list[str]:
    """Return what a reference decided."""
    roles = (
        (evidence.bleu, "length of BLEU"),
        (evidence.meteor, "best METEOR"),
        (evidence.rouge_precision, "precision of ROUGE-L"),
        (evidence.rouge_recall, "recall of ROUGE-L"),
    )
    return [role for reference, role in roles if reference == number]


INSPECTOR = CaptionInspector
