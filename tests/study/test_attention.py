"""study/attention and its table: the numbers are tribench's, and a row says what the file says."""

import csv
import os
import subprocess

import numpy
import pytest
from tribench_study import attention


@pytest.fixture
def script(load):
    return load("attention")


def test_numbers_are_those_of_tribench(script, tmp_path):
    tribench = os.environ.get("TRIBENCH")
    if tribench is None:
        pytest.skip("TRIBENCH names no binary")
    words = ["-w", "attention", "-s", "rows", "-n", "40", "--engine", "cpu", "--set", "heads=2", "--samples", "1", "-q"]
    subprocess.run([tribench, *words, "--dump", "out.npy", "-o", "out.json"], cwd=tmp_path, check=True)
    bits = script.numbers(3 * 2 * 40 * 128).view("uint32").astype("uint64")
    halves = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype("uint32").view("float32").astype("float64")
    queries, keys, _ = halves.reshape(3, 2, 40, 128)
    weights = numpy.tril(numpy.exp(queries @ keys.transpose(0, 2, 1) / 128**0.5))
    logs = numpy.load(tmp_path / "out.npy")[2 * 40 * 128 :].view("float32")
    assert numpy.abs(logs.reshape(2, 40) - numpy.log(weights.sum(axis=2))).max() < 1e-5


ROWS = [
    ("4096", "16", "cuDNN", "", "causal", "0.2", "1"),
    ("4096", "16", "flash", "", "causal", "0.4", "2"),
    ("4096", "16", "cuDNN", "", "full", "0.3", "1.5"),
    ("4096", "16", "rows", "grid", "causal", "0.25", "1.25"),
    ("4096", "16", "rows-lpt", "dynamic", "causal", "0.1", "0.5"),
    ("4096", "16", "rows-lpt", "persistent", "causal", "0.3", "1.5"),
    ("4096", "16", "rows", "grid", "full", "0.19", "0.95"),
    ("2048", "128", "cuDNN", "", "causal", "0.1", "1"),
    ("2048", "128", "rows", "grid", "causal", "0.09", "0.9"),
    ("2048", "128", "rows-lpt", "dynamic", "causal", "0.08", "0.8"),
    ("2048", "128", "rows-lpt", "persistent", "causal", "0.1", "1"),
]


@pytest.fixture
def runs(script, tmp_path):
    with (tmp_path / "a.csv").open("w") as file:
        writer = csv.writer(file)
        writer.writerow(script.FIELDS)
        writer.writerows((*row, "GPU", "2026-01-02") for row in ROWS)
    return attention.read(tmp_path / "a.csv")


def test_tables_and_finding_say_what_was_measured(runs):
    head, rows = attention.orders(runs)
    assert head == [
        "heads x N", "cuDNN", "`rows, grid`", "`rows-lpt, dynamic`", "`rows-lpt, persistent`",
        "full / causal, fastest map", "of cuDNN",
    ]  # fmt: skip
    assert rows == [
        ["128 x 2,048", "0.1 ms (1375 TFLOP/s)", "0.900", "0.800", "1.000", "", ""],
        ["16 x 4,096", "0.2 ms (344 TFLOP/s)", "1.250", "0.500", "1.500", "1.90", "1.50"],
    ]
    head, rows = attention.peers(runs)
    assert head == ["heads x N", "cuDNN", "flash", "fastest map"]
    assert rows[1] == ["16 x 4,096", "0.2 ms (344 TFLOP/s)", "2.000", "0.500 (rows-lpt, dynamic)"]
    assert rows[0][2:] == ["", "0.800 (rows-lpt, dynamic)"]
    head, rows = attention.published(runs)
    assert head[:3] == ["heads x N", "reported: rows-lpt, dynamic", "here"]
    assert [row[:3] for row in rows] == [
        ["512 x 1,024", "511", ""],
        ["128 x 4,096", "690", ""],
        ["32 x 16,384", "695", ""],
    ]
    assert attention.said(runs)[1] == [
        [
            "rows-lpt, dynamic",
            "rows-lpt, persistent",
            "1.06 to 1.21, above",
            "1.25 at 128 x 2,048",
            "3.00 at 16 x 4,096",
        ],
    ]
    assert attention.finding(runs) == {
        "heads": 16, "n": 4096, "name": "rows-lpt", "order": 2.5, "shares": (0.5, 0.8),
    }  # fmt: skip


@pytest.mark.parametrize("name, heads, tiles, gain", [
    ("rows-lpt", 1, 2, 2 / 2),  # two blocks at once: the longest row is the whole of it
    ("rows-fold", 2, 132, 2 * 132 / 133),  # 132 pairs of 133 steps, for two waves of rows of 132
    ("rows", 1, 264, 2 * 264 / (132 + 264)),  # each multiprocessor has rows i and 132 + i
    ("rows-lpt", 1, 264, 2 * 264 / 265),  # the longest with the shortest
    ("rows-fold", 4, 33, 33 / 34),  # 68 blocks, of 34 steps
])  # fmt: skip
def test_model_deals_blocks_to_whoever_is_free(name, heads, tiles, gain):
    assert attention.model(name, heads, 128 * tiles) == pytest.approx(gain)
