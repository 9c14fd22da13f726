"""The page stands alone, is safe against what the data says, and does in a real Chromium what a reader wants of it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from devtools import Browser, choose
from tribench_report import page

HOSTILE = "</script ><!--<script><img src=x onerror=alert(1)>\"'&{{ data }}"
STRATEGIES = ["bb", "ltm-r", "rb", "rec"]


def data_of(text: str) -> Any:
    """What the page's script reads, with the cells of the table as `rows`."""
    found = json.loads(text.split('id="data">')[1].split("</script>")[0])
    places = [found["columns"].index(name) for name in found["table"]]
    return {**found, "rows": [[row[place] for place in places] for row in found["rows"]]}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with markup and long names in every place."""
    folder = tmp_path_factory.mktemp("page")
    runs = synthetic.triangle(tuple(STRATEGIES), ("dummy", "edm1"), (1024, 4096, 10240, 30720))
    runs += synthetic.triangle(("bb", "rb"), ("collision",), (1024,))
    runs[1].update(status="failed", reason=HOSTILE + "x" * 90, time_ms=None, improvement=None)
    for run in synthetic.triangle(("rb-b",), ("edm1",), (1024, 4096)):
        runs.append({**run, "strategy": HOSTILE, "key": run["key"] + HOSTILE, "improvement": None})
    data = synthetic.document(runs, command=["tribench", "--input", HOSTILE, "--output", "long_name" * 12])
    data["environment"]["gpu"]["name"] = f"GPU {HOSTILE}"
    (folder / "data.json").write_text(json.dumps(data))
    assert page.run([str(folder / "data.json"), "-o", str(folder / "page.html")]) == 0
    return folder / "page.html"


def test_it_holds_advice_figures_and_the_environment(path: Path) -> None:
    text = path.read_text()
    assert "Which map should I use here?" in text and "<td>edm1, packed output</td>" in text
    assert "<h3>Improvement over the bounding box</h3>" in text and "<h3>Roofline" in text
    assert "<h3>Time per cell" not in text, "the chart has it"
    assert "gpu l2_bytes" in text and "62914560" in text
    assert data_of(text)["specs"][0]["title"]["text"] == {"expr": "workload + ': ' + measure"}, "tells the unit"
    assert len(data_of(text)["specs"]) == text.count('class="chart"') == 3


def test_invocations_on_one_device_are_one_table(tmp_path: Path, inside: Script) -> None:
    files = []
    for k in range(24):
        runs = synthetic.triangle(("bb", "rb"), ("edm1",), ns=(1024 + k,))
        whole = synthetic.document(runs, command=["tribench", f"-n{k}"])
        whole["environment"]["gpu"]["uuid"] = f"GPU-{k}" if k < 10 else None
        files.append(tmp_path / f"{k}.json")
        files[-1].write_text(json.dumps(whole))
    said = inside("html", *files).stdout.split('<section id="environment">')[1]
    facts, differ = said.split("<h3>What differs</h3>")
    assert facts.count("<table>") == 1 and "GPU-0, GPU-1, GPU-2, GPU-3 and 6 more" in differ
    assert ">GPU-0; GPU-1; GPU-2; GPU-3; GPU-4; GPU-5; GPU-6; GPU-7; and 2 more</td>" in said
    assert said.count("<li><code>tribench -n") == 20 and "<li><code>and 4 more</code></li>" in said


def test_a_file_without_anything_usable_is_an_error(tmp_path: Path, inside: Script) -> None:
    run = {**synthetic.one_run(), "status": "planned", "time_ms": None}
    result = inside("html", synthetic.save(tmp_path / "a.json", [run]))
    assert result.returncode == 1 and result.stdout == ""


def test_a_processor_whose_peaks_nobody_measured_has_a_page(tmp_path: Path, inside: Script) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(engine="cpu"), gpu=None)
    result = inside("html", path)
    assert result.returncode == 0 and "<h3>Roofline" in result.stdout, result.stderr


def test_two_gpus_are_advised_and_listed_apart(tmp_path: Path, inside: Script) -> None:
    files = [
        synthetic.save(tmp_path / f"{gpu}.json", synthetic.triangle(seed=k, factor=k), gpu=f"NVIDIA {gpu}")
        for k, gpu in enumerate(("H100", "H200"), 1)
    ]
    text = inside("html", *files).stdout
    for gpu in ("NVIDIA H100", "NVIDIA H200"):
        assert text.count(f"packed output, {gpu}</td>") >= 3, "advice for each workload"
    found = data_of(text)
    here = [row for row in found["rows"] if row[:3] == ["edm1", "rb", 30720]]
    assert sorted(row[4] for row in here) == ["NVIDIA H100", "NVIDIA H200"] and here[0][5] != here[1][5]
    settings = next(p["bind"]["options"] for p in found["specs"][0]["params"] if p["name"] == "setting")
    assert len(settings) == 2, "the chart draws one device at a time"


# ---------------------------------------------------------------- in a browser


CHART = "document.querySelector('#chart svg')"
POINTS = (
    "[...document.querySelectorAll('#chart path[aria-roledescription=point]')]"
    ".map((point) => point.getAttribute('aria-label'))"
)


@pytest.fixture
def open_page(browser: Browser, path: Path) -> Iterator[Browser]:
    """The page as one that nobody has touched yet; what a test leaves in the console fails it."""
    browser.resize(1200, 1400)
    browser.errors.clear()
    browser.open(path)
    wait_for(browser, f"{CHART} !== null", True)
    yield browser
    assert browser.errors == []


def wait_for(browser: Browser, expression: str, wanted: Any) -> None:
    """For what the page does a moment later."""
    deadline = time.monotonic() + 30
    while (seen := browser.value(expression)) != wanted:
        assert time.monotonic() < deadline, (expression, seen)
        time.sleep(0.02)


def column(browser: Browser, place: int) -> list[str]:
    found: list[str] = browser.value(
        f"[...document.querySelectorAll('#runs tbody tr')].map((row) => row.cells[{place}].textContent)"
    )
    return found


def test_the_table_sorts_by_any_column_and_what_has_no_value_comes_last(open_page: Browser) -> None:
    assert len(column(open_page, 0)) == 36
    button = "document.querySelectorAll('#runs th button')[{}].click()"
    open_page.value(button.format(2))
    ns = [int(n.replace(",", "")) for n in column(open_page, 2)]
    assert ns == sorted(ns)
    for _ in range(2):
        open_page.value(button.format(5))
    assert open_page.value("document.querySelectorAll('#runs th')[5].getAttribute('aria-sort')") == "descending"
    times = column(open_page, 5)
    assert times[-1] == ""
    assert [float(t) for t in times[:-1]] == sorted((float(t) for t in times[:-1]), reverse=True)


@pytest.mark.parametrize(
    ("words", "ns"),
    [
        ("30,720", {"30,720"}),
        ("30720", {"30,720"}),
        ("1024", {"1,024"}),  # and not 10240
        ("N>=4,096 n<30720", {"4,096", "10,240"}),
        ("n=4096", {"4,096"}),
        ("edm1 16x16", {"1,024", "4,096", "10,240", "30,720"}),
        ("30,72", set()),
        ("ms>1e9", set()),
    ],
)
def test_the_filter_understands_numbers_as_the_table_writes_them(open_page: Browser, words: str, ns: set[str]) -> None:
    choose(open_page, "filter", words, "input")
    assert set(column(open_page, 2)) == ns
    shown = len(column(open_page, 2))
    assert open_page.value("document.getElementById('count').textContent") == f"{shown} of 36 runs"


def test_the_filter_compares_any_number_of_a_run(open_page: Browser) -> None:
    choose(open_page, "filter", "edm1 I>1.2", "input")
    assert column(open_page, 6) and all(float(i) > 1.2 for i in column(open_page, 6))


def test_the_chart_shows_what_was_chosen(open_page: Browser) -> None:
    workload, _, measure = (f"document.querySelectorAll('#chart select')[{k}]" for k in range(3))
    assert open_page.value(f"{workload}.value") == "collision"
    for select, value in ((workload, "edm1"), (measure, "I")):
        open_page.value(f"{select}.value = '{value}'; {select}.dispatchEvent(new Event('change'))")
    runs = synthetic.triangle(tuple(STRATEGIES), ("dummy", "edm1"), (1024, 4096, 10240, 30720))
    wanted = sum(run["workload"] == "edm1" for run in runs) + 2
    wait_for(open_page, f"{POINTS}.length", wanted)
    one = next(run for run in runs if (run["workload"], run["strategy"], run["n"]) == ("edm1", "rb", 4096))
    (said,) = (words for words in open_page.value(POINTS) if "label: rb;" in words and "N: 4,096" in words)
    assert f"measure: {one['improvement']['factor']:.5g}" in said


def test_what_the_data_says_becomes_no_element(open_page: Browser) -> None:
    assert open_page.value("document.querySelectorAll('img').length") == 0
    assert HOSTILE in " ".join(column(open_page, 1))
    picture = os.environ.get("TRIBENCH_SCREENSHOT")
    if picture:
        open_page.screenshot(Path(picture))


def test_a_narrow_screen_scrolls_tables_and_charts_alone(open_page: Browser) -> None:
    open_page.resize(390, 900)
    wait_for(open_page, "document.documentElement.scrollWidth <= window.innerWidth", True)
