from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from jurydesk.core.competition.rating_design import PictureRef
from jurydesk.core.human_evaluation.packets import packet_reader, photos
from jurydesk.core.human_evaluation.packets.packet import (
    canonical_json,
    make_manifest,
    packet_members,
    write_packet,
)
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder, make_jpeg
from jurydesk.core.human_evaluation.packets.rating_page import rating_page_bytes
from support.files.odd_zip import ODD_ZIPS, with_other_bytes
from support.rating import studies


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> Path:
    """Return photos for the first four sequences: one of them huge, with a place and an author."""
    folder = tmp_path_factory.mktemp("images")
    studies.photos_in(folder, 4)
    photos = [one.name for one in studies.pool().items[0].pictures]
    exif = Image.Exif()
    exif[0x013B] = "ZEBRAnet"
    exif[0x0112] = 6
    (folder / f"{photos[0]}.png").unlink()
    Image.new("RGB", (4000, 1000), "red").save(folder / f"{photos[0]}.jpg", exif=exif)
    (folder / f"{photos[1]}.png").write_bytes(b"no picture at all")
    return folder


@pytest.fixture(scope="module")
def study(images):
    return studies.study(images=str(images), practice=2, attention=1, repeated=0.3)


@pytest.fixture
def content(study, images):
    return studies.contents(study, images)[0]


@pytest.fixture
def packet(content, tmp_path) -> Path:
    path = tmp_path / "r01.jurypacket"
    with path.open("wb") as file:
        write_packet(content, file)
    return path


def test_a_packet_is_read_as_it_was_written(content, packet):
    found = read_packet(packet).data
    assert found.items == content.items
    assert found.questionnaire == content.questionnaire
    assert (found.rater, found.sha256) == (content.rater, content.sha256)
    assert dict(found.photos) == dict(content.photos)


@pytest.mark.parametrize("more", [{"context": (("Question", "Why?"),)}, {"pictures": ((),)}])
def test_the_manifest_has_words_where_an_item_has_more_than_stories(content, more):
    assert "words" not in json.loads(make_manifest(content)[0])
    first = replace(content.items[0], **more)
    longer = replace(content, items=(first, *content.items[1:]))
    assert json.loads(make_manifest(longer)[0])["words"] == content.words


def test_equal_packets_have_equal_bytes(study, images):
    written = []
    for _ in range(2):
        target = io.BytesIO()
        write_packet(studies.contents(study, images)[1], target)
        written.append(target.getvalue())
    assert written[0] == written[1]


def test_the_canonical_form_that_is_hashed_has_sorted_names_and_no_blanks():
    assert canonical_json({"b": [1, {"d": "\u00e9", "c": None}], "a": "\ud800"}) == (
        '{"a":"?","b":[1,{"c":null,"d":"\u00e9"}]}'.encode()
    )


class TestBlindness:
    """The systems have distinctive names, so that a leak is found."""

    def forbidden(self, study) -> list[str]:
        names = list(study.pool.systems)
        sequences = [item.id for item in study.pool.items]
        return [*names, *(name.lower() for name in names), *sequences, study.secret]

    def test_no_byte_of_a_packet_names_a_system_or_a_story(self, study, packet):
        found = [packet.read_bytes()]
        with zipfile.ZipFile(packet) as archive:
            found += [archive.read(info) for info in archive.infolist()]
            found += [info.filename.encode() + info.extra + info.comment
                      for info in archive.infolist()]  # fmt: skip
        for word in self.forbidden(study):
            assert not any(word.encode() in each for each in found), word

    def test_no_byte_of_a_page_names_a_system_or_a_story(self, study, content):
        page = rating_page_bytes(content)
        for word in self.forbidden(study):
            assert word.encode() not in page

    def test_photos_are_not_named_by_their_ids(self, study, packet):
        with zipfile.ZipFile(packet) as archive:
            items = json.loads(archive.read("items.json"))
            names = archive.namelist()
        there = [photo for item in items for photo in item["photos"] if photo[0]]
        assert there
        assert all(missing == "" for _, missing in there)
        ids = {photo.name for item in study.pool.items for photo in item.pictures}
        # Random names may contain the digits of an id by chance, but none equals one.
        assert not ids & {Path(name).stem for name in names}

    def test_extras_look_like_any_other_item(self, content):
        kinds = {tuple(sorted(item.to_json())) for item in content.items}
        assert kinds == {("id", "photos", "practice", "stories")}

    def test_ids_are_random_and_reveal_no_order(self):
        one, other = studies.study(), studies.study()
        ids = [task.id for rater in one.raters for task in rater.tasks]
        again = [task.id for rater in other.raters for task in rater.tasks]
        assert len(set(ids)) == len(ids)
        assert not set(ids) & set(again)

    @pytest.mark.parametrize(("raters", "ratings"), [(6, 3), (9, 3), (12, 4)])
    def test_no_system_is_first_for_every_rater(self, raters, ratings):
        large = studies.study(sequences=12, raters=raters, ratings=ratings)
        assert len({rater.tasks[0].item.systems for rater in large.raters}) > 1


