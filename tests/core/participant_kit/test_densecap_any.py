"""Any JSON in every layout of captioned boxes gives the same defects in page and kit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jurydesk.core.tasks.densecap.readers.json_shapes import FORMATS
from support.kits.dense_captions import BOX_FORMATS, Both, genome, images, kits_in, region, results
from support.suite.samples import sample_size

FAR = 2.0**126
EDGES = (FAR, 2**126, 2**126 + 1, 2**126 + 2**73, -(2**128), 3.5e38, 1e39, 10**309, -0.0, 5e-324)
NUMBERS = (
    st.floats(-3, 700, width=32)
    | st.floats(width=32)
    | st.floats()
    | st.integers(-2, 700)
    | st.integers()
    | st.sampled_from(EDGES)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
IDS = st.sampled_from(["a", "7", 7, "__proto__", "a.png", "b.Jpeg", "constructor", True]) | TEXTS
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=5,
)


def seldom(usual: st.SearchStrategy[Any], rare: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw mostly from the first strategy: a file with only errors has few different defects."""
    return st.integers(0, 19).flatmap(lambda chance: usual if chance else rare)


PLAIN = st.lists(st.floats(-3, 700, width=32) | st.integers(0, 700), min_size=4, max_size=4)
BOXES = seldom(PLAIN, st.lists(NUMBERS, min_size=4, max_size=4) | ANY)
CAPTIONS, SCORES = seldom(TEXTS, ANY), seldom(st.floats(-9, 0), NUMBERS | ANY)
NAMES = seldom(IDS, ANY)
SIDES = st.integers(1, 700) | st.floats(0.5, 700) | ANY
REGIONS = st.fixed_dictionaries(
    {"image_id": NAMES},
    optional={"box": BOXES, "bbox": BOXES, "caption": CAPTIONS, "score": SCORES, "x": ANY},
) | st.fixed_dictionaries(
    {"image_id": NAMES, "box": BOXES, "caption": CAPTIONS, "score": SCORES},
)


@st.composite
def pictures(draw: st.DrawFn, image: str, inside: str, score: str) -> Any:
    """Return objects of one image each, with their parallel lists."""
    count = draw(st.integers(0, 3))
    held = {
        name: draw(seldom(st.lists(values, min_size=count, max_size=count), ANY))
        for name, values in (("boxes", BOXES), ("captions", CAPTIONS), (score, SCORES))
    }
    named = draw(st.dictionaries(st.sampled_from([image, image, "image_id", "id"]), NAMES))
    if draw(st.booleans()):
        named |= {"width": draw(SIDES), "height": draw(SIDES)}
    return named | ({inside: held} if inside else held)


def listed(entry: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(seldom(entry, ANY), max_size=4)


GENOME = st.fixed_dictionaries(
    {
        "regions": listed(
            st.fixed_dictionaries(
                {side: seldom(st.integers(0, 700), NUMBERS | ANY) for side in ("x", "y")}
                | {side: seldom(st.integers(0, 700), NUMBERS | ANY) for side in ("width", "height")}
                | {"phrase": CAPTIONS, "score": SCORES},
                optional={"image_id": NAMES},
            )
        )
    },
    optional={"id": NAMES, "image_id": NAMES},
)
MEMBERS = ("detections", "ground_truth", "annotations", "regions", "records", "images", "results")
FORM = {"box_format": seldom(st.sampled_from(FORMATS), ANY)}
DOCUMENTS = st.one_of(
    st.fixed_dictionaries(
        {"images": listed(pictures("image_id", "detections", "logprobs"))}, optional=FORM
    ),
    st.fixed_dictionaries({"results": listed(pictures("img_name", "", "scores"))}, optional=FORM),
    listed(GENOME),
    listed(REGIONS),
    st.builds(
        lambda name, entries, form: {name: entries, "box_format": form},
        st.sampled_from(MEMBERS),
        listed(REGIONS),
        seldom(st.sampled_from(FORMATS), ANY),
    ),
    st.dictionaries(st.sampled_from(MEMBERS), ANY),
    ANY,
)


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Both]:
    return kits_in(tmp_path_factory.mktemp("boxes"))


def encode(data: Any) -> bytes:
    """Return the JSON; a repeated member is made of one whose name begins with `b`."""
    return json.dumps(data).replace('"bbox"', '"box"').encode()


@settings(max_examples=sample_size(60, of=150))
@given(DOCUMENTS, st.sampled_from(BOX_FORMATS))
@example([region(), region(bbox=[1, 2, 3, 4])], "auto")
def test_any_json_is_reported_alike(kits: dict[str, Both], data: Any, box_format: str) -> None:
    kits[box_format].tell(encode(data))


@settings(max_examples=sample_size(50, of=100))
@given(st.data())
def test_a_valid_file_with_a_few_changed_bytes_is_reported_alike(
    kits: dict[str, Both], data: st.DataObject
) -> None:
    good = bytearray(data.draw(st.sampled_from(list(good_files()))))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(good)))
        removed = data.draw(st.integers(0, 3))
        put = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"\\ud800", b"1e400", b"NaN", b"}"])
        )
        good[place : place + removed] = put
    if not good.startswith(b"\x1f\x8b"):
        kits["auto"].tell(bytes(good))


def good_files() -> Iterator[bytes]:
    """Return one valid file of every layout."""
    for data in (images(), results(), [region()] * 2, [genome()], {"detections": [region()]}):
        yield json.dumps(data, indent=1).encode()
