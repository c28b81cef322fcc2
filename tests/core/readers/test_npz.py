from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from jurydesk.core.readers import npz, unpacking_limits


def test_a_file_that_unpacks_to_too_much_is_refused_with_both_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An array of 1,000 doubles has a header of 128 bytes."""
    file = io.BytesIO()
    np.savez_compressed(file, a=np.zeros(1000))
    size = len(file.getvalue())
    monkeypatch.setattr(unpacking_limits, "NPZ_RATIO_FROM", 0)
    monkeypatch.setattr(unpacking_limits, "NPZ_RATIO", 1)
    with pytest.raises(ValueError, match=rf"^{size} bytes cannot hold 8,128 bytes of numbers$"):
        npz.require_valid_npz(file, ["a"])


def test_a_member_that_is_no_array_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("mu.npy", b"no array, which NumPy would return as bytes")
    with (tmp_path / "a.npz").open("rb") as file:
        with pytest.raises(ValueError, match=r"mu\.npy is not an array"):
            npz.require_valid_npz(file, ("mu",))
        npz.require_valid_npz(file, ("sigma",))


def npy(array, version):
    np.lib.format.write_array(file := io.BytesIO(), array, version)
    return file.getvalue()


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
@pytest.mark.parametrize("change", [-1, 0, 1])
def test_an_array_holds_exactly_the_bytes_that_it_declares(tmp_path, version, change):
    content = npy(np.zeros((3, 2)), version)
    content = content[:change] if change < 0 else content + b"\0" * change
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("a.npy", content)
    (tmp_path / "a.npy").write_bytes(content)
    with (tmp_path / "a.npz").open("rb") as packed, (tmp_path / "a.npy").open("rb") as plain:
        for check in (
            lambda: npz.require_valid_npz(packed, ["a"]),
            lambda: npz.require_valid_npy(plain, "a.npy"),
        ):
            if not change:
                check()
                continue
            with pytest.raises(ValueError, match=f"declares 48 bytes and holds {48 + change}$"):
                check()
        if not change:
            assert (packed.tell(), plain.tell()) == (0, 0)


def test_other_methods_of_compression_and_headers_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.npy", npy(np.zeros(3), (1, 0)))
    with (
        (tmp_path / "a.npz").open("rb") as file,
        pytest.raises(ValueError, match=r"^a\.npy uses an unsupported compression method$"),
    ):
        npz.require_valid_npz(file, ["a"])
    odd = npy(np.zeros(3), (1, 0)).replace(b"{'descr'", b"(descr  ")
    with pytest.raises(ValueError, match=r"^x has an invalid array header$|header"):
        npz.require_valid_npy(io.BytesIO(odd), "x")


def test_a_file_at_the_limit_of_its_ratio_is_read(monkeypatch):
    np.savez_compressed(file := io.BytesIO(), a=np.zeros(1000))
    size = len(file.getvalue())
    monkeypatch.setattr(unpacking_limits, "NPZ_RATIO", 0)
    monkeypatch.setattr(unpacking_limits, "NPZ_RATIO_FROM", 8128)
    npz.require_valid_npz(file, ["a"])
    monkeypatch.setattr(unpacking_limits, "NPZ_RATIO_FROM", 8127)
    with pytest.raises(ValueError, match="cannot hold"):
        npz.require_valid_npz(file, ["a"])
    monkeypatch.setattr(unpacking_limits, "NPZ_RATIO", -(-8128 // size))
    npz.require_valid_npz(file, ["a"])