def test_a_lost_picture_of_an_entry_does_not_reveal_its_folder(study):
    made = studies.study()
    lost = (PictureRef("/runs/ZEBRAnet/ZEBRAnet-10.png"),)
    items = tuple(
        replace(item, entries=tuple(replace(one, pictures=lost) for one in item.entries))
        for item in made.pool.items
    )
    found = studies.contents(replace(made, pool=replace(made.pool, items=items)))[0]
    assert {photo.missing for item in found.items for row in item.pictures for photo in row} == {
        "not found"
    }
    assert not any(b"ZEBRAnet" in data for _, data in packet_members(found))


class TestPhotos:
    def test_photos_are_small_and_upright(self, content):
        sizes = [Image.open(io.BytesIO(data)).size for data in content.photos.values()]
        assert all(max(size) <= 1600 for size in sizes)
        assert (400, 1600) in sizes

    def test_nothing_else_of_the_photo_files_is_included(self, content):
        for data in content.photos.values():
            assert b"ZEBRAnet" not in data
            assert not Image.open(io.BytesIO(data)).getexif()

    def test_a_missing_photo_is_named_and_an_unreadable_one_is_reported(self, study, images):
        photos = PhotoFolder(images)
        assert photos.get(PictureRef("nowhere")) is None
        broken = study.pool.items[0].pictures[1].name
        assert photos.get(PictureRef(broken)) is None
        assert str(photos.defects[0]) == (
            f"warning  {broken}.png: The photo cannot be read: cannot identify image file "
            f"'{images / broken}.png'.\n       It is shown as missing."
        )

    @pytest.mark.parametrize("by_found", [False, True])
    def test_a_name_that_leads_elsewhere_opens_nothing(self, images, tmp_path, by_found):
        secret = tmp_path / "elsewhere" / "secret.png"
        secret.parent.mkdir()
        Image.new("RGB", (9, 9)).save(secret)
        for name in (str(secret), "../elsewhere/secret.png", "..\\elsewhere\\secret.png"):
            picture = PictureRef("a", found=name) if by_found else PictureRef(name, (0, 0, 9, 9))
            photos = PhotoFolder(images)
            assert not photos.has(picture)
            assert photos.get(picture) is None
            assert len(photos.defects) == (not by_found)
        assert PhotoFolder(images, [secret.parent]).has(PictureRef("a", found=str(secret)))
        assert not PhotoFolder(images, [secret.parent]).has(PictureRef(str(secret)))


def rewritten(packet: Path, change, drop=()) -> Path:
    """Return the packet with some members changed."""
    with zipfile.ZipFile(packet) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    target = packet.with_name("changed.jurypacket")
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            if name not in drop:
                archive.writestr(name, change(name, data))
    return target


def refusal(path: Path) -> str:
    reading = read_packet(path)
    assert reading.data is None
    (defect,) = reading.defects
    return defect.found


