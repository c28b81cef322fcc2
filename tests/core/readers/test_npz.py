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
