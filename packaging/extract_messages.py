"""Extraction of all sentences that are shown, into the catalogues of `resources/language/`.

    python packaging/extract_messages.py          add new sentences to ru.po, drop unused ones
    python packaging/extract_messages.py --check  fail if one is not translated: for a release

Three kinds of sentences are extracted:

- arguments of `translate`, `translate_plural`, `translatable`, and of such functions in scripts;
- texts and labels of the HTML pages;
- in the folders of `SENTENCE_FOLDERS`, which return English that is translated at display, every
  string that is a sentence or the value of a descriptive argument; in scripts of pages, too.

The catalogue is written with Babel, which neither the program nor the check needs.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "resources" / "language" / "ru.po"

MARKED = ("app", "core")
SENTENCE_FOLDERS: tuple[str, ...] = (
    "core/analysis/",
    "core/execution/",
    "core/neural/",
    "core/cli/",
    "core/competition/",
    "core/desk/",
    "core/export/export_settings.py",
    "core/export/exported_numbers.py",
    "core/export/stamps_export.py",
    "core/human_evaluation/",
    "core/intake/",
    "core/metrics/",
    "core/model/",
    "core/participant_kit/",
    "core/readers/",
    "core/sealed/",
    "core/selftest/",
    "core/statistics/",
    "core/system/",
    "core/tasks/",
    "core/verification/",
    "core/workflow/",
)
DESCRIPTIVE = ("title", "label", "summary", "help", "description", "short_help")
"""Arguments whose text is shown, though it is no sentence."""
DECLARING = {"WindowCommand": 1, "PageEntry": 1}
"""Calls that declare something as data, and the argument with its title."""
POSITIONAL = {
    **dict.fromkeys(("Axis", "Passage", "Statistic"), (0,)),
    **dict.fromkeys(("Input", "MetricInfo", "at_ranks", "counting_measure"), (1,)),
    **dict.fromkeys(("geometric_mean_measure", "query_measure", "_measure", "_metric"), (1,)),
    "Family": (3,),
    "Policy": (0, 1),
    "SubTask": (2,),
    "option": (1,),
}
"""Positions of titles and labels among the arguments of a class or function."""
COUNTED = ("counted", "quantity")
"""Functions that return a count with its noun."""
OS_REASONS = (
    "Connection refused",
    "Device or resource busy",
    "Disk quota exceeded",
    "Exec format error",
    "File exists",
    "File name too long",
    "Input/output error",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Too many levels of symbolic links",
    "Too many open files",
)
"""Reasons of the operating system, whose own texts do not follow the window's language."""
PAGES = (
    "resources/web/kit/page.html",
    "resources/web/rating/page.html",
    "resources/web/report/report.html",
    "resources/web/sealed/certificate.html",
)
SCRIPTS = tuple(f"resources/web/{one}" for one in ("kit", "rating", "report", "sealed"))
QUESTIONNAIRES = "resources/questionnaires"
HEAD = """# Russian translation of Jurydesk.
msgid ""
msgstr ""
"Language: ru\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || "
"n%100>=20) ? 1 : 2);\\n"

"""

PLACE = re.compile(r"\{(\w+)([^{}]*)\}")

STRING = r'"(?P<double>(?:[^"\\\n]|\\.)*)"|\'(?P<single>[^\'\\\n]*)\''
"""Text of a script between quotes of either kind."""
LITERAL = re.compile(STRING)
CALL = re.compile(rf"(?<![.\w])(?:t|fill|translatable)\(\s*(?:{STRING})")
COUNT = re.compile(r'\bcounted\((?:[^()"]|\([^()]*\))+, "(?P<one>[^"]+)"(?:, "(?P<many>[^"]+)")?\)')

Message = tuple[str, str | None]
"""A sentence and its plural, if it has one."""


@cache
def extract_messages() -> dict[Message, set[str]]:
    """Return all sentences, with the files that contain them."""
    found: dict[Message, set[str]] = {}

    def add(messages: Iterator[Message], path: Path) -> None:
        for message in messages:
            found.setdefault(message, set()).add(path.relative_to(ROOT).as_posix())

    for folder in MARKED:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            add(marked_messages(tree), path)
            if name.startswith(SENTENCE_FOLDERS):
                add(sentence_messages(tree), path)
    add(((reason, None) for reason in OS_REASONS), ROOT / "core" / "language" / "message.py")
    for page in PAGES:
        add(page_messages((ROOT / page).read_text(encoding="utf-8")), ROOT / page)
    for scripts in SCRIPTS:
        for path in sorted((ROOT / scripts).glob("*.js")):
            add(script_messages(path.read_text(encoding="utf-8")), path)
    for path in sorted((ROOT / QUESTIONNAIRES).glob("*.json")):
        add(questionnaire_messages(json.loads(path.read_text(encoding="utf-8"))), path)
    return found


