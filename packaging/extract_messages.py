"""Extraction of all sentences that are shown, into the catalogues of `resources/language/`.

    python packaging/extract_messages.py          add new sentences to ru.po, drop unused ones
    python packaging/extract_messages.py --check  and fail if one is not translated: for a release

Three kinds of sentences are extracted:

- arguments of `translate`, `translate_plural`, `translatable`, and of `t` in scripts;
- texts and labels of the HTML pages;
- in the folders of `SENTENCE_FOLDERS`, which return English that is translated at display, every
  string that is a sentence or the value of a descriptive argument, with f-strings as templates.

The catalogue is read and written with Babel, which the program itself does not need.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
import sys
from collections.abc import Iterator
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
NUMBERS = ("len", "int", "sum")
WORDS = ("describe_sequence", "describe_value")
"""Functions that return words of the program, which are translated inside a sentence.

So do those that end with `phrase`, and variables that do.
"""
PAGES = (
    "resources/web/kit/page.html",
    "resources/web/rating/page.html",
    "resources/web/report/report.html",
)
SCRIPTS = ("resources/web/kit", "resources/web/rating", "resources/web/report")
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

Message = tuple[str, str | None]
"""A sentence and its plural, if it has one."""


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
    scopes = place_styles(tree)
    for node in ast.walk(tree):
        yield from _nouns(node)
        if not isinstance(node, ast.Call):
            continue
        name = _called_name(node)
        if name in ("translate", "translatable", "fill", "Message") and node.args:
            second = () if name == "fill" else node.args[1:2]
            meanings = [f" ({text})" for one in second for text in _literals(one)]
            for text in _literals(node.args[0]):
                yield text + "".join(meanings), None
            if name == "translatable" and isinstance(node.args[0], ast.JoinedStr):
                yield template(node.args[0], scopes.get(id(node), {})), None
        elif name == "translate_text" and node.args and template(node.args[0]):
            yield template(node.args[0]), None
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
        elif name == "defects_of_a_kind":
            one, many = _counted_words(node)
            yield f"{{count}} more {one}", f"{{count}} more {many}"


def sentence_messages(tree: ast.AST) -> Iterator[Message]:
    """Yield the sentences of a module that returns English."""
    skipped = {id(one) for node in ast.walk(tree) for one in _hidden_nodes(node)}
    scopes = place_styles(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for text in _titles(node, scopes.get(id(node), {})):
                yield text, None
                if text.startswith("Mean ") and not text.endswith("."):  # that of a single item
                    yield text[5:6].upper() + text[6:], None
        if id(node) in skipped or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        styles = scopes.get(id(node), {})
        text = template(node, styles)
        if text and is_sentence(text):
            yield named_places(text), None
            yield from _inserted_words(node, styles)


def _titles(node: ast.Call, styles: dict[str, tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """Yield the titles, labels and descriptions among the arguments of a call."""
    shown = [one.value for one in node.keywords if one.arg in DESCRIPTIVE]
    positions = POSITIONAL.get(_called_name(node), ())
    shown += [node.args[position] for position in positions if position < len(node.args)]
    for one in node.keywords:
        if one.arg == "titles" and isinstance(one.value, ast.Dict):
            shown += one.value.values
    for value in shown:
        found = [template(value, styles)] if isinstance(value, ast.JoinedStr) else _literals(value)
        found = map(named_places, found)
        yield from (text for text in found if re.search("[^\\W\\d_]", PLACE.sub("", text)))


def place_styles(tree: ast.AST) -> dict[int, dict[str, tuple[str, tuple[str, ...]]]]:
    """Return the styles of the variables of each function, for every node inside it by its id.

    A style comes with the words that the variable can be, if it is one of several texts.
    """
    scopes: dict[int, dict[str, tuple[str, tuple[str, ...]]]] = {}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        styles = {one.arg: ("", ()) for one in ast.walk(function.args) if isinstance(one, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                style = _style(node.value, {})
                styles[name] = style if styles.get(name, style) == style else ("", ())
        for node in ast.walk(function):
            if isinstance(node, ast.Call | ast.JoinedStr):
                scopes[id(node)] = {**scopes.get(id(node), {}), **styles}
    return scopes


def _style(
    node: ast.AST, styles: dict[str, tuple[str, tuple[str, ...]]]
) -> tuple[str, tuple[str, ...]]:
    """Return the style of a place: a count with a noun, a list, a number, words, or none."""
    if isinstance(node, ast.Name) and node.id == "attribute":
        return "word", ()
    if isinstance(node, ast.Name) and not node.id.endswith("phrase"):
        return styles.get(node.id, ("", ()))
    if isinstance(node, ast.Name):
        return "words", ()
    if isinstance(node, ast.IfExp):
        words = tuple(_literals(node))
        is_phrase = all(" " in word and not is_sentence(word) for word in words)
        return ("words", words) if len(words) == 2 and is_phrase else ("", ())
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        return ("d", ()) if isinstance(node.right.value, int) else ("", ())
    if not isinstance(node, ast.Call):
        return "", ()
    name = _called_name(node)
    kinds = {"name_list": "list", **dict.fromkeys(COUNTED, "counted")}
    kinds |= {**dict.fromkeys(NUMBERS, "d"), **dict.fromkeys(WORDS, "words")}
    return "words" if name.endswith("phrase") else kinds.get(name, ""), ()


def _inserted_words(
    node: ast.AST, styles: dict[str, tuple[str, tuple[str, ...]]]
) -> Iterator[Message]:
    """Yield the words that a sentence can have in its places."""
    for part in node.values if isinstance(node, ast.JoinedStr) else ():
        if isinstance(part, ast.FormattedValue):
            yield from ((word, None) for word in _style(part.value, styles)[1])


def named_places(text: str) -> str:
    """Return a text with names in the bare places that `str.replace` fills with a number."""
    numbers = itertools.count(1)
    return re.sub(r"\{\}", lambda _: f"{{parameter{next(numbers)}:d}}", text)


def _hidden_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield documentation, the parts of f-strings, which count as wholes, and plural forms."""
    if isinstance(node, ast.Call) and _called_name(node) == "translate_plural":
        yield from node.args[:2]
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        for part in ast.walk(node):
            if part is not node:
                yield part


