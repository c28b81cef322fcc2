"""Quotes closed up with what they hold, as FusionBrain's program does it, in one pass.

The program finds what stands between two quotes with white space inside of both, quote by quote,
then replaces each find by its closed form wherever that occurs in the text, as often as it was
found. Copies of a find are closed with it; of two that share a quote only the first, until the
next replacement. Here the same is done to the pieces between the quotes.
"""

from __future__ import annotations

from collections import defaultdict


def with_closed_quotes(text: str, quote: str) -> str:
    """The text with the white space inside of its quotes gone."""
    pieces = text.split(quote)
    inner = range(1, len(pieces) - 1)
    places = defaultdict[str, list[int]](list)
    for place in inner:
        places[pieces[place]].append(place)
    for found in _finds(pieces):
        closed, kept, last = found[1:-1], list[int](), -1
        for place in sorted(places.pop(found, ())):
            if place == last + 1:
                kept.append(place)
                continue
            pieces[place], last = closed, place
            places[closed].append(place)
        if kept:
            places[found] = kept
    return quote.join(pieces)


def _finds(pieces: list[str]) -> list[str]:
    """What stands quoted with white space inside; one find takes both of its quotes."""
    finds, free = list[str](), 1
    for place in range(1, len(pieces) - 1):
        piece = pieces[place]
        if place >= free and len(piece) > 2 and piece[0].isspace() and piece[-1].isspace():
            finds.append(piece)
            free = place + 2
    return finds
