"""The address of a Dask scheduler, and what calls its workers."""

from __future__ import annotations

import re

from core.run.workers import Data, Opener, Workers

ADDRESS = re.compile(r"([a-z]+://)?[^\s/]+:[0-9]{1,5}")
"""What the address of a scheduler looks like (`tcp://host:8786`)."""


def at_scheduler(address: str, data: Data) -> Opener | None:
    """What calls the workers of a Dask scheduler; None without an address."""
    if not address:
        return None

    def opened() -> Workers:
        from core.run.cluster import Cluster  # with distributed

        return Cluster(address, data)

    return opened