def template(node: ast.AST, styles: dict[str, tuple[str, tuple[str, ...]]] | None = None) -> str:
    """Return a string, or an f-string with named places; nothing for other nodes.

    A place has the style of its number, or says that it is `counted`, a `list`, a `word` of a file
    (a variable `attribute`) or `words` of the program.
    """
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    names: list[str] = []
    parts = []
    for value in node.values:
        if not isinstance(value, ast.FormattedValue):
            parts.append(template(value))
            continue
        name = base = place_name(value.value)
        number = 2
        while name in names:
            name, number = f"{base}{number}", number + 1
        names.append(name)
        kind = _style(value.value, styles or {})[0]
        style = f":{kind}" if kind else ""
        if value.format_spec is not None:
            style = ":" + "".join(
                part.value if isinstance(part, ast.Constant) else ""
                for part in value.format_spec.values
            )
        parts.append(f"{{{name}{style}}}")
    return "".join(parts)


def place_name(node: ast.AST) -> str:
    """Return a name for the value of an expression."""
    if isinstance(node, ast.Name):
        return node.id.strip("_").lower() or "value"
    if isinstance(node, ast.Attribute):
        return node.attr.strip("_")
    if isinstance(node, ast.Call):
        if _called_name(node) in COUNTED:
            return re.sub(r"\W", "_", _counted_words(node)[1])
        if _called_name(node) in ("len", "str", "repr", "sorted", "sum") and node.args:
            return place_name(node.args[0])
        return _called_name(node).strip("_") or "value"
    if isinstance(node, ast.Subscript):
        return place_name(node.value)
    return "value"


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
    nouns = node.args[1:3] if _called_name(node) in COUNTED else node.args[2:4]
    words = [one.value for one in nouns if isinstance(one, ast.Constant)]
    if not words or len(words) < len(nouns):
        return "", "count"
    return words[0], words[1] if len(words) > 1 else f"{words[0]}s"


def _progress(node: ast.Call) -> Iterator[Message]:
    """Yield what a report of progress shows: the stage, and the rate of its unit."""
    stage = template(node.args[2])
    if stage:
        yield stage, None
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
        and re.search(r"[.?!:…][”\"]?$|: \{(fault|reason)\}$", text)
        and "\n" not in text
        and not re.match(r"(SELECT|INSERT|UPDATE|DELETE) ", text)
    )


def script_messages(script: str) -> Iterator[Message]:
    """Yield the arguments of `t`, the messages of exceptions, and lists of limits in a script."""
    text = r'"((?:[^"\\]|\\.)*)"'
    shown = re.findall(rf"\b(?:t|unsupported)\(\s*{text}", script)
    shown += re.findall(rf"\bUnsupportedFile\(\s*{text}", script)
    shown += re.findall(rf"const message = {text};", script)
    for limits in re.findall(r"limits: \[\n(.*?)\n    \],", script, re.DOTALL):
        shown += [one for one in re.findall(text, limits) if is_sentence(one)]
    yield from ((one.replace('\\"', '"'), None) for one in shown)
    for one in re.findall(r"\bUnsupportedFile\(\s*`([^`]*)`", script):
        yield re.sub(r"\$\{(\w+)\}", r"{\1}", one), None


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


if __name__ == "__main__":
    missing = update_catalogue()
    sys.stdout.write(f"{missing} sentences are not translated\n")
    sys.exit(bool(missing) and "--check" in sys.argv)
