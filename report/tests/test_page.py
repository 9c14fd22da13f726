"""The page stands alone, is safe against what the data says, and works in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from devtools import Browser

HOSTILE = "</script ><!--<script><img src=x onerror=alert(1)>\"'&@@data@@"
CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)


class Links(HTMLParser):
    """Collects everything that a browser would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [
            value or "" for name, value in attributes if name in ("src", "href", "action", "data", "srcset")
        ]
        assert not [name for name, _ in attributes if name.startswith("on")], (tag, attributes)


def hostile_runs() -> list[synthetic.Json]:
    runs = synthetic.triangle(("bb", "ltm-r", "rb", "rec"), ("dummy", "edm1"), (1024, 4096, 15360))
    runs += synthetic.triangle(("bb", "rb"), ("collision",), (1024,))
    runs[1].update(status="failed", reason=HOSTILE, time_ms=None, improvement=None)
    for run in runs:
        if run["strategy"] == "rec":
            run.update(strategy=HOSTILE, key=run["key"] + HOSTILE)
    return runs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture
def page(folder: Path, script: Script) -> Path:
    path = folder / "page.html"
    if not path.exists():
        data = synthetic.document(hostile_runs(), command=["tribench", "--input", HOSTILE])
        data["environment"]["gpu"]["name"] = f"GPU {HOSTILE}"
        source = folder / "data.json"
        source.write_text(json.dumps(data))
        result = script("html", source, "-o", path)
        assert result.returncode == 0, result.stderr
    return path


def test_nothing_is_fetched_and_nothing_of_the_data_is_markup(page: Path) -> None:
    text = page.read_text()
    links = Links()
    links.feed(text)
    assert all(link.startswith(("#", "data:")) for link in links.found)
    assert links.tags.count("script") == 2 and "onerror=alert(1)>" not in re.sub(
        r"&\w+;", "", text.split("<script")[0]
    )
    assert "@@advice@@" not in text and "http-equiv" in text


def test_it_holds_advice_figures_published_values_and_the_environment(page: Path) -> None:
    text = page.read_text()
    assert "Which map should I use here?" in text and "data:image/svg+xml;base64," in text
    assert "Navarro and Hitschfeld" in text and "1.13 to 1.15" in text
    assert "gpu l2_bytes" in text and "62914560" in text


def test_a_file_without_anything_usable_is_an_error(tmp_path: Path, script: Script) -> None:
    run = {**synthetic.triangle(("bb",), ("edm1",), (1024,))[0], "status": "planned", "time_ms": None}
    result = script("html", synthetic.save(tmp_path / "a.json", [run]))
    assert result.returncode == 1 and result.stdout == ""


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on PATH (Debian: apt-get install chromium)")
    made = Browser(CHROMIUM, folder / "profile")
    yield made
    made.close()


def test_in_a_browser_it_opens_sorts_filters_toggles_and_shows_values(browser: Browser, page: Path) -> None:
    browser.open(page)
    value = browser.value
    names = "[...document.querySelectorAll('#runs tbody tr')].map((row) => row.cells[{}].textContent)"
    assert value("document.querySelectorAll('#runs tbody tr').length") == 26

    assert value("document.getElementById('workload').value") == "dummy", "of collision there is one size only"

    value("document.querySelector('th[data-key=n] button').click()")
    ns = value(names.format(4))
    assert ns == sorted(ns, key=lambda n: int(n.replace(",", "")))
    value("document.querySelector('th[data-key=ms] button').click()")
    value("document.querySelector('th[data-key=ms] button').click()")
    assert value("document.querySelector('th[data-key=ms]').getAttribute('aria-sort')") == "descending"
    times = value(names.format(5))
    assert times[-1] == "–", "what has no time comes last"
    assert [float(t) for t in times[:-1]] == sorted((float(t) for t in times[:-1]), reverse=True)

    value(
        "filter = document.getElementById('filter'), filter.value = 'edm1 rb', filter.dispatchEvent(new Event('input'))"
    )
    assert value("document.getElementById('count').textContent") == "3 of 3 runs"

    assert value("document.querySelectorAll('#svg .series').length") == 4
    value("document.querySelector('#toggles button[data-name=rb]').click()")
    assert value("document.querySelectorAll('#svg .series').length") == 3
    assert (
        value("document.querySelector('#toggles button[data-name=rb]').getAttribute('aria-pressed')")
        == "false"
    )
    value("document.querySelector('#toggles button[data-name=rb]').click()")
    assert value("document.querySelectorAll('#svg .series').length") == 4

    value("m = document.getElementById('measure'), m.value = 'ms', m.dispatchEvent(new Event('change'))")
    assert value("document.querySelectorAll('#svg .series[data-name=bb] circle').length") == 3
    value("document.getElementById('chart').scrollIntoView()")
    at = value("(({x, y, width, height}) => [x + width / 2, y + height / 2])"
               "(document.querySelector('#svg .series[data-name=rb] circle').getBoundingClientRect())")  # fmt: skip
    browser.hover(*at)
    assert value("document.getElementById('tip').hidden") is False
    tip = value("document.getElementById('tip').textContent")
    assert "N = 1,024" in tip and " ms\nI = " in tip
    if os.environ.get("TRIBENCH_SCREENSHOT"):
        browser.screenshot(Path(os.environ["TRIBENCH_SCREENSHOT"]))
    assert value("document.querySelectorAll('main img[src=x]').length") == 0
    assert browser.errors == []


def test_two_gpus_are_advised_and_listed_apart(tmp_path: Path, script: Script) -> None:
    files = [
        synthetic.save(tmp_path / f"{gpu}.json", synthetic.triangle(seed=k, factor=k), gpu=f"NVIDIA {gpu}")
        for k, gpu in enumerate(("H100", "H200"), 1)
    ]
    text = script("html", *files, "--no-figures").stdout
    for gpu in ("NVIDIA H100", "NVIDIA H200"):
        assert text.count(f"packed output, {gpu}</td>") >= 3, "advice for each workload"
        assert f"on {gpu}</td>" in text, "beside what was published"
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    rows = [row for row in data["rows"] if row[:4] == ["edm1", "rb", "", 30720]]
    assert sorted(row[-1] for row in rows) == ["NVIDIA H100", "NVIDIA H200"]
    assert len({row[5] for row in rows}) == 2, "the chart draws one device at a time"
    assert len({row[6] for row in rows}) == 2
