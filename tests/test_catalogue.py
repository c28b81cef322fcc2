"""The Russian catalogue has every sentence that is shown, with its places and forms."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from jurydesk.core.language.catalogue import places, read_catalogue
from support.suite.untranslated import UNTRANSLATED

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "resources" / "language" / "ru.po"
sys.path.append(str(ROOT / "packaging"))


@cache
def messages():
    from extract_messages import extract_messages

    return extract_messages()


def missing(path: Path) -> list[str]:
    from extract_messages import untranslated

    return untranslated(path)


@cache
def catalogue():
    return read_catalogue(CATALOGUE)


def test_no_sentence_begins_with_a_list_of_names_in_either_language():
    """Cut at the end of a line, such a sentence does not say what it is about."""
    text = CATALOGUE.read_text("utf-8")
    first = re.findall(r'^msg(?:id|str)(?:\[\d\])? (?:""\n)?"(.*)"$', text, re.MULTILINE)
    assert len(first) > 5000
    assert [one for one in first if re.match(r"\{(names|ids|list|name_list)\}:", one)] == []


def test_untranslated_sentences_are_reported(request):
    request.config.stash[UNTRANSLATED] = len(missing(CATALOGUE))


def test_a_sentence_without_translation_is_missing(tmp_path):
    text = CATALOGUE.read_text("utf-8")
    path = tmp_path / "ru.po"
    path.write_text(text.replace('msgid "Skip"', 'msgid "Skip it"'), "utf-8")
    assert set(missing(path)) - set(missing(CATALOGUE)) == {"Skip"}


def test_no_translation_is_left_of_a_sentence_that_is_gone():
    known = catalogue()
    assert {*known.texts, *known.plurals} <= {one for one, _ in messages()}


def test_translations_have_the_named_places_of_their_sentences():
    known = catalogue()
    for id, text in known.texts.items():
        assert places(text) == places(id)
    for id, forms in known.forms.items():
        assert {tuple(places(form)) for form in forms} == {tuple(places(known.plurals[id]))}


def test_translations_have_three_plural_forms():
    assert {len(forms) for forms in catalogue().forms.values()} == {3}


def test_translations_keep_russian_typography():
    for text in catalogue().texts.values():
        assert "“" not in text
        assert " - " not in text


BOARDS = (
    *("core/analysis/", "core/export/", "core/statistics/", "core/human_evaluation/results/"),
    *("core/cli/commands/scoring/board.py", "app/pages/leaderboard/", "app/pages/compare/"),
)
"""Where statistics are put into words; modules named after evidence do so too."""
MOST_WORDS = 25


@cache
def statistics_in_words():
    """Return the messages of these modules, and their translations."""
    known, found = catalogue(), []
    for (one, many), files in messages().items():
        if any(name.startswith(BOARDS) or "evidence" in name for name in files):
            found += filter(None, (one, many, known.texts.get(one), *known.forms.get(one, ())))
    assert len(found) > 1000
    return found


def test_no_sentence_of_statistics_is_longer_than_25_words_in_either_language():
    sentences = [re.split(r"(?<=[.!?…])\s+|\n", text) for text in statistics_in_words()]
    assert [one for said in sentences for one in said if len(one.split()) > MOST_WORDS] == []


def test_no_sentence_says_that_systems_are_equal_because_no_difference_was_found():
    equality = re.compile(
        r"(system|first|other)s?\}?\S* (do(es)? not differ|(are|is) (equal|alike|as good))\b"
        r"|систем\w* (не различаются|не отличаются|равны|одинаковы)"
    )
    assert equality.search("11 systems do not differ significantly at 95 %.")
    assert [text for text in statistics_in_words() if equality.search(text)] == []


def test_babel_reads_the_same_catalogue():
    pofile = pytest.importorskip("babel.messages.pofile")
    with CATALOGUE.open("rb") as file:
        found = {
            entry.id: entry.string
            for entry in pofile.read_po(file)
            if isinstance(entry.id, str) and entry.string
        }
    found.pop("")
    assert found == catalogue().texts


SHOWING = (
    *("setText", "setToolTip", "setWindowTitle", "setTitle", "setPlaceholderText", "setStatusTip"),
    *("setAccessibleName", "setAccessibleDescription", "setSpecialValueText", "addAction"),
    *("addMenu", "addButton", "addItem", "addTab", "addRow", "QMenu", "QAction", "QPushButton"),
    *("getOpenFileName", "getOpenFileNames", "getSaveFileName", "getExistingDirectory"),
    *("message_box", "button", "label", "say"),
)
"""Functions that show a literal as it is, also in dialogs and menus that no test opens."""
LITERAL = re.compile(
    rf'\b(?:{"|".join(SHOWING)})\(\s*(?:self(?:\.\w+)*,\s*)?f?("[^"{{]*[A-Za-z]{{2}}[^"]*")'
)
UNCHANGED = {'"Jurydesk"'}


def shown_literals(source: str) -> list[str]:
    """Return the words that a module shows without translating them."""
    return [one for one in LITERAL.findall(source) if one not in UNCHANGED]


def test_no_literal_is_shown():
    assert shown_literals('message_box("It ended.", advice)') == ['"It ended."']
    assert shown_literals('getOpenFileName(\n    self, "Open", folder)') == ['"Open"']
    assert shown_literals('label(translate("Open"), "muted")') == []
    paths = [*(ROOT / "app").rglob("*.py")]
    found = {one.name: shown_literals(one.read_text("utf-8")) for one in paths}
    assert {name: texts for name, texts in found.items() if texts} == {}


FRAGMENT = re.compile(r"[a-z]{2,} [a-z]{2,}")


def composed_sentences(source: str) -> list[str]:
    """Return the f-strings of a module that read as sentences, whose templates are lost."""
    from extract_messages import is_sentence

    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [one.value if isinstance(one, ast.Constant) else "{x}" for one in node.values]
            text = "".join(map(str, parts))
            found += [text] if is_sentence(text) and FRAGMENT.search(text) else []
    return found


def test_no_module_composes_a_sentence_without_a_template():
    from extract_messages import SENTENCE_FOLDERS

    assert composed_sentences('found = f"The box is {box}."') == ["The box is {x}."]
    assert composed_sentences('fill("The box is {box}.", box)') == []
    for folder in ("app/", *SENTENCE_FOLDERS):
        root = ROOT / folder
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            assert composed_sentences(path.read_text("utf-8")) == [], path


UNSHOWN = ("jurydesk ${packet.sha256} ${number}", "event ${event.n} (${event.act}) is impossible")
"""Text of scripts that no page shows: a name in the browser's storage, and an error of ours."""


def test_no_script_composes_a_sentence_without_a_template():
    comments, strings = r"/\*.*?\*/|^ *//.*$", r'"(?:[^"\\\n]|\\.)*"'
    for path in sorted((ROOT / "resources" / "web").rglob("*.js")):
        code = re.sub(comments, "", path.read_text("utf-8"), flags=re.S | re.M)
        templates = re.findall(r"(?<![/\w])`((?:[^`\\\n]|\\.)*)`", re.sub(strings, '""', code))
        plain = [re.sub(r"\$\{[^{}]*\}", "x", one) for one in templates if one not in UNSHOWN]
        assert [one for one in plain if FRAGMENT.search(one)] == [], path
