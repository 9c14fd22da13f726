"""study/products and its table: the numbers are tribench's, and a row says what the file says."""

import importlib.machinery
import importlib.util
from pathlib import Path

import pytest
from tribench_study import products

TOP = Path(__file__).resolve().parents[2]
CSV = TOP / "study" / "results" / "h200-products.csv"


@pytest.fixture
def script():
    loader = importlib.machinery.SourceFileLoader("study_products", str(TOP / "study" / "products"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def test_numbers_are_those_of_splitmix64(script):
    def mix(x):  # workloads/generate.h, on whole numbers
        mask = (1 << 64) - 1
        x ^= x >> 30
        x = x * 0xBF58476D1CE4E5B9 & mask
        x ^= x >> 27
        x = x * 0x94D049BB133111EB & mask
        return x ^ x >> 31

    for x in (0, 1, 0x9E3779B97F4A7C15, (1 << 64) - 1):
        assert script.mix(x) == mix(x)
        assert script.signed(x) == (x if x < 1 << 63 else x - (1 << 64))


def test_table_has_a_row_per_size_and_says_what_was_measured():
    runs = products.read(CSV)
    head, rows = products.table(runs)
    assert [row[0] for row in rows] == [f"{n:,} x {k:,}" for n, k in products.SIZES]
    here = runs[(runs["n"] == 8192) & (runs["columns"] == 4096)].set_index("label")
    row = rows[2]
    assert row[head.index("`quack, both halves`")] == f"{here.loc['quack, both halves', 'of_mm']:.3f}"
    assert row[1].startswith(f"{here.loc['torch.mm', 'ms']:.4g} ms")
    assert all(len(one) == len(head) for one in rows)


def test_waves_begin_where_the_squares_do_not_fit_any_more():
    assert products._first_of_waves()[:2] == [12 * 256, 16 * 256]
