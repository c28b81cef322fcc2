from __future__ import annotations

from jurydesk.core.model.chunk import ChunkKind


def test_a_kind_of_chunks_uses_no_network_unless_it_says_so() -> None:
    kind = ChunkKind("squares", lambda settings, chunk, check: [1], int, list, list)
    assert (kind.on_device, kind.releases_gil, kind.inline_limit) == (False, True, 0)