class TestRefused:
    def test_an_altered_story_is_refused(self, packet):
        path = rewritten(packet, lambda name, data: data.replace(b"laughs", b"weeps"))
        assert refusal(path) == ("The packet was altered: items.json does not match its manifest.")

    def test_a_removed_photo_is_refused(self, packet):
        name = next(name for name in zipfile.ZipFile(packet).namelist() if "photos" in name)
        path = rewritten(packet, lambda name, data: data, drop=(name,))
        assert refusal(path) == f"The packet was altered: {name} was added or removed."

    def test_a_repeated_member_is_refused(self, packet):
        with zipfile.ZipFile(packet, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("items.json", b"[]")
        assert refusal(packet) == "The packet was altered: it contains items.json twice."

    @pytest.mark.parametrize(
        "name", ["../evil.json", "/etc/passwd", "photos/a.exe", "x/items.json"]
    )
    def test_a_member_with_another_name_is_refused(self, packet, name):
        with zipfile.ZipFile(packet, "a") as archive:
            archive.writestr(name, b"x")
        assert refusal(packet) == f"The packet contains an unexpected file: {name!r}."

    @pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
    def test_a_truncated_packet_is_refused(self, packet, share):
        content = packet.read_bytes()
        packet.write_bytes(content[: int(share * len(content))])
        assert refusal(packet) == ("The packet is damaged or incomplete.")

    def test_a_zip_of_other_files_is_refused(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "x.jurypacket", "w") as archive:
            archive.writestr("hello.txt", "hello")
        assert refusal(tmp_path / "x.jurypacket") == "This is not a packet: it has no manifest."

    def test_a_newer_packet_is_refused(self, packet):
        path = rewritten(packet, lambda name, data: data.replace(b'"version":3', b'"version":9'))
        assert refusal(path) == (
            "The packet has version 9; this program reads 4. Install the newest version."
        )

    @pytest.mark.parametrize("key", ['"abc"', "7", '"' + "A" * 64 + '"'])
    def test_an_invalid_key_is_refused(self, content, packet, key):
        written = f'"key":"{content.key}"'.encode()
        path = rewritten(packet, lambda name, data: data.replace(written, f'"key":{key}'.encode()))
        assert refusal(path) == "The packet's manifest is invalid."

    def test_a_file_that_only_claims_to_be_a_photo_is_refused(self, content, packet):
        name = next(iter(content.photos))
        target = io.BytesIO()
        write_packet(replace(content, photos={**content.photos, name: b"<svg/>"}), target)
        packet.write_bytes(target.getvalue())
        assert (
            refusal(packet) == f"The packet contains a file that is not a photo: photos/{name}.jpg."
        )

    def test_a_member_with_another_compression_is_refused(self, content, tmp_path):
        path = tmp_path / "packed.jurypacket"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("manifest.json", make_manifest(content)[0])
            for name, data in packet_members(content):
                archive.writestr(name, data)
        assert refusal(path) == "The packet uses an unsupported compression method."

    def test_a_name_that_is_not_text_is_refused(self, packet):
        data = packet.read_bytes().replace(b"items.json", b"items\xff\xfe\xfd\xfc\xfb")
        place = data.rindex(b"PK\x01\x02", 0, data.rindex(b"items\xff"))
        packet.write_bytes(data[: place + 9] + b"\x08" + data[place + 10 :])  # "in UTF-8"
        assert refusal(packet) == "The packet is damaged or incomplete."

    def test_a_question_of_an_unknown_kind_is_refused(self, content, packet):
        members = dict(packet_members(content))
        members["questionnaire.json"] = members["questionnaire.json"].replace(b"likert", b"magic")
        write_members(packet, content, members)
        assert refusal(packet).startswith("The packet's questionnaire is invalid: Question 1: ")

    def test_a_name_in_the_manifest_cannot_move_the_cursor(self, content, packet):
        write_members(packet, content, dict(packet_members(content)), named="\x1b[31m")
        assert refusal(packet) == "The packet was altered: '\\x1b[31m' was added or removed."

    def test_a_missing_file_is_refused(self, tmp_path):
        assert refusal(tmp_path / "no.jurypacket") == (
            "The packet cannot be read: No such file or directory."
        )

    @pytest.mark.parametrize(
        "damage",
        [b"[]", b"{}", b"[1]", b'[{"id":"x","photos":[],"stories":["a"],"practice":false}]',
         b'[{"id":"0123456789abcdef","photos":[["00000000000000000000",""]],"stories":["a"],'
         b'"practice":false}]',
         b'[{"id":"0123456789abcdef","photos":[],"stories":[1],"practice":false}]'],
    )  # fmt: skip
    def test_invalid_stories_are_refused(self, content, packet, damage):
        members = dict(packet_members(content))
        members["items.json"] = damage
        target = packet.with_name("odd.jurypacket")
        write_members(target, content, members)
        assert refusal(target) == "The packet's list of items is invalid."


def write_members(path: Path, content, members, named: str = "") -> None:
    """Write a packet whose manifest agrees with its members, except for one that it only names."""
    files = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    files |= {named: ""} if named else {}
    manifest = {"format": "jurydesk packet", "version": 3, "rater": "r01", "files": files}
    manifest["key"] = "0" * 64
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("box", "size"),
    [((0, 0, 5, 4), (5, 4)), ((-2, -1, 5, 4), (3, 3)), ((7, 6, 9, 9), (3, 2))],
)
def test_a_part_of_a_picture_ends_where_the_picture_does(tmp_path, box, size):
    path = tmp_path / "page.png"
    Image.new("RGB", (10, 8)).save(path)
    content = make_jpeg(path, box)
    assert Image.open(io.BytesIO(content)).size == size


