"""Pictures that each preset reads, as the program of its name does, and those it leaves out."""

import numpy as np
import pytest

from jurydesk.core.metrics.fid.preprocessing import PRESETS
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.inception.picture_sets import folder_pictures, listed_pictures
from jurydesk.core.readers.images import open_picture
from support.tiny_models import picture

FILES = ("a.png", "b.PNG", "c.JPG", "d.JPEG", "e.jpg", "f.gif", "g.npy", "in/h.webp", ".i.png")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in (*FILES, "in/deep/j.bmp", "notes.txt"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("preset", "every", "names"),
    [
        ("pytorch-fid", False, ".i.png a.png e.jpg"),
        ("fusionbrain", False, ".i.png a.png c.JPG d.JPEG e.jpg"),
        ("fusionbrain", True, ".i.png a.png b.PNG c.JPG d.JPEG e.jpg f.gif"),
        ("clean", False, "a.png b.PNG c.JPG d.JPEG e.jpg g.npy in/deep/j.bmp in/h.webp"),
    ],
)
def test_each_preset_reads_the_files_of_its_program_and_counts_all_others(
    folder, preset, every, names
):
    found = folder_pictures(folder, PRESETS[preset], every=every)
    read = [path.relative_to(folder).as_posix() for path in found.files]
    assert read == names.split()
    assert sum(defect.count for defect in found.defects) == 11 - len(read)


def test_pictures_that_are_left_out_are_a_warning_and_other_files_a_note(folder):
    pictures, others = map(str, folder_pictures(folder, PRESETS["clean"]).defects)
    assert pictures == (
        f"warning  {folder.name}: Not read: 2 files (.i.png, f.gif).\n"
        "       clean reads .JPEG, .JPG, .PNG, .bmp, .jpeg, .jpg, .npy, .pgm, .png, .ppm, .tif, "
        ".tiff, .webp, in all folders that are not hidden. "
        "Rename or move them if they belong to the set."
    )
    assert others.startswith(f"note  {folder.name}: Not read: 1 file (notes.txt).")


def test_a_link_to_a_folder_is_named_and_not_followed(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "z.png").touch()
    (folder / "link").symlink_to(elsewhere, target_is_directory=True)
    found = folder_pictures(folder, PRESETS["clean"])
    assert all("z.png" not in path.name for path in found.files)
    assert [str(one).splitlines()[0] for one in found.defects[:2]] == [
        f"warning  {folder.name}: Not read: 2 files (.i.png, f.gif).",
        f"warning  {folder.name}: Not read: 1 folder (link).",
    ]


@pytest.mark.parametrize("preset", ["pytorch-fid", "fusionbrain", "clean"])
def test_folders_named_as_pictures_and_links_are_named_with_their_number(preset, folder):
    for name in ("empty.png", "full.png", "in/deep/empty.jpg"):
        (folder / name).mkdir()
    (folder / "full.png" / "k.png").touch()
    (folder / "link.png").symlink_to(folder / "in", target_is_directory=True)
    (folder / "gone.png").symlink_to(folder / "nowhere")
    found = folder_pictures(folder, PRESETS[preset])
    folders = found.defects[1]
    assert folders.found == "Not read: 4 folders (empty.png, full.png, link.png and 1 more)."
    assert folders.expected == "Links to folders are not followed, and a folder is not a picture."
    assert all(path.is_file() for path in found.files)
    # 12 files, 2 links and 3 folders
    assert len(found.files) + sum(one.count for one in found.defects) == 17


def test_of_listed_files_those_that_the_program_ignores_are_named(tmp_path):
    files = [tmp_path / name for name in ("a.png", "b.PNG", "c.jfif")]
    published = listed_pictures(tmp_path / "team.json", files, PRESETS["fusionbrain"])
    assert published.files == (files[0],)
    (defect,) = published.defects
    assert str(defect).startswith("warning  team.json: Not read: 2 files (b.PNG, c.jfif).")
    corrected = listed_pictures(tmp_path / "team.json", files, PRESETS["fusionbrain"], every=True)
    assert (corrected.files, corrected.defects) == (tuple(files), ())


def test_clean_fid_reads_an_array_of_pixels_as_the_picture(tmp_path):
    path = picture(tmp_path / "a.png", 3)
    pixels = open_picture(path).image
    np.save(tmp_path / "a.npy", np.array(pixels))
    array = open_picture(tmp_path / "a.npy", arrays=True).image
    prepare = PRESETS["clean"].prepare
    assert np.array_equal(prepare(array), prepare(pixels))


def test_suffixes_in_other_letters_are_named_if_too_few_pictures_are_read(tmp_path):
    for name in ("a.PNG", "b.PNG", "c.gif"):
        (tmp_path / name).touch()
    found = folder_pictures(tmp_path, PRESETS["fusionbrain"])
    with pytest.raises(UsageError, match=r"Capitals count: 2 files end otherwise \(a.PNG, b.PNG\)"):
        found.require_two(PRESETS["fusionbrain"])


@pytest.mark.parametrize("preset", ["pytorch-fid", "fusionbrain", "clean"])
def test_files_of_attributes_by_macos_are_no_pictures(preset, tmp_path):
    for name in ("0.png", "._0.png"):
        (tmp_path / name).touch()
    found = folder_pictures(tmp_path, PRESETS[preset])
    assert [path.name for path in found.files] == ["0.png"]
    (left_out,) = map(str, found.defects)
    assert left_out.splitlines() == [
        f"note  {tmp_path.name}: Not read: 1 file (._0.png).",
        "       Files whose names begin with ._ hold macOS's attributes of others.",
    ]
