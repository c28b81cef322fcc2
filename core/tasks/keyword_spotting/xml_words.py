"""The records of the ICFHR 2014 files: words on pages, judged or ranked, query by query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.model import FloatArray, IntArray

Int32Array = npt.NDArray[np.int32]
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words on pages: `documents[document[i]]` is the page of word `i`.

    `boxes` is (n, 4): x, y, width, height in pixels. `lines` is the line of each word in its file.
    """

    documents: tuple[str, ...]
    document: Int32Array
    boxes: Int32Array
    lines: Int32Array

    def __len__(self) -> int:
        return len(self.document)

    def name(self, row: int) -> str:
        """The document of a word."""
        return self.documents[self.document[row]]

    def box(self, row: int) -> Box:
        """The x, y, width and height of a word."""
        x, y, width, height = self.boxes[row].tolist()
        return x, y, width, height


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """A relevance file: query `i` judges the words `starts[i]:starts[i + 1]`.

    `relevance` is NaN where the file gives none; `texts` is the transcription, empty where absent.
    """

    path: str
    queries: tuple[str, ...]
    starts: IntArray
    words: Words
    relevance: FloatArray
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """A result file: query `i` ranks the words `starts[i]:starts[i + 1]`, the best first.

    Only queries that the relevance file knows are kept, in the order of the result file.
    """

    path: str
    queries: tuple[str, ...]
    starts: IntArray
    words: Words
