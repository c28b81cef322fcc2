"""Orders of unstable sorts against their published steps, recorded orders and NumPy itself."""

import json
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.detection import sort_orders
from jurydesk.core.metrics.detection.sort_orders import (
    numpy_text_descending,
    std_descending,
    torch7_descending,
)
from support.oracles import oracle

CUT_OFF = 10


def step_by_step(values: list[float]) -> list[int]:
    """Sort with the quicksort of torch7 as its source describes it, with an explicit stack."""
    a, order = list(values), list(range(len(values)))

    def swap(i: int, j: int) -> None:
        a[i], a[j] = a[j], a[i]
        order[i], order[j] = order[j], order[i]

    left, right, stack = 0, len(a) - 1, []
    busy = right - left > CUT_OFF
    while busy:
        swap((left + right) >> 1, left + 1)
        if a[left + 1] < a[right]:
            swap(left + 1, right)
        if a[left] < a[right]:
            swap(left, right)
        if a[left + 1] < a[left]:
            swap(left + 1, left)
        i, j, pivot = left + 1, right, a[left]
        while True:
            i += 1
            while a[i] > pivot:
                i += 1
            j -= 1
            while a[j] < pivot:
                j -= 1
            if j < i:
                break
            swap(i, j)
        swap(left, j)
        parts = sorted([(left, j - 1), (i, right)], key=lambda part: part[1] - part[0])
        small, large = parts if j - left != right - i + 1 else [(left, j - 1), (i, right)]
        if large[1] - large[0] + 1 <= CUT_OFF:
            busy = bool(stack)
            left, right = stack.pop() if stack else (0, 0)
        elif small[1] - small[0] + 1 <= CUT_OFF:
            left, right = large
        else:
            stack.append(large)
            left, right = small
    for start in range(len(a) - 2, -1, -1):
        i = start
        while i + 1 < len(a) and a[i + 1] > a[i]:
            swap(i, i + 1)
            i += 1
    return order


@given(st.lists(st.integers(0, 6), max_size=90))
def test_the_order_of_few_distinct_values_equals_torch7_s(values):
    assert torch7_descending(np.array(values, float)).tolist() == step_by_step(values)


@given(st.lists(st.integers(0, 60), min_size=12, max_size=90))
def test_the_order_of_scattered_ties_equals_torch7_s(values):
    assert torch7_descending(np.array(values, float)).tolist() == step_by_step(values)


@given(st.lists(st.integers(0, 3), max_size=11))
def test_up_to_eleven_values_are_sorted_stably(values):
    stable = sorted(range(len(values)), key=lambda i: -values[i])
    assert torch7_descending(np.array(values, float)).tolist() == stable


RECORDED = json.loads(oracle("densecap_today/torch_sort.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda one: str(len(one["values"])))
def test_the_order_of_torch_2_equals_its_recorded_sort(recorded):
    found = std_descending(np.array(recorded["values"], float))
    assert found.tolist() == recorded["order"]


def test_a_recorded_array_reaches_the_heap_of_torch_2_s_sort():
    with mock.patch.object(sort_orders, "_heap_sort", wraps=sort_orders._heap_sort) as heap:
        for recorded in RECORDED:
            std_descending(np.array(recorded["values"], float))
    assert heap.called


@given(st.lists(st.integers(-3, 40), max_size=200))
def test_the_order_of_texts_equals_numpy_s_quicksort_backwards(values):
    texts = [f"{value / 8:.3f}" for value in values]
    expected = np.argsort(np.array(texts, np.str_), kind="quicksort")[::-1]
    assert numpy_text_descending(texts).tolist() == expected.tolist()
