"""Check of a published program on the Check page: outcome, sentence, files that fail."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.widgets.parts import label, row_layout, set_spacing
from jurydesk.core.language import name_list, translatable, translate, translate_text
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.tables.numbers import count
from jurydesk.core.workflow.published_checks import PublishedCheck

MARKS = {
    "passed": ("✓", "good"),
    "failed": ("✗", "bad"),
    "unknown": ("?", "muted"),
    "not reached": ("–", "muted"),
}
"""Symbol and tone of an outcome."""
OUTCOMES = {
    "passed": translatable("passed"),
    "failed": translatable("failed"),
    "unknown": translatable("not checked"),
    "not reached": translatable("not reached"),
}


class PublishedCheckRow(QWidget):
    """Check of the published program: outcome, sentence, and the files that failed."""

    def __init__(self, check: PublishedCheck) -> None:
        super().__init__()
        symbol, tone = MARKS[check.outcome]
        mark = label(f"{symbol} {translate(OUTCOMES[check.outcome])}", tone)
        gone = [path for path, _ in check.unknown]
        known = (*check.passed, *check.failed, *check.not_reached, *gone)
        names = distinct_names(set(map(str, known)))
        sentence = translate_text(check.sentence)
        parts = [sentence if sentence.endswith(".") else f"{sentence}."]
        if check.failed:
            failed = name_list([names[str(path)] for path in check.failed])
            parts.append(translate("Failed: {names}.", names=translate_text(failed)))
        if check.not_reached:
            others = name_list([names[str(path)] for path in check.not_reached])
            parts.append(translate("Not reached: {names}.", names=translate_text(others)))
        if check.unknown:
            unknown_names = name_list([names[str(path)] for path, _ in check.unknown])
            parts.append(
                translate(
                    "Not checked: {names}. {reason}",
                    names=translate_text(unknown_names),
                    reason=translate_text(check.unknown[0][1]),
                )
            )
        text = label(" ".join(parts), "small", wrap=True)
        self.setAccessibleName(f"{translate(OUTCOMES[check.outcome])}: {' '.join(parts)}")
        whole = len(known)
        passed = translate("{part} of {whole}", part=count(len(check.passed)), whole=count(whole))
        share = label(passed, "small")
        share.setToolTip(translate("Submissions that pass"))
        column = QVBoxLayout(self)
        set_spacing(column, 2)
        column.addLayout(row_layout(mark, None, share))
        column.addWidget(text)
