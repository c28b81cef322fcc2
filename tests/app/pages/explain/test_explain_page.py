"""Explain page: another number, two profiles, and new reference data."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTableView, QWidget

from jurydesk.app.pages.explain.distance_cells import mark_place
from jurydesk.app.state.session import Session
from jurydesk.core.cli import main
from jurydesk.core.competition.task import RuleStep
from jurydesk.core.execution.run import Run
from jurydesk.core.export.export_settings import ExportSettings
from jurydesk.core.export.stamps_export import read_export_settings, read_stamps
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.tables.columns import NumberColumn
from jurydesk.core.verification.recomputation import recompute_export
from jurydesk.core.verification.scored_again import ScoredAgain
from jurydesk.core.verification.verify_stamp import verify_stamp
from support import toy
from support.windows import toy_competition
from support.windows.untranslated import own_texts
from support.windows.waiting import until_checked

Key = Qt.Key


@pytest.fixture
def page(scored):
    scored.show_page("why")
    return scored.page


def texts(card, name):
    model = card.table.table_model
    column = next(one for one in model.columns if one.name == name)
    return [column.text(row) for row in model.rows.tolist()]


class TestNumber:
    def ask(self, qtbot, page, text):
        page.number.number.clear()
        qtbot.keyClicks(page.number.number, text)
        qtbot.keyClick(page.number.number, Key.Key_Return)
        qtbot.waitUntil(lambda: not page.number.busy)

    def test_the_number_of_the_options_in_use_needs_no_change(self, qtbot, page, scored):
        value = scored.session.summary("system A").scores[0].value
        self.ask(qtbot, page, f"{100 * value:.2f} %")
        assert page.finding == f"The options in use give system A the score {100 * value:.2f} %."
        assert texts(page.number.table, "way")[0] == "The options in use"

    def test_values_of_random_models_are_in_parentheses_with_the_reason(
        self, qtbot, page, scored, monkeypatch
    ):
        metric = scored.session.summary("system A").scores[0].metric
        monkeypatch.setattr(Session, "random_metrics", lambda self: frozenset({metric}))
        self.ask(qtbot, page, "0.1234567")
        assert page.finding.endswith("Not reliable: the models have random weights.")
        shown = texts(page.number.table, "value")
        names = texts(page.number.table, "metric")
        title = scored.session.task.metric(metric).title
        assert title in names
        for name, value in zip(names, shown, strict=True):
            assert value.startswith("(") == (name == title)

    def test_a_number_that_no_option_gives_is_reported(self, qtbot, page):
        self.ask(qtbot, page, "0.1234567")
        assert page.finding == (
            "No profile and no option of this competition gives system A 0.1234567. The options "
            "tried are below, the nearest first."
        )
        differences = [abs(float(one)) for one in texts(page.number.table, "difference")]
        assert differences == sorted(differences)
        assert "The options in use" in texts(page.number.table, "way")

    def test_the_mark_of_the_farthest_number_ends_the_axis_of_square_roots(self):
        column = NumberColumn("difference", "", np.array([0.0, -0.04, 0.01, np.nan]))
        places = [mark_place(column, row) for row in range(4)]
        assert places[:3] == [0.0, -1.0, 0.5]
        assert np.isnan(places[3])

    def test_options_that_were_tried_are_scored_with_one_key(self, qtbot, page, scored):
        self.ask(qtbot, page, "0.1234567")
        table = page.number.table.table
        table.set_current_row(texts(page.number.table, "way").index("The options in use"))
        assert not page.number.use.isEnabled()
        table.set_current_row(texts(page.number.table, "way").index("Profile: corrected"))
        page.number.use.setFocus()
        qtbot.keyClick(page.number.use, Key.Key_Space)
        assert scored.evaluator.scoring is not None
        qtbot.waitUntil(lambda: scored.evaluator.scoring is None)
        assert scored.session.options.profile == "corrected"
        assert len(scored.session.profile_systems()) == 3

    def test_text_that_is_not_a_number_is_reported(self, qtbot, page):
        self.ask(qtbot, page, "much")
        assert page.finding == '"much" is not a number.'

    def test_the_option_that_gives_it_is_shown_with_the_changed_items(
        self, qtbot, scored, tmp_path
    ):
        short = dict(list(_guesses(scored).items())[:-4])
        path = toy.write(tmp_path / "short.txt", short, "short")
        scored.files.open_paths([path])
        qtbot.waitUntil(lambda: len(scored.session.files) == 5)
        until_checked(qtbot, scored)
        scored.evaluator.score()
        qtbot.waitUntil(lambda: len(scored.session.systems) == 4)
        qtbot.waitUntil(lambda: scored.evaluator.scoring is None)
        scored.show_page("why")
        page = scored.page
        page.number.systems.setCurrentText("short")
        value = scored.session.summary("short").scores[0].value * 36 / 40
        self.ask(qtbot, page, f"{value:.6f}")
        assert texts(page.number.table, "way")[0] == "Missing: zero"
        assert texts(page.number.items, "item") == ["n36", "n37", "n38", "n39"]
        board = scored.session.summary("short").scores[0].value
        shown = {one.text() for one in page.number.way.findChildren(QLabel)}
        assert {"Missing: zero", f"{board:.12f}", "4 numbers"} <= shown
        qtbot.mouseClick(page.number.cite, Qt.MouseButton.LeftButton)
        assert "|missing:zero|" in QApplication.clipboard().text()
        text = exported(scored, tmp_path / "items.csv")
        assert text.count("\n") == 5
        assert made_again(scored, text, tmp_path) == text

    def test_changed_files_cannot_be_used(self, qtbot, page, scored):
        path = next(file.path for file in scored.session.files if file.role == "truth")
        path.write_text("n0 1\n")
        self.ask(qtbot, page, "0.5")
        assert page.finding == f"The inputs differ from those scored: {path.name} (changed)."


def _guesses(window):
    path = next(one.path for one in window.session.files if one.path.stem == "s0")
    lines = path.read_text().splitlines()[1:]
    return {key: float(value) for key, value in (line.split() for line in lines)}


class TestProfiles:
    def test_a_profile_that_was_not_scored_is_offered_and_compared(self, qtbot, page, scored):
        page.segments.choose(1)
        assert page.finding == "system A was not scored with the profile corrected yet."
        page.profiles.score.click()
        qtbot.waitUntil(lambda: page.profiles.found is not None)
        assert page.finding.endswith("0 of 40 numbers differ.")
        assert not page.profiles.rules.isVisibleTo(page)
        assert {one.profile for one in scored.session.systems} == {"published"}

    def test_a_differing_item_has_a_reason_and_opens(self, qtbot, page, scored, tmp_path):
        def evaluated(references, submission, options, run):
            made = toy.evaluate(references, submission, options, run)
            if options.profile == "corrected":
                made.items.columns["closeness"][3] -= 0.25
            return made

        task = toy_competition.replace(
            toy_competition.TASK,
            scoring=toy_competition.replace(toy_competition.TASK.scoring, evaluate=evaluated),
            presentation=toy_competition.replace(
                toy_competition.TASK.presentation,
                explain_difference=lambda one, other: (f"{one.id} moved.",),
                rule_steps=lambda inputs, options, profile, metric, run: (
                    RuleStep(f"Profile {options.profile}", 0.5, None),
                    RuleStep(f"Order of {profile}", 0.25, -0.25),
                ),
            ),
        )
        scored.session.state = replace(scored.session.state, task=task)
        page.segments.choose(1)
        page.profiles.score.click()
        qtbot.waitUntil(lambda: page.profiles.found is not None)
        assert page.finding.endswith("1 of 40 numbers differs.")
        assert page.profiles.rules.isVisibleTo(page)
        assert texts(page.profiles.rules, "rule") == ["Profile published", "Order of corrected"]
        assert texts(page.profiles.rules, "change")[1].endswith("0.2500")
        assert texts(page.profiles.items, "item") == ["n3"]
        assert texts(page.profiles.items, "reason") == ["n3 moved."]
        text = exported(scored, tmp_path / "items.csv")
        assert "n3 moved." in text
        assert made_again(scored, text, tmp_path) == text
        qtbot.keyClick(page.profiles.items.table, Key.Key_Return)
        assert scored.page.id == "items"
        assert scored.session.selection.item == "n3"


def numbers_of(page):
    """Return the numbers in visible texts, tool tips and cells of the page."""
    widgets = [one for one in page.window().findChildren(QWidget) if one.isVisible()]
    found = [text for one in widgets for text in (*own_texts(one), one.toolTip())]
    found += [
        text for one in widgets for text in (one.accessibleName(), one.accessibleDescription())
    ]
    for view in page.findChildren(QTableView):
        model = view.model()
        if view.isVisible() and model is not None:
            cells = itertools.product(range(model.rowCount()), range(model.columnCount()))
            found += [str(model.index(*at).data() or "") for at in cells]
    return set(re.findall(r"\d+\.\d+", " ".join(found).replace("−", "-")))


class TestErrata:
    @pytest.fixture
    def mended(self, scored, tmp_path):
        values = {f"n{i}": i / 40 + (0.02 if i % 2 else 0.0) for i in range(40)}
        return toy.write(tmp_path / "mended" / "truth.txt", values, "truth")

    def prepare(self, qtbot, page, paths):
        page.show_errata()
        page.errata.prepare(paths)
        qtbot.waitUntil(lambda: not page.errata.busy)

    def test_the_effect_is_shown_before_anything_is_replaced(self, qtbot, page, scored, mended):
        before = scored.session.summary("system A").scores[0].value
        self.prepare(qtbot, page, [mended])
        assert page.finding.startswith("Not replaced yet. Closeness changed for ")
        assert page.errata.replace.isVisible()
        assert sorted(texts(page.errata.systems, "system")) == ["system A", "system B", "system C"]
        page.errata.drop.click()
        assert scored.session.summary("system A").scores[0].value == before
        assert page.errata.prepared is None

    def test_new_reference_data_are_offered_only_where_there_are_any(self, qtbot, page, mended):
        def offered():
            buttons = page.segments.findChildren(QPushButton)
            return [one.text() for one in buttons if not one.isHidden()]

        assert offered() == ["A number", "Profiles"]
        self.prepare(qtbot, page, [mended])
        assert offered() == ["A number", "Profiles", "New reference data"]
        page.segments.choose(0)
        assert offered() == ["A number", "Profiles", "New reference data"]
        page.show_errata()
        page.errata.drop.click()
        page.segments.choose(1)
        assert offered() == ["A number", "Profiles"]

    def test_ctrl_z_offers_the_replacement_again_that_was_declined(
        self, qtbot, page, scored, mended
    ):
        self.prepare(qtbot, page, [mended])
        page.errata.drop.click()
        assert not page.errata.replace.isVisible()
        qtbot.keyClick(scored, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert page.finding.startswith("Not replaced yet. Closeness changed for ")
        page.errata.replace.click()
        qtbot.waitUntil(lambda: page.errata.prepared is None and bool(page.errata.past_errata))

    def test_a_declined_replacement_of_other_results_is_not_offered_again(
        self, qtbot, page, scored, mended
    ):
        self.prepare(qtbot, page, [mended])
        page.errata.drop.click()
        scored.session.refresh()
        qtbot.keyClick(scored, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert page.finding == ("The results have changed since: choose the reference data again.")
        assert page.errata.prepared is None

    def test_old_results_are_kept_for_comparison(self, qtbot, page, scored, mended):
        before = scored.session.summary("system A").scores[0].value
        self.prepare(qtbot, page, [mended])
        page.errata.replace.click()
        qtbot.waitUntil(lambda: page.errata.prepared is None and bool(page.errata.past_errata))
        assert scored.session.summary("system A").scores[0].value != before
        assert mended in [file.path for file in scored.session.files]
        moved = {one.system: one for one in page.errata.shown.parts[0].systems}
        assert moved["system A"].before.value == before
        assert page.finding.startswith("Closeness changed for ")
        assert not page.errata.replace.isVisible()

    def test_hidden_scores_are_in_no_text_and_no_export_of_the_page(
        self, qtbot, page, scored, mended, capsys
    ):
        """Whatever `board --json` and `errata --json` keep back."""
        self.prepare(qtbot, page, [mended])
        page.errata.replace.click()
        qtbot.waitUntil(lambda: page.errata.prepared is None and bool(page.errata.past_errata))
        changes = [one for part in page.errata.shown.parts for one in part.systems]
        values = [score.value for one in changes for score in (one.before, one.after)]
        values += [score.value for one in scored.session.systems for score in one.scores]
        assert len({f"{value:.4f}" for value in values} & numbers_of(page)) > 3
        assert page.exports()
        scored.organiser.hide_scores()
        for command in ("board", "errata"):
            assert main([command, str(scored.session.desk.path), "--json", "-"]) != 0
            assert capsys.readouterr().out == ""
        for shown in range(3):
            page.segments.choose(shown)
            assert not {f"{value:.4f}" for value in values} & numbers_of(page)
            assert not page.exports()
        assert page.finding.startswith("The scores are hidden since ")
        scored.organiser.open_scores()
        page.show_errata()
        assert len({f"{value:.4f}" for value in values} & numbers_of(page)) > 3

    def test_undo_restores_the_replaced_reference_data_and_results(
        self, qtbot, page, scored, mended
    ):
        session, undo = scored.session, scored.actions_["edit.undo"]
        before = [(one.system, one.scores, one.stale) for one in session.systems]
        files = [(file.path, file.role) for file in session.files]
        self.prepare(qtbot, page, [mended])
        page.errata.replace.click()
        qtbot.waitUntil(lambda: undo.text() == "Undo replacing the reference data")
        assert scored.toast.text.text() == "The reference data were replaced."
        after = [(one.system, one.scores, one.stale) for one in session.systems]
        assert {one[0] for one in after} == {one[0] for one in before}
        assert after != before

        qtbot.keyClick(scored, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert not undo.isEnabled()
        qtbot.waitUntil(lambda: scored.evaluator.writing is None)
        assert [(one.system, one.scores, one.stale) for one in session.systems] == before
        assert [(file.path, file.role) for file in session.files] == files
        assert session.describe_outdated() == ""
        assert session.evaluation("system A").items.show(0) is not None
        assert page.errata.past_errata == []

        scored.actions_.run("edit.redo")
        qtbot.waitUntil(lambda: scored.evaluator.writing is None)
        assert [(one.system, one.scores, one.stale) for one in session.systems] == after
        assert len(page.errata.past_errata) == 1

    def test_a_file_with_errors_is_refused_with_its_first_defect(self, qtbot, page, tmp_path):
        path = tmp_path / "broken.txt"
        path.write_text("# truth\nn0 one\n")
        self.prepare(qtbot, page, [path])
        assert '"one" is no number.' in page.finding
        assert page.errata.prepared is None


def test_the_items_are_written_to_a_file(qtbot, page, scored, tmp_path):
    assert page.exports() == ()
    page.show_errata()
    values = {f"n{i}": i / 40 + 0.3 for i in range(40)}
    page.errata.prepare([toy.write(tmp_path / "other.txt", values, "truth")])
    qtbot.waitUntil(lambda: not page.errata.busy)
    export = next(one for one in page.exports() if one.pattern == "*.csv")
    scored.files.export(export, tmp_path / "moved.csv")
    text = (tmp_path / "moved.csv").read_text()
    lines = text.splitlines()
    assert lines[0] == "item,before,after,difference,stamps,settings"
    assert len(lines) == 41
    assert made_again(scored, text, tmp_path) == text


def exported(window, path):
    """Return the visible items as the window writes them."""
    window.files.export(next(one for one in window.page.exports() if one.pattern == "*.csv"), path)
    return path.read_text()


def made_again(window, text, *more):
    """Make an export again from its stamps' inputs, as `jurydesk verify --inputs FOLDER` does."""
    task, stamps = window.session.task, read_stamps(text)
    assert len(stamps) == 2
    folders = [*sorted({one.path.parent for one in window.session.files}), *more]
    results = []
    for stamp in stamps:
        verdict = verify_stamp(Stamp.from_json(stamp), task, folders, Run())
        assert verdict.match
        results.append(replace(verdict.evaluation, stamp=stamp))
    settings = ExportSettings.from_json(read_export_settings(text))
    return recompute_export(task, ScoredAgain(results), settings, Run())[0].decode()


def test_a_closed_desk_leaves_no_result(qtbot, page, scored):
    page.number.number.setText(f"{scored.session.summary('system A').scores[0].value:.4f}")
    page.number.ask()
    qtbot.waitUntil(lambda: bool(page.number.ways))
    scored.files.close()
    assert page.number.ways == []
    assert page.finding.endswith("A system must be scored first.")
    assert not page.number.isVisible()


def test_pages_without_scores_offer_to_score(qtbot, checked):
    for page in ("why", "rate"):
        checked.show_page(page)
        assert checked.page.step.isVisible()
        assert checked.page.step.text() == "Score"
    qtbot.keyClick(checked.page.step, Key.Key_Space)
    qtbot.waitUntil(lambda: len(checked.session.systems) == 3)
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)
    assert checked.page.step.isHidden()


def test_without_results_the_page_says_what_it_does_and_has_a_button(qtbot, window):
    window.show_page("why")
    assert window.page.finding.startswith("Finds which options give a published number")
    qtbot.waitUntil(window.page.step.isVisible)
    assert window.page.step.text() == "Add files …"
    assert not window.page.segments.isVisible()
