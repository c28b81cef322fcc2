"""The errors of an XML file as they are found: each with its line, bounded in number."""

from __future__ import annotations

from collections.abc import Sequence
from xml.parsers.expat import ErrorString, ExpatError, errors

from core.defects import Defect, Place, error
from core.tasks.keyword_spotting.xml_rules import RELEVANCE_ROOT, RESULTS_ROOT, did_you_mean

SHOWN = 1000
"""So many errors of a file are told one by one; the others are counted."""

_MEND = "Mend this place; nothing after it was read."
_COMPLETE = "Get the complete file: copy or write it again."
_REPLACE = "Replace the reference by the character itself; nothing after it was read."
_UNKNOWN_ENCODING = (
    "The encoding that the first line names is unknown.",
    "Save the file as UTF-8.",
)
_CUT_SHORT = {
    errors.codes[errors.XML_ERROR_NO_ELEMENTS],
    errors.codes[errors.XML_ERROR_UNCLOSED_TOKEN],
    errors.codes[errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
    errors.codes[errors.XML_ERROR_PARTIAL_CHAR],
}
_MALFORMED = {
    errors.codes[name]: told
    for name, told in {
        errors.XML_ERROR_INVALID_TOKEN: (
            "Here stands what XML does not allow: a stray < or &, a control character, or a byte "
            "that is not in the file's encoding.",
            _MEND,
        ),
        errors.XML_ERROR_TAG_MISMATCH: ("The closing tag does not fit the open tag.", _MEND),
        errors.XML_ERROR_DUPLICATE_ATTRIBUTE: ("A tag has the same attribute twice.", _MEND),
        errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: (
            "Something stands after the end of the outermost tag.",
            "Remove it; nothing after it was read.",
        ),
        errors.XML_ERROR_UNDEFINED_ENTITY: (
            "An entity other than &lt; &gt; &amp; &quot; and &apos; is not allowed.",
            _REPLACE,
        ),
        errors.XML_ERROR_UNKNOWN_ENCODING: _UNKNOWN_ENCODING,
        errors.XML_ERROR_INCORRECT_ENCODING: (
            "The file is not in the encoding that its first line names.",
            "Save the file as UTF-8.",
        ),
        errors.XML_ERROR_MISPLACED_XML_PI: (
            "The XML declaration (<?xml ...?>) does not stand at the very start.",
            "Remove what stands before it, or join only the contents of several files.",
        ),
    }.items()
}


class ErrorLog:
    """Collects the errors of one file; from the thousandth on they are only counted."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._errors: list[Defect] = []
        self._more = 0

    def __bool__(self) -> bool:
        return bool(self._errors)

    def add(self, line: int, found: str, expected: str = "", hint: str = "") -> None:
        """Tell one error."""
        if len(self._errors) < SHOWN:
            self._errors.append(error(Place(self.path, max(line, 1)), found, expected, hint))
        else:
            self._more += 1

    def add_malformed(self, fault: ExpatError, open_tags: Sequence[str]) -> None:
        """Tell where the XML itself is broken; `open_tags` are those not closed by then."""
        if fault.code in _CUT_SHORT:
            inside = fault.code != errors.codes[errors.XML_ERROR_NO_ELEMENTS]
            self.add(fault.lineno, _cut_short(open_tags, inside=inside), "", _COMPLETE)
            return
        message = f"The XML is malformed: {ErrorString(fault.code)}."
        found, hint = _MALFORMED.get(fault.code, (message, _MEND))
        self.add(fault.lineno, found, "", hint)

    def add_unknown_encoding(self, line: int) -> None:
        """Tell that no text can be made of the file, because its encoding is not known."""
        found, hint = _UNKNOWN_ENCODING
        self.add(line, found, "", hint)

    def add_wrong_root(self, line: int, name: str, wanted: str) -> None:
        """Tell that the outermost tag is not `wanted`, and whether the files are swapped."""
        expected = f"A file that begins with <{wanted}> is expected."
        swapped = (
            "The two files are swapped: give the relevance file with --relevance "
            "and the result list with --results."
        )
        if name == RESULTS_ROOT:
            self.add(line, f"This is a result list (<{name}>).", expected, swapped)
        elif name == RELEVANCE_ROOT:
            self.add(line, f"This is a relevance file (<{name}>).", expected, swapped)
        else:
            hint = did_you_mean((name,), wanted) or "Give the right file."
            self.add(line, f"The outermost tag is <{name}>.", expected, hint)

    def defects(self) -> tuple[Defect, ...]:
        """Every error told so far, in the order of the file."""
        if not self._more:
            return tuple(self._errors)
        found = f"{self._more:,} more errors are not listed."
        hint = "Mend the first ones and check again."
        return (*self._errors, error(Place(self.path, 1), found, "", hint))


def _cut_short(open_tags: Sequence[str], *, inside: bool) -> str:
    if not open_tags:
        return "The file ends inside a tag." if inside else "The file holds no tag at all."
    tags = " and ".join(f"<{name}>" for name in reversed(open_tags))
    verb = "are" if len(open_tags) > 1 else "is"
    where = "inside a tag, and " if inside else ""
    return f"The file ends {where}before {tags} {verb} closed: it was cut short."
