from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from jurydesk.core.readers import images
from jurydesk.core.readers.images import (
    PictureError,
    open_picture,
    picture_defects,
    picture_size,
)
from support.tiny_models import picture

Image = pytest.importorskip("PIL.Image")


def refusal(path) -> str:
    with pytest.raises(PictureError) as refused:
        open_picture(path)
    return str(refused.value)


def chunk(kind: bytes, content: bytes) -> bytes:
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def bomb(path, side=60_000):
    """Return a PNG of a few hundred bytes that claims billions of pixels."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    content = (
        chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 64)) + chunk(b"IEND", b"")
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + content)
    return path


def test_an_ordinary_picture_has_no_defects(tmp_path):
    found = open_picture(picture(tmp_path / "a.png", 0))
    assert (found.image.mode, found.image.size, found.remarks) == ("RGB", (40, 30), ())


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "1"])
def test_other_colour_modes_are_converted_to_rgb(tmp_path, mode):
    path = picture(tmp_path / "a.png", 0, mode=mode)
    expected = Image.open(path).convert("RGB")
    assert np.array_equal(np.array(open_picture(path).image), np.array(expected))


def test_a_missing_file_is_reported(tmp_path):
    assert refusal(tmp_path / "gone.png") == "does not exist"


def test_a_truncated_picture_is_reported(tmp_path):
    path = picture(tmp_path / "a.jpg", 0, size=(200, 200))
    path.write_bytes(path.read_bytes()[:2000])
    assert refusal(path).startswith("is damaged: image file is truncated")


def test_a_file_that_is_not_a_picture_is_reported(tmp_path):
    (tmp_path / "a.png").write_text("<svg/>")
    assert refusal(tmp_path / "a.png") == "is not in a known image format"


def test_a_decompression_bomb_is_reported_before_it_is_unpacked(tmp_path):
    assert refusal(bomb(tmp_path / "a.png")) == (
        "claims 60,000 x 60,000 pixels, more than 100,000,000: it may be a decompression bomb"
    )


def test_the_declared_size_of_a_bomb_is_refused(tmp_path):
    with pytest.raises(PictureError, match="claims 60,000 x 60,000 pixels"):
        picture_size(bomb(tmp_path / "a.png"))


def test_a_picture_of_the_greatest_size_is_read_and_none_above(tmp_path, monkeypatch):
    path = picture(tmp_path / "a.png", 0, size=(40, 30))
    monkeypatch.setattr(images, "MAX_PIXELS", 1200)
    assert picture_size(path) == open_picture(path).image.size == (40, 30)
    monkeypatch.setattr(images, "MAX_PIXELS", 1199)
    assert refusal(path).startswith("claims 40 x 30 pixels, more than 1,199")


@pytest.mark.parametrize("name", ["a.npy", "a.png"])
def test_a_file_above_the_limit_of_bytes_is_refused_unread(tmp_path, monkeypatch, name):
    monkeypatch.setattr(images, "MAX_BYTES", 2 << 20)
    with (tmp_path / name).open("wb") as file:
        file.truncate((2 << 20) + 1)
    with pytest.raises(PictureError, match=r"^is larger than 2 MiB$"):
        open_picture(tmp_path / name, arrays=True)


def test_cmyk_is_reported(tmp_path):
    (remark,) = open_picture(picture(tmp_path / "a.jpg", 0, mode="CMYK")).remarks
    assert remark == "is in CMYK and was converted to RGB without a colour profile"


def test_sixteen_bits_are_reported(tmp_path):
    Image.fromarray(np.full((4, 4), 700, dtype=np.uint16)).save(tmp_path / "a.png")
    found = open_picture(tmp_path / "a.png")
    assert found.remarks == ("has more than 8 bits per channel; values above 255 are clipped",)
    assert np.array(found.image).max() == 255


def test_an_animation_is_reported_and_its_first_frame_used(tmp_path):
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    first.save(tmp_path / "a.gif", save_all=True, append_images=[second])
    found = open_picture(tmp_path / "a.gif")
    assert found.remarks == ("is an animation of 2 frames; the first one is used",)
    assert found.image.getpixel((0, 0)) == (255, 0, 0)


def test_a_rotated_photograph_is_reported_and_not_rotated(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (9, 5)).save(tmp_path / "a.jpg", exif=exif)
    found = open_picture(tmp_path / "a.jpg")
    assert found.image.size == (9, 5)
    (defect,) = picture_defects(tmp_path / "a.jpg", found.remarks)
    assert str(defect) == (
        "warning  a.jpg: The picture has an Exif orientation, which is not applied.\n"
        "       The published programs read it the same way."
    )


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros((4, 5), np.uint8), "is an array (4, 5) of uint8, not one"),
        (np.zeros((4, 5, 3), "U1"), "is an array (4, 5, 3) of <U1, not one"),
        (np.zeros((0, 5, 3), np.uint8), "has no pixels, or too many"),
    ],
)
def test_an_array_that_is_no_picture_is_reported(tmp_path, array, reason):
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(PictureError) as refused:
        open_picture(tmp_path / "a.npy", arrays=True)
    assert str(refused.value).startswith(reason)


def test_an_array_of_objects_or_with_a_false_size_is_never_loaded(tmp_path, monkeypatch):
    np.save(tmp_path / "a.npy", np.array([{}]), allow_pickle=True)
    np.save(tmp_path / "b.npy", np.zeros((2, 2, 3), np.uint8))
    content = (tmp_path / "b.npy").read_bytes()
    (tmp_path / "b.npy").write_bytes(content.replace(b"(2, 2, 3)", b"(9, 9, 3)"))
    for name in ("a.npy", "b.npy"):
        with pytest.raises(PictureError, match="is damaged: "):
            open_picture(tmp_path / name, arrays=True)
    monkeypatch.setattr(np, "load", lambda *given, **options: pytest.fail("it was loaded"))
    with pytest.raises(PictureError):
        open_picture(tmp_path / "b.npy", arrays=True)


def test_an_array_is_no_picture_where_arrays_are_not_read(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 2, 3), np.uint8))
    assert refusal(tmp_path / "a.npy") == "is not in a known image format"


def test_the_files_of_a_folder_are_in_order_without_those_of_links(tmp_path, monkeypatch):
    for name in ("b.txt", "a.txt", "x/d.txt", "x/y/c.txt", "shut/e.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).touch()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "in" / "x")
    folder, listed = tmp_path / "in", images.os.scandir

    def scandir(place):
        if images.Path(place).name == "shut":
            raise PermissionError(place)
        return listed(place)

    monkeypatch.setattr(images.os, "scandir", scandir)
    names = [path.relative_to(folder).as_posix() for path in images.folder_files(folder)]
    assert names[:3] == ["a.txt", "b.txt", "link"]
    assert sorted(names[3:]) == ["shut", "x/d.txt", "x/y/c.txt"]
    (folder / "x" / "z.png").mkdir()
    found = [path.relative_to(folder).as_posix() for path in images.folder_files(folder)]
    assert set(found) == {*names, "x/z.png"}
    with pytest.raises(PermissionError):
        list(images.folder_files(folder / "shut"))
    assert [images.is_picture_name(images.Path(name)) for name in ("a.PNG", "a.txt", "png")] == [
        True,
        False,
        False,
    ]


def test_the_size_of_a_picture_is_declared_or_refused(tmp_path):
    assert picture_size(picture(tmp_path / "a.png", 0)) == (40, 30)
    (tmp_path / "b.png").write_bytes(b"text")
    (tmp_path / "c.png").write_bytes((tmp_path / "a.png").read_bytes()[:20])
    for name, reason in (
        ("none.png", "does not exist"),
        ("b.png", "is not in a known image format"),
        ("c.png", "is damaged: "),
    ):
        with pytest.raises(PictureError) as raised:
            picture_size(tmp_path / name)
        assert str(raised.value).startswith(reason)


def test_an_array_of_a_picture_is_returned_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "a.npy"
    array = np.arange(24.0).reshape(2, 3, 4)
    np.save(path, array)
    assert np.array_equal(open_picture(path, arrays=True).image, array)
    assert np.array_equal(open_picture(path, arrays=True, content=path.read_bytes()).image, array)
    monkeypatch.setattr(images, "MAX_PIXELS", 6)
    assert open_picture(path, arrays=True).image.shape == (2, 3, 4)
    monkeypatch.setattr(images, "MAX_PIXELS", 5)
    with pytest.raises(PictureError, match="has no pixels, or too many"):
        open_picture(path, arrays=True)
    monkeypatch.setattr(images, "MAX_BYTES", path.stat().st_size - 1)
    with pytest.raises(PictureError, match="is larger than 0 MiB"):
        open_picture(path, arrays=True)
    with pytest.raises(PictureError, match="does not exist"):
        open_picture(tmp_path / "none.npy", arrays=True)
