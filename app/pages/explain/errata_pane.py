"""Pane for new reference data: which systems move, whether significantly, and past errata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from jurydesk.app.pages.explain.explain_model import (
    changed_items,
    erratum_finding,
    score_change_columns,
)
from jurydesk.app.pages.explain.pane import ChangedItems, Pane, TableCard, offer
from jurydesk.app.state.reference_replacement import ReferenceReplacement
from jurydesk.app.tables.item_columns import add_doubt
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import button
from jurydesk.core.analysis.comparison.item_differences import change_table
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.workflow.errata.apply_errata import PreparedErratum, StampPairs
    from jurydesk.core.workflow.errata.erratum import Erratum, ProfileEffect

HINT = translatable(
    "Choose corrected reference data: every system is scored again, and you see "
    "the changes before anything is replaced."
)


class ErrataPane(Pane):
    """Controls above; changed systems, and changed items of the chosen one, below."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.prepared: PreparedErratum | None = None
        self._dropped: PreparedErratum | None = None
        """An erratum that was not applied, as long as the results are those it was made from."""
        self.shown: Erratum | None = None
        self.past_errata: list[Erratum] = []
        self._stamps: list[StampPairs] = []
        """Stamps of the past errata's results."""
        self.choose = button(translate("Choose new reference data …"), self.ask_for_files)
        self.replace = button(translate("Replace the reference data"), self.apply, "primary")
        self.drop = button(translate("Keep the old data"), self.forget)
        self.past, self.profiles = NameBox(translate("Errata")), NameBox(translate("Profile"))
        self.column.addLayout(
            FlowLayout(self.choose, self.replace, self.drop, self.past, self.profiles)
        )
        self.systems = TableCard(translate("Systems that moved"))
        self.column.addWidget(self.systems, 1)
        self.column.addWidget(self.items, 1)
        self.column.addStretch(0)
        self.past.activated.connect(self._choose_past)
        self.profiles.activated.connect(self._show_part)
        self.systems.table.current_row_changed.connect(self._show_items)
        self.items.table.opened.connect(self._open)
        self._show(None)

    def refresh(self) -> None:
        self.choose.setEnabled(bool(self.session.systems) and not self.session.read_only)
        self.load_past_errata()
        hint = translate(HINT if self.session.systems else "Score a system first.")
        self.say(self.finding or hint)

    @property
    def has_data(self) -> bool:
        """Whether new reference data are known: scored, applied before, or changed on disk."""
        if self.busy or self.prepared is not None or self.past_errata:
            return True
        session = self.session
        inputs = session.task.inputs if session.has_task else ()
        references = {one.role for one in inputs if one.kind == "reference"}
        return any(one.role in references and one.state == "changed" for one in session.files)

    def clear(self) -> None:
        """Discard the prepared erratum, because results have changed."""
        self.stop()
        is_filled = self.shown is not None or self.prepared is not None
        self.prepared = self._dropped = None
        self.finding = ""
        if is_filled:
            self._show(None)

    def ask_for_files(self) -> None:
        folder = str(self.workspace.settings.folder("open"))
        names, _ = QFileDialog.getOpenFileNames(self, translate("New reference data"), folder)
        if names:
            self.prepare([Path(name) for name in names])

    def prepare(self, paths: Sequence[Path]) -> None:
        """Score every system with these files and show the effect."""
        session = self.session
        self._show(None)
        self.say(translate("Every system is being scored with the new reference data."))
        self.start(
            translate("Scoring with new reference data"),
            score_with_references,
            session.desk,
            session.task,
            paths,
        )

    def apply(self) -> None:
        """Replace the old results by the new ones; this can be undone."""
        if self.prepared is not None:
            evaluator = self.workspace.evaluator
            ReferenceReplacement(evaluator, self.session, self.prepared).apply()

    def forget(self) -> None:
        """Keep the old data; undo shows the prepared erratum again."""
        if self.prepared is not None:
            self.workspace.evaluator.change(
                translate("keeping the old reference data"),
                translate("The old reference data are kept."),
                partial(self._drop, self.prepared),
                partial(self._offer_again, self.prepared),
            )

    def _drop(self, prepared: PreparedErratum) -> None:
        self.clear()
        self._dropped = prepared
        self.refresh()

    def _offer_again(self, prepared: PreparedErratum) -> None:
        if self._dropped is not prepared:
            self.say(translate("The results have changed since: choose the reference data again."))
            return
        self.clear()
        self.prepared = prepared
        self._show(prepared.erratum)

    def take(self, result: Any) -> None:
        """Show the effect."""
        self.prepared = result
        self._show(result.erratum)

    def load_past_errata(self) -> None:
        """Show the errata of the desk, unless another one is prepared."""
        if self.prepared is not None:
            return
        from jurydesk.core.workflow.errata.errata_record import load_stamped_errata

        found = load_stamped_errata(self.session.desk, self.session.task)
        self.past_errata = [one.erratum for one in reversed(found)]
        self._stamps = [one.stamps for one in reversed(found)]
        entries = [
            (translate("Errata of {created}", created=one.created[:10]), number)
            for number, one in enumerate(self.past_errata)
        ]
        offer(self.past, entries, 0)
        self._choose_past()

    def _choose_past(self) -> None:
        number = self.past.currentData()
        self._show(self.past_errata[number] if number is not None else None)

    def _show(self, erratum: Erratum | None) -> None:
        self.shown = erratum
        waiting = self.prepared is not None
        self.replace.setVisible(waiting)
        self.drop.setVisible(waiting)
        self.past.setVisible(not waiting and len(self.past_errata) > 1)
        parts = erratum.parts if erratum else ()
        offer(self.profiles, [(part.profile, n) for n, part in enumerate(parts)], 0)
        self.profiles.setVisible(len(parts) > 1)
        self.systems.setVisible(bool(parts))
        self.items.hide()
        self._show_part()
        self.changed.emit()

    def _chosen_part(self) -> ProfileEffect | None:
        number = self.profiles.currentData()
        if self.shown is None or number is None:
            return None
        part: ProfileEffect = self.shown.parts[number]
        return replace(part, metric=self.session.with_doubt(part.metric))

    def _show_part(self) -> None:
        part = self._chosen_part()
        if self.shown is not None:
            finding = erratum_finding(self.shown, part)
            waiting = translate("Not replaced yet.")
            finding = add_doubt(finding, None if part is None else part.metric)
            self.say(f"{waiting} {finding}" if self.prepared is not None else finding)
        if part is not None:
            self.systems.show_columns(score_change_columns(part), "system")
            self._show_items(0)

    def _show_items(self, row: int | None) -> None:
        part, task = self._chosen_part(), self.session.task
        if part is None or row is None or row >= len(part.systems):
            return
        one = part.systems[row]
        self.items.setVisible(bool(one.items))
        heads = (translatable("Before"), translatable("After"))
        columns = change_table(changed_items(one), task.item_noun[0], heads, part.metric)
        self.items.show_columns(columns, "item")

    def changed_items(self) -> ChangedItems | None:
        part, row = self._chosen_part(), self.systems.table.current_row
        if part is None or row is None:
            return None
        from jurydesk.core.workflow.errata.apply_errata import result_key

        one = part.systems[row]
        return ChangedItems(
            changed_items(one),
            part.metric.name,
            self._stamp_pairs().get(result_key(one.system, part.profile), (None,)),
            reference=True,
        )

    def _stamp_pairs(self) -> StampPairs:
        if self.prepared is not None:
            return self.prepared.stamp_pairs()
        number = self.past.currentData()
        return {} if number is None else self._stamps[number]

    def _open(self, row: int) -> None:
        part, place = self._chosen_part(), self.systems.table.current_row
        if part is not None and place is not None and self.prepared is None:
            one = part.systems[place]
            self.opened.emit(one.system, part.metric.name, one.items[row][0])


def score_with_references(
    desk: Desk, task: AnyTask, paths: Sequence[Path], run: Run
) -> PreparedErratum:
    """Score with these files, whose roles are detected from their content; return the effect."""
    from jurydesk.core.competition.examples import detect_role
    from jurydesk.core.model.evaluation import UsageError
    from jurydesk.core.workflow.errata.apply_errata import ReferenceErrors, prepare_erratum

    roles = [entry.role for entry in task.inputs if entry.kind == "reference"]
    found: dict[str, list[Path]] = {}
    for path in paths:
        role = roles[0] if len(roles) == 1 else detect_role(task, path)
        if role not in roles:
            raise UsageError(
                translate(
                    "{file} does not look like reference data of this competition.", file=path.name
                )
            )
        found.setdefault(role, []).append(path)
    try:
        return prepare_erratum(desk, task, found, run)
    except ReferenceErrors as refused:
        first, count = refused.defects[0], len(refused.defects)
        place = f"{translate_text(str(first.place))}: {translate_text(first.found)}"
        sentence = translate(
            "The new reference data have {defects}. The first: {place}",
            defects=quantity(count, "defect"),
            place=place,
        )
        raise UsageError(sentence) from refused
