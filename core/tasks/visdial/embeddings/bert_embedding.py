"""Sentence embeddings compatible with bert-as-service: the [CLS] row of BERT's last layer.

Batches of equal length need no padding; vectors agree with the original's to about 3e-6.
Source: bert-serving-server 1.8.1 (pooling CLS_TOKEN, layer -1).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.model.chunk import ChunkRequest, split_items
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks
from jurydesk.core.neural.weights.weight_roles import find_weights, weights_digest
from jurydesk.core.tasks.visdial.embeddings.bert_chunks import (
    BATCH,
    WORK,
    BertSettings,
    WordPieces,
    batches,
    load_bert_network,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.visdial.embeddings.bert import Bert


def embed(model: Bert, texts: Sequence[str], run: Run) -> FloatArray:
    """Return the embeddings (texts, width) of texts, each distinct one computed once."""
    distinct = list(dict.fromkeys(texts))
    by_length: dict[int, list[int]] = defaultdict(list)
    found = [model.pieces(text) for text in distinct]
    for number, (ids, _) in enumerate(found):
        by_length[len(ids)].append(number)
    groups = [part for numbers in by_length.values() for part in split_items(numbers, BATCH)]
    chunks = [WordPieces(np.array([found[i] for i in part], np.int64)) for part in groups]
    settings = _settings(model, run)
    share_networks(settings.key, _device_pool(model, settings))
    request = ChunkRequest(WORK, settings, chunks, "BERT", "texts")
    vectors = np.empty((len(distinct), model.network.config.hidden_size))
    for part, embeddings in zip(groups, run.each(request), strict=True):
        vectors[part] = embeddings.rows
    rows = {text: number for number, text in enumerate(distinct)}
    return vectors[[rows[text] for text in texts]]


def _settings(model: Bert, run: Run) -> BertSettings:
    path = os.path.abspath(model.folder)  # noqa: PTH100 - keeps links
    found = find_weights("bert", {"bert": model.folder}).found
    digest = path if found is None else weights_digest(found)
    return BertSettings(digest, path, run.device)


def _device_pool(model: Bert, settings: BertSettings) -> DevicePool[Batches]:
    """Return the pool of requested devices; the loaded model is reused on its device."""
    wanted = device_ids(settings.device)
    devices = wanted if model.device in wanted else (model.device,)
    lanes = DevicePool(devices, partial(load_bert_network, settings))
    lanes.put(model.device, batches(model))
    return lanes
