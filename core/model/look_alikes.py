"""Names that look like others: confusable letters, invisible characters, capitals, blanks.

The table has the letters of Cyrillic and Greek that most fonts draw like Latin ones, after
Unicode's confusables (https://www.unicode.org/reports/tr39/); compatibility forms are folded too.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, warning

CONFUSABLE = str.maketrans(
    {
        **dict(zip("аαɑ", "aaa", strict=True)),
        **dict(zip("сϲ", "cc", strict=True)),
        **dict(zip("еєεё", "eeee", strict=True)),
        **dict(zip("һн", "hh", strict=True)),
        **dict(zip("іιїı", "iiii", strict=True)),
        **dict(zip("јϳ", "jj", strict=True)),
        **dict(zip("кκ", "kk", strict=True)),
        **dict(zip("мμ", "mm", strict=True)),
        **dict(zip("пηո", "nnn", strict=True)),
        **dict(zip("оοσօ0", "ooooo", strict=True)),
        **dict(zip("рρ", "pp", strict=True)),
        **dict(zip("ѕ", "s", strict=True)),
        **dict(zip("тτ", "tt", strict=True)),
        **dict(zip("υս", "uu", strict=True)),
        **dict(zip("νѵ", "vv", strict=True)),
        **dict(zip("ѡωш", "www", strict=True)),
        **dict(zip("хχ", "xx", strict=True)),
        **dict(zip("уγү", "yyy", strict=True)),
        **dict(zip("вβьъ", "bbbb", strict=True)),
        **dict(zip("ԁ", "d", strict=True)),
        **dict(zip("ӏl1|", "llll", strict=True)),
        **dict(zip("ԛ", "q", strict=True)),
        **dict(zip("гɡ", "rg", strict=True)),
        **dict(zip("ѐ", "e", strict=True)),
        **dict(zip("ζ", "z", strict=True)),
    }
)
"""Letters, after folding of case, by the Latin letter that they look like."""
SCRIPTS = (
    ("LATIN", translatable("Latin")),
    ("CYRILLIC", translatable("Cyrillic")),
    ("GREEK", translatable("Greek")),
)
INVISIBLE = ("Cf", "Cc", "Mn", "Me", "Zl", "Zp")
"""Unicode's categories of characters that are not seen, or lie over others."""


def skeleton(name: str) -> str:
    """Return what a name looks like; names with the same result look alike."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    seen = "".join(one for one in folded if unicodedata.category(one) not in INVISIBLE)
    seen = re.sub(r"(?<=[^\W\d_])[\s_-]+(?=[^\W\d_])", "", seen)  # between letters
    seen = seen.translate(CONFUSABLE).replace("rn", "m")
    return re.sub(r"[\s_-]+", " ", seen).strip()


def look_alikes(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the groups of different names that look alike, in order."""
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(skeleton(name), []).append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def look_alike_warnings(names: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each group of names that look alike, and for names of mixed scripts."""
    listed = list(dict.fromkeys(names))
    for group in look_alikes(listed):
        shown = name_list([spelled(name) for name in group])
        yield fill("These names look alike: {names}.", shown)
    for name in listed:
        scripts = mixed_scripts(name)
        if scripts:
            yield fill("The name {name} mixes letters: {scripts}.", spelled(name), scripts)
        elif any(unicodedata.category(one) == "Cf" for one in name):
            yield fill("The name {name} has invisible characters.", spelled(name))


def look_alike_defects(place: str, names: Iterable[str]) -> list[Defect]:
    """Return the warnings of names as defects of the file that has them, or some of them."""
    return [warning(Place(place), sentence) for sentence in look_alike_warnings(names)]


@functools.lru_cache(maxsize=4)
def first_look_alike(names: tuple[str, ...]) -> str:
    """Return the first warning of names; empty without one. Pages ask for it at every change."""
    return next(look_alike_warnings(names), "")


def spelled(name: str) -> str:
    """Return a name with the code of each letter that is not ASCII, which tells it from others."""
    odd = dict.fromkeys(f"U+{ord(one):04X}" for one in name if not one.isascii())
    return f"{name} ({' '.join([*odd][:4])})" if odd else name


def mixed_scripts(name: str) -> str:
    """Return the scripts that one word of a name mixes; empty if it mixes none."""
    for word in re.findall(r"\w+", name):
        found = {
            title
            for one in word
            for script, title in SCRIPTS
            if one.isalpha() and unicodedata.name(one, "").startswith(script)
        }
        if len(found) > 1:
            return ", ".join(sorted(found))
    return ""