def questionnaire_messages(data: dict[str, Any]) -> Iterator[Message]:
    """Yield the texts of a questionnaire, without the examples, which stay English."""
    questions = [one.get(name, "") for one in data["questions"] for name in ("statement", "help")]
    for text in (data["title"], *data["instructions"], *data.get("scale", ()), *questions):
        if text:
            yield text, None


def marked_messages(tree: ast.AST) -> Iterator[Message]:
    """Yield the literal arguments of the functions that translate."""
    for node in ast.walk(tree):
        yield from _nouns(node)
        if not isinstance(node, ast.Call):
            continue
        name = _called_name(node)
        if name in ("translate", "translatable", "fill", "reason", "Message") and node.args:
            second = () if name in ("fill", "reason") else node.args[1:2]
            meanings = [f" ({text})" for one in second for text in _literals(one)]
            for text in _literals(node.args[0]):
                yield text + "".join(meanings), None
        elif name == "translate_text" and node.args:
            yield from ((text, None) for text in _literals(node.args[0]))
        elif name == "translate_plural":
            yield from zip(_literals(node.args[0]), _literals(node.args[1]), strict=True)
        elif name in COUNTED:
            yield from _counted_messages(node)
        elif name == "report" and len(node.args) > 2:
            yield from _progress(node)
        elif name in DECLARING and len(node.args) > DECLARING[name]:
            yield from ((text, None) for text in _literals(node.args[DECLARING[name]]))
            words = [one.value for one in node.keywords if one.arg == "keywords"]
            yield from ((text, None) for word in words for text in _literals(word))


