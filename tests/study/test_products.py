"""study/products and its table: the numbers are tribench's, and a row says what the file says."""

import os
import subprocess
import types
from pathlib import Path

import numpy
import pytest
from tribench_study import products

TOP = Path(__file__).resolve().parents[2]
CSV = TOP / "study" / "results" / "h200-products.csv"


@pytest.fixture
def script(load):
    return load("products")


def test_numbers_are_those_of_tribench(script, tmp_path):
    tribench = os.environ.get("TRIBENCH")
    if tribench is None:
        pytest.skip("TRIBENCH names no binary")
    words = ["-w", "gram", "-s", "bb", "-n", "40", "--engine", "cpu", "--layout", "full", "--baseline", "none", "-q"]
    how = ["--set", "columns=16,result=f32", "--samples", "1", "--dump", "c.npy", "-o", "c.json"]
    subprocess.run([tribench, *words, *how], cwd=tmp_path, check=True)
    a = script.numbers(40, 16)
    bits = a.view("uint32").astype("uint64")
    halves = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype("uint32").view("float32").astype("float64")
    assert numpy.abs(numpy.tril(numpy.load(tmp_path / "c.npy") - halves @ halves.T)).max() < 1e-5
    assert -1 <= a.min() < -0.9 and 0.9 < a.max() < 1


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
    assert [products.first_of_wave(wave) for wave in (1, 2)] == [12 * 256, 16 * 256]


def test_ratio_is_the_median_of_those_within_a_round(script, monkeypatch):
    square, half = iter((2.0, 4.0, 8.0)), iter((1.0, 3.0, 4.0))
    monkeypatch.setattr(script, "prepare", lambda n, columns, names: {"torch.mm": None})
    monkeypatch.setattr(script, "times_of", lambda calls: {("torch.mm", "square"): next(square)})
    monkeypatch.setattr(script, "maps", lambda options, n, k, stores, names, verify: {("ltm-i", stores): next(half)})
    gpu = types.SimpleNamespace(cuda=types.SimpleNamespace(get_device_name=lambda: "GPU"))
    monkeypatch.setattr(script, "torch", gpu, raising=False)
    options = types.SimpleNamespace(rounds=3, strategy="ltm-i", mirrored="", peers=[])
    first, second = script.measure(options, 512, 1024)
    assert (first["name"], first["ms"], first["of_mm"]) == ("torch.mm", "4", "1.0000")
    assert (second["stores"], second["ms"], second["of_mm"]) == ("lower", "3", "0.5000")


def test_sizes_are_single_ones_and_ranges(script):
    assert list(script.sizes("512:1536:512x1024,4096x64")) == [(512, 1024), (1024, 1024), (1536, 1024), (4096, 64)]


def test_an_unknown_peer_is_rejected(script, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["products", "--size", "8x8", "--peers", "gemm,syrq"])
    with pytest.raises(SystemExit):
        script.main()
    assert "unknown: gemm, syrq (known: torch.mm, " in capsys.readouterr().err


def test_times_are_those_of_rounds_and_of_run(script, monkeypatch):
    run = {"strategy": "torch.mm", "time_ms": {"median": 2.5}}
    monkeypatch.setattr(script.tribench, "rounds", lambda calls, **how: types.SimpleNamespace(records=[run]))
    assert script.times_of({"torch.mm": None}) == {("torch.mm", "square"): 2.5}
    given = {}
    monkeypatch.setattr(script.tribench, "run", lambda **options: given.update(options) or types.SimpleNamespace(
        records=[{**run, "strategy": "ltm-i"}]))  # fmt: skip
    for number, verify in enumerate(("full", "none", "none")):
        found = script.maps(types.SimpleNamespace(group="8"), 512, 64, "both", "ltm-i", number)
        assert found == {("ltm-i", "both"): 2.5} and given["verify"] == verify
    assert (given["layout"], given["set"], given["n"]) == ("mirrored", {"columns": 64, "group": "8"}, 512)
