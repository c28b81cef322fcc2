"""Abbreviations of the tokenizer of CoreNLP 3.4.1, determined by experiment."""

from __future__ import annotations


def word_list(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


SENTENCE_END = word_list("""
    al ala apr ariz ark assn aug az bhd bldg blvd bros calif co colo conn corp cos ct dak dec del
    esq est etc ext feb fla fri ga ill inc ind intl jan jr jul jun kan kans ky la ltd mar mass md
    mich minn miss mo mon mont neb nev nov oct okla ore pa penn plc ppte ppty pte ptes pty ptys rd
    rt sep sept seq sq sr sys tel tenn tex thu thurs tue tues univ va vt wash wed wis wisc wyo
""")
"""Abbreviations that may end a sentence, followed by a separate period."""
TITLE = word_list("""
    adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs
    elec ens ft gen gov govs hon insp invt jos lieut lt maj messrs mfg mlle mme mr mrs ms msgr mt
    mtg natl pfc ph pres prof profs pvt rep reps rev sen sens sfc sgt spc st ste supt supts vs wm
""")
"""Abbreviations that never end a sentence."""
NUMBERED = ["no", "nos", "art", "fig", "figs", "pp", "op", "ca", "prop"]
"""Abbreviations that keep their period only before a digit."""
NEVER_SMALL = {"ark", "az", "del", "ill", "la", "mass", "miss", "ore", "pa", "tex", "wash"}
SMALL_LETTERS = {
    **dict.fromkeys(("mfg", "mtg"), 1),
    **dict.fromkeys(("pte", "ptes", "pty", "ptys"), 2),
    **dict.fromkeys(("ppte", "ppty"), 3),
}
"""Places of letters that are never capitals."""

SENTENCE_STARTS = word_list("""
    About According Additionally After A An As At But Earlier He Her Here However If In It Last
    Many More Now Once One Other Our She Since So Some Such That The Their Then There These They
    This We What When While Yet You
""")
"""Words before which the period of an acronym or a single letter also ends a sentence."""


def any_case(word: str) -> str:
    """Return a pattern of the spellings of an abbreviation that count: mostly those in any case."""
    letters = [f"[{letter}{letter.upper()}]" for letter in word]
    if word in NEVER_SMALL:
        letters[0] = word[0].upper()
    if word in SMALL_LETTERS:
        letters[SMALL_LETTERS[word]] = word[SMALL_LETTERS[word]]
    return "".join(letters)


KEEPING_A_PERIOD = frozenset(SENTENCE_END + TITLE + NUMBERED)
"""All abbreviations in lower case."""
FILE_ENDINGS = word_list("""
    bat bmp c class cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl
    png ppt ps py sql tar txt wav x xml zip
""")
"""Endings of names of files, in any case."""
