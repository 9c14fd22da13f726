"""The page stands alone and is safe against what the data says; test_browser.py has what it does in a browser."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from tribench_report import page as maker

HOSTILE = "</script ><!--<script><img src=x onerror=alert(1)>\"'&@@data@@"


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
    assert links.tags.count("script") == 3 and "onerror=alert(1)>" not in re.sub(
        r"&\w+;", "", text.split("<script")[0]
    )
    assert "@@advice@@" not in text and "http-equiv" in text


def test_it_holds_advice_figures_and_the_environment(page: Path) -> None:
    text = page.read_text()
    assert "Which map should I use here?" in text
    said = 'alt="Improvement over the bounding box, over N: dummy, edm1" loading="lazy" src="data:image/png;'
    assert said in text and "<figcaption>overview</figcaption>" in text
    assert "<figcaption>time" not in text, "the chart has it"
    assert "gpu l2_bytes" in text and "62914560" in text


def test_invocations_on_one_device_are_one_table(tmp_path: Path, script: Script) -> None:
    files = []
    for k in range(24):
        runs = synthetic.triangle(ns=(1024 + k,))
        path = synthetic.save(tmp_path / f"{k}.json", runs, command=["tribench", f"-n{k}"])
        whole = json.loads(path.read_text())
        whole["environment"]["peak_bandwidth"]["fill_gb_per_s"] = 4500.5 + k
        whole["environment"]["gpu"]["uuid"] = f"GPU-{k}" if k < 10 else None
        path.write_text(json.dumps(whole))
        files.append(path)
    said = script("html", *files, "--no-figures").stdout.split('<section id="environment">')[1]
    facts, differ = said.split("<h3>What differs</h3>")
    assert facts.count("<table>") == 1 and "GPU-0, GPU-1, GPU-2, GPU-3 and 6 more" in differ
    assert ">4500.5 to 4523.5</td>" in said
    assert ">GPU-0; GPU-1; GPU-2; GPU-3; GPU-4; GPU-5; GPU-6; GPU-7; and 2 more</td>" in said
    assert said.count("<li><code>tribench -n") == 20 and "<li>and 4 more</li>" in said


def test_a_file_without_anything_usable_is_an_error(tmp_path: Path, script: Script) -> None:
    run = {**synthetic.triangle(("bb",), ("edm1",), (1024,))[0], "status": "planned", "time_ms": None}
    result = script("html", synthetic.save(tmp_path / "a.json", [run]))
    assert result.returncode == 1 and result.stdout == ""


def test_two_gpus_are_advised_and_listed_apart(tmp_path: Path, script: Script) -> None:
    files = [
        synthetic.save(tmp_path / f"{gpu}.json", synthetic.triangle(seed=k, factor=k), gpu=f"NVIDIA {gpu}")
        for k, gpu in enumerate(("H100", "H200"), 1)
    ]
    text = script("html", *files, "--no-figures").stdout
    for gpu in ("NVIDIA H100", "NVIDIA H200"):
        assert text.count(f"packed output, {gpu}</td>") >= 3, "advice for each workload"
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    columns = {name: [column["words"][place] for place in column["rows"]] for name, column in data["words"].items()}
    columns.update(data["numbers"])
    rows = [{name: column[k] for name, column in columns.items()} for k in range(data["count"])]
    here = [row for row in rows if (row["workload"], row["strategy"], row["n"]) == ("edm1", "rb", 30720)]
    assert sorted(row["device"] for row in here) == ["NVIDIA H100", "NVIDIA H200"]
    assert len({row["setting"] for row in here}) == 2, "the chart draws one device at a time"
    assert len({row["ms"] for row in here}) == 2


def test_the_library_comes_from_its_package_and_is_named_where_it_is_not_there(
    tmp_path: Path, inside: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = synthetic.save(tmp_path / "a.json", synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048)))
    assert maker._library() in inside("html", source, "--no-figures").stdout
    monkeypatch.setattr(maker, "LIBRARY_PACKAGE", "no-such-package")
    result = inside("html", source, "-o", tmp_path / "page.html")
    assert result.returncode == 1 and "no-such-package" in result.stderr and "requirements.txt" in result.stderr
    assert not (tmp_path / "page.html").exists()
