from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.metrics.fid.inception_network import build_inception
from jurydesk.core.metrics.fid.inception_weights import DIMS, convolutions, optional_shapes, shapes
from support.oracles import oracle
from support.tiny_models import maker, torch_or_skip

torch = torch_or_skip()


@pytest.fixture(scope="module")
def weights():
    """Return weights by the rule that the recording was made with."""
    return {
        name: torch.from_numpy(maker().random_tensor(name, shape))
        for name, shape in shapes().items()
    }


@pytest.fixture(scope="module")
def network(weights):
    return build_inception(weights)


def test_names_and_shapes_equal_those_of_the_published_weights():
    recorded = json.loads(oracle("neural/inception_state_dict_keys.json").read_text())
    ours = {**shapes(), **optional_shapes()}
    assert {name: list(shape) for name, shape in ours.items()} == recorded


def test_there_are_94_convolutions():
    assert sum(1 for _ in convolutions()) == 94


def test_features_in_a_batch_equal_those_of_single_pictures(network):
    pictures = torch.rand(2, 3, 299, 299, generator=torch.Generator().manual_seed(0)) * 2 - 1
    together = network(pictures).numpy()
    alone = np.concatenate([network(picture[None]).numpy() for picture in pictures])
    assert together.shape == (2, 2048)
    assert np.abs(together - alone).max() < 1e-5 * np.abs(alone).max()


@pytest.mark.parametrize("dims", DIMS[:2])
def test_features_of_earlier_stages_are_narrower(weights, dims):
    pictures = torch.zeros(1, 3, 299, 299)
    assert build_inception(weights, dims=dims)(pictures).shape == (1, dims)