def test_what_is_transparent_in_a_picture_becomes_white(tmp_path):
    path = tmp_path / "clear.png"
    Image.new("RGBA", (8, 8), (200, 0, 0, 0)).save(path)
    assert Image.open(io.BytesIO(make_jpeg(path))).getpixel((4, 4)) == (255, 255, 255)
    Image.new("RGBA", (8, 8), (0, 0, 0, 255)).save(path)
    assert Image.open(io.BytesIO(make_jpeg(path))).getpixel((4, 4)) == (0, 0, 0)


def test_a_refused_packet_is_closed(packet, monkeypatch):
    opened = []

    class Archive(zipfile.ZipFile):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            opened.append(self)

    monkeypatch.setattr(packet_reader.zipfile, "ZipFile", Archive)
    path = rewritten(packet, lambda name, data: data.replace(b'"version":3', b'"version":9'))
    opened.clear()
    assert read_packet(path).data is None
    assert [archive.fp for archive in opened] == [None]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("MAX_MEMBERS", "The packet is too large."),
        ("MAX_BYTES", "The packet is too large."),
        ("MAX_JSON_BYTES", "The packet's file {largest} is too large."),
        ("MAX_PHOTO_BYTES", "The packet's file {photo} is too large."),
    ],
)
def test_a_packet_at_a_limit_is_read_and_one_beyond_it_is_refused(packet, monkeypatch, name, found):
    infos = zipfile.ZipFile(packet).infolist()
    json_files = [one for one in infos if one.filename.endswith(".json")]
    photos = [one for one in infos if one.filename.endswith(".jpg")]
    largest = max(json_files, key=lambda one: one.file_size)
    photo = max(photos, key=lambda one: one.file_size)
    limit = {
        "MAX_MEMBERS": len(infos),
        "MAX_BYTES": sum(one.file_size for one in infos),
        "MAX_JSON_BYTES": largest.file_size,
        "MAX_PHOTO_BYTES": photo.file_size,
    }[name]
    monkeypatch.setattr(packet_reader, name, limit)
    content = read_packet(packet).data
    assert len(content.photos) == len(photos)
    assert all(content.photos[one] for one in content.photos)
    monkeypatch.setattr(packet_reader, name, limit - 1)
    assert refusal(packet) == found.format(largest=largest.filename, photo=photo.filename)