def sentence_messages(tree: ast.AST) -> Iterator[Message]:
    """Yield the sentences of a module that returns English."""
    skipped = {id(one) for node in ast.walk(tree) for one in _hidden_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for text in _titles(node):
                yield text, None
                if text.startswith("Mean ") and not text.endswith("."):  # that of a single item
                    yield text[5:6].upper() + text[6:], None
        if isinstance(node, ast.Constant) and id(node) not in skipped:
            yield from ((text, None) for text in _literals(node) if is_sentence(text))


def _titles(node: ast.Call) -> Iterator[str]:
    """Yield the titles, labels and descriptions among the arguments of a call."""
    shown = [one.value for one in node.keywords if one.arg in DESCRIPTIVE]
    positions = POSITIONAL.get(_called_name(node), ())
    shown += [node.args[position] for position in positions if position < len(node.args)]
    for one in node.keywords:
        if one.arg == "titles" and isinstance(one.value, ast.Dict):
            shown += one.value.values
    for text in itertools.chain.from_iterable(map(_literals, shown)):
        if re.search("[^\\W\\d_]", PLACE.sub("", text)):
            yield text


def _hidden_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield documentation, the parts of f-strings, and plural forms."""
    if isinstance(node, ast.Call) and _called_name(node) == "translate_plural":
        yield from node.args[:2]
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        for part in ast.walk(node):
            if part is not node:
                yield part


def _nouns(node: ast.AST) -> Iterator[Message]:
    """Yield the nouns of a rating design, which are pairs."""
    pair: ast.AST | None = None
    if isinstance(node, ast.keyword) and (node.arg or "").endswith("noun"):
        pair = node.value
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        if "Noun" in ast.unparse(node.annotation):
            pair = node.value
        if getattr(node.target, "id", "") == "attention":
            yield from ((text, None) for text in _literals(node.value))
    if isinstance(pair, ast.Tuple):
        words = [text for part in pair.elts for text in _literals(part)]
        yield from ((text, None) for text in words)
        if len(words) == 2:
            yield f"{{count}} {words[0]}", f"{{count}} {words[1]}"


def _called_name(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _counted_messages(node: ast.Call) -> Iterator[Message]:
    one, many = _counted_words(node)
    if one:
        yield f"{{count}} {one}", f"{{count}} {many}"


def _counted_words(node: ast.Call) -> tuple[str, str]:
    nouns = node.args[1:3]
    words = [one.value for one in nouns if isinstance(one, ast.Constant)]
    if not words or len(words) < len(nouns):
        return "", "count"
    return words[0], words[1] if len(words) > 1 else f"{words[0]}s"


def _progress(node: ast.Call) -> Iterator[Message]:
    """Yield what a report of progress shows: the stage, and the rate of its unit."""
    yield from ((text, None) for text in _literals(node.args[2]))
    for unit in node.args[3:4]:
        yield from ((f"{{rate:,.1f}} {text}/s", None) for text in _literals(unit))


def _literals(node: ast.AST) -> Iterator[str]:
    """Yield the strings that an argument can be, by conditional expressions."""
    if isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


def is_sentence(text: str) -> bool:
    """Return whether a text reads as a sentence: capital or place, words, and a full stop."""
    words = re.sub(r"\{\w+[^{}]*\}", "x", text)
    return bool(
        re.match(r"[A-Z“\"'{]|[\w`<-]+,? .* .*[^.]\.$", text)
        and re.search(r"[a-z]{2,} ", words)
        and re.search(r"[.?!:…][”\"]?$", text)
        and "\n" not in text
        and not re.match(r"(SELECT|INSERT|UPDATE|DELETE) ", text)
    )


def script_messages(script: str) -> Iterator[Message]:
    """Yield the sentences of a script, and the literal arguments of its functions for messages."""
    for call in CALL.finditer(script):
        yield _literal(call), None
    for count in COUNT.finditer(script):
        one, many = count["one"], count["many"]
        yield f"{{count}} {one}", f"{{count}} {many or f'{one}s'}"
    for found in LITERAL.finditer(script):
        if is_sentence(_literal(found)):
            yield _literal(found), None


def _literal(found: re.Match[str]) -> str:
    return re.sub(r'\\(["\\])', r"\1", found["double"] or found["single"] or "")


def page_messages(page: str) -> Iterator[Message]:
    """Yield the texts and labels of an HTML page."""
    for text in _PageTexts.of(page):
        yield text, None


class _PageTexts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = ""

    @classmethod
    def of(cls, page: str) -> list[str]:
        parser = cls()
        parser.feed(page)
        return [text for text in parser.texts if re.search("[A-Za-z]{2}", text)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag if tag in ("kbd", "script", "style") else ""
        self.texts += [value for name, value in attrs if name == "aria-label" and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent = ""

    def handle_data(self, data: str) -> None:
        # The comment in a title marks a place; newer Pythons take it for text, as HTML does.
        text = re.sub("<!--.*?-->", "", data).strip()
        if not self._silent and text:
            self.texts.append(text)


def without_styles(sentence: str) -> str:
    """Return a sentence with bare names in its places."""
    return PLACE.sub(r"{\1}", sentence)


def restyled(sentence: str, translation: str) -> str:
    """Return a translation with the styles that the sentence now has in its places."""
    styles = dict(PLACE.findall(sentence))
    return PLACE.sub(lambda match: f"{{{match[1]}{styles.get(match[1], '')}}}", translation)


def _order(each: tuple[Message, set[str]]) -> tuple[str, str, str]:
    (one, many), files = each
    return min(files), one, many or ""


def update_catalogue(path: Path = CATALOGUE) -> int:
    """Write all sentences into the catalogue; return the number of untranslated ones."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    found = extract_messages()
    with path.open("rb") as file:
        old = read_po(file)
    new = Catalog(locale="ru", charset="utf-8")
    missing = 0
    plain = {
        without_styles(one.id): one.string
        for one in old
        if isinstance(one.id, str) and isinstance(one.string, str)
    }
    singles = {one for one, many in found if many is not None}
    for (one, many), files in sorted(found.items(), key=_order):
        if many is None and one in singles:
            continue
        known = old.get(one)
        text = known.string if known else restyled(one, plain.get(without_styles(one), ""))
        if many is not None and not isinstance(text, tuple):
            text = ("", "", "")
        if many is None and isinstance(text, tuple):
            text = ""
        if not text and not any(map(str.isalpha, PLACE.sub("", one))):
            text = one
        missing += not (all(text) if isinstance(text, tuple) else text)
        ids = one if many is None else (one, many)
        new.add(ids, text, locations=[(name, None) for name in sorted(files)])
    with path.open("wb") as file:
        file.write(HEAD.encode())
        write_po(file, new, width=100, omit_header=True, include_lineno=False)
    return missing


def untranslated(path: Path = CATALOGUE) -> list[str]:
    """Return the sentences that a catalogue lacks; unlike writing it, this needs no Babel."""
    from jurydesk.core.language.catalogue import read_catalogue

    known = read_catalogue(path)
    return [
        one
        for one, many in extract_messages()
        if one not in (known.texts if many is None else known.forms) and one not in known.plurals
    ]


if __name__ == "__main__":
    is_check = sys.argv[1:] == ["--check"]
    missing = len(untranslated()) if is_check else update_catalogue()
    sys.stdout.write(f"{missing} sentences are not translated\n")
    sys.exit(bool(missing) and is_check)
