from __future__ import annotations

import inspect

from jurydesk.core.neural.inception.inception_chunks import load_inception


def test_features_are_those_of_the_last_pooling_layer_by_default() -> None:
    """2,048 features, as in pytorch-fid."""
    assert inspect.signature(load_inception).parameters["dims"].default == 2048