MANIFESTS = {
    "the packet's manifest is not a packet of Jurydesk": ({"format": "x"}, "not a packet of J"),
    "no files": ({"files": []}, "manifest is invalid"),
    "no rater": ({"rater": None}, "manifest is invalid"),
    "an odd rater": ({"rater": "r 01"}, "manifest is invalid"),
    "no items": ({"files": {"questionnaire.json": ""}}, "items or its questions are missing"),
    "no questions": ({"files": {"items.json": ""}}, "items or its questions are missing"),
    "words without a picture": ({"words": {"entry": {}}}, "manifest is invalid"),
    "words as a list": ({"words": []}, "manifest is invalid"),
}


@pytest.mark.parametrize("case", MANIFESTS)
def test_a_manifest_that_says_something_else_is_refused(packet, case):
    change, found = MANIFESTS[case]
    path = rewritten(
        packet,
        lambda name, data: (
            json.dumps({**json.loads(data), **change}).encode() if name == "manifest.json" else data
        ),
    )
    assert found in refusal(path)


@pytest.mark.parametrize("place", range(ODD_ZIPS))
def test_a_packet_with_bytes_of_no_member_is_refused(packet, place):
    packet.write_bytes([*with_other_bytes(packet.read_bytes())][place])
    assert read_packet(packet).data is None
    assert read_packet(packet).defects[0].found in (
        "The packet was altered: it has bytes that belong to no file.",
        "The packet is damaged or incomplete.",
    )


def test_a_manifest_that_names_a_rater_twice_is_refused(packet):
    path = rewritten(packet, lambda _, data: data.replace(b'"rater":', b'"rater":"r9","rater":'))
    assert refusal(path) == "The packet's manifest.json is not valid JSON."


def test_json_that_is_none_is_refused_by_name(packet):
    path = rewritten(packet, lambda name, data: b"{" if name == "manifest.json" else data)
    assert refusal(path) == "The packet's manifest.json is not valid JSON."


@pytest.mark.parametrize(
    ("language", "read"), [("ru", "ru"), ("xx", "en"), (7, "en"), (None, "en")]
)
def test_the_language_of_a_packet_is_one_of_the_program(packet, language, read):
    path = rewritten(
        packet,
        lambda name, data: (
            json.dumps({**json.loads(data), "language": language}).encode()
            if name == "manifest.json"
            else data
        ),
    )
    assert read_packet(path).data.language == read


def test_a_picture_that_cannot_be_shown_has_a_reason(tmp_path, monkeypatch):
    path = tmp_path / "page.png"
    Image.new("RGB", (10, 8)).save(path)
    for box in ((10, 0, 5, 5), (0, 8, 5, 5), (-5, 0, 5, 5), (0, 0, 0, 5)):
        assert make_jpeg(path, box) == "the box is empty"
    monkeypatch.setattr(photos, "MAX_PIXELS", 80)
    assert Image.open(io.BytesIO(make_jpeg(path))).size == (10, 8)
    monkeypatch.setattr(photos, "MAX_PIXELS", 79)
    assert make_jpeg(path) == "it has 10 x 8 pixels, which is too many"
    assert make_jpeg(tmp_path / "none.png") == "No such file or directory"
    path.write_bytes(b"text")
    assert make_jpeg(path).startswith("cannot identify image file")


def test_a_picture_is_made_as_small_as_its_limit_and_no_smaller(tmp_path, monkeypatch):
    monkeypatch.setattr(photos, "MAX_SIDE", 20)
    for size, shown in (((20, 10), (20, 10)), ((40, 10), (20, 5)), ((10, 40), (5, 20))):
        Image.new("RGB", size).save(tmp_path / "a.png")
        assert Image.open(io.BytesIO(make_jpeg(tmp_path / "a.png"))).size == shown
    part = make_jpeg(tmp_path / "a.png", (0, 0, 10, 40))
    assert Image.open(io.BytesIO(part)).size == (5, 20)
