from __future__ import annotations

import gzip

import pytest

from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_sniff import looks_like_xml, sniff_icfhr
from support.files.icfhr import JUDGED, RANKED


@pytest.mark.parametrize(
    ("head", "role"),
    [
        (JUDGED.encode(), "relevance"),
        (RANKED.encode(), "results"),
        (b"\xef\xbb\xbf" + RANKED.encode(), "results"),
        (gzip.compress(RANKED.encode()), "results"),
        (RANKED.encode("utf-16"), "results"),
        (b"<!-- <GroundTruthRelevanceJudgements> --><RelevanceListings>", "results"),
        (b'<!DOCTYPE r [<!ENTITY x "y">]><RelevanceListings>', "results"),
        (b"<?xml version='1.0'?>\n<!-- a --> <?b ?>\n<RelevanceListings>", "results"),
        (b"<html><RelevanceListings>", None),
        (b"<html><?a ?><RelevanceListings>", None),
        (b"q1 0 d1 1\n", None),
        (b"", None),
        (b"\x1f\x8b\x08broken", None),
    ],
)
def test_the_role_is_detected_from_the_content(head: bytes, role: str | None) -> None:
    assert sniff_icfhr(head) == role


@pytest.mark.parametrize("opening", ["<?", "<!--", "<!DOCTYPE x", "<!DOCTYPE x[", "<!DOCTYPE x[] "])
def test_many_opening_tags_without_an_end_have_no_role_and_are_read_quickly(opening: str) -> None:
    head = opening * (1_000_000 // len(opening))
    assert sniff_icfhr(head.encode()) is None


def test_any_xml_is_recognized_as_xml() -> None:
    assert looks_like_xml(b"\xef\xbb\xbf\n<html>")
    assert looks_like_xml(gzip.compress(b"<?xml?>"))
    assert not looks_like_xml(b"q1 0 <d1> 1")
    assert not looks_like_xml(b"")
