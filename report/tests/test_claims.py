"""Verdicts on the papers' claims follow the numbers, and docs/claims.md is what the shipped results say."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from tribench_report import claims
from tribench_report.claims import CLAIMS, bench, in_words, ours, short_name, why_in_words
from tribench_report.claims.rules import OTHERWISE, Above, Below, Claim, Effect, Verdict, Within
from tribench_report.stats import Interval

TOP = Path(__file__).resolve().parents[2]
RESULTS = TOP / "report" / "results"
SHIPPED = [str(RESULTS / "h200.json.gz"), str(RESULTS / "h100.json.gz")]
HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT


@pytest.fixture(scope="module")
def shipped() -> list[bench.Bench]:
    return [bench.read(path) for path in SHIPPED]


def measured(path: Path, runs: list[synthetic.Json], gpu: str = "NVIDIA H200") -> bench.Bench:
    """As claims reads these runs, which stay in path.json."""
    return bench.read(str(synthetic.save(path.with_suffix(".json"), runs, gpu=gpu)))


def claim(words: str) -> Claim:
    (found,) = [one for one in CLAIMS if words in one.what]
    return found


def verdict(words: str, on: bench.Bench) -> Verdict:
    one = claim(words)
    return one.verdict(one.measure(on))


# ---- the text ----


def test_the_text_is_what_the_shipped_results_say(shipped: list[bench.Bench]) -> None:
    command = "report/tribench-report claims report/results/h200.json.gz report/results/h100.json.gz -o docs/claims.md"
    fresh = claims.text(shipped, command)
    assert (TOP / "docs" / "claims.md").read_text(encoding="utf-8") == fresh, f"not current: {command}"


def test_there_are_claims_of_all_four_texts_in_their_order() -> None:
    assert len(CLAIMS) >= 25
    sources = [one.source for one in CLAIMS]
    assert len(set(sources)) == 4 and sources == sorted(sources, key=sources.index)
    for one in CLAIMS:
        assert one.what and one.place and one.gpu and one.published and one.files


def test_every_verdict_in_the_text_has_a_reason_of_its_own(shipped: list[bench.Bench]) -> None:
    for one in CLAIMS:
        for on in shipped:
            assert one.reason(one.verdict(one.measure(on))) not in OTHERWISE.values(), one.what


def test_no_figure_of_ours_is_in_a_sentence() -> None:
    for one in CLAIMS:
        for sentence in one.why.values():
            assert not re.search(r"\d+\.\d|\d ?%|\d ms", sentence), sentence


def test_files_that_a_claim_needs_are_measured_by_the_script() -> None:
    script = (TOP / "scripts" / "measure").read_text(encoding="utf-8")
    later = {"blur-*", "dog-*", "extrema-*", "water-*"}
    for pattern in {word for one in CLAIMS for word in one.files.split()} - later:
        assert re.search(rf'(measure "?|wants ){re.escape(pattern.rstrip("*"))}', script), pattern


# ---- rules ----


@pytest.mark.parametrize(
    ("rule", "low", "high", "expected"),
    [
        (Effect(1.15, 1.15), 1.14, 1.15, HOLDS),
        (Effect(1.15, 1.15), 1.16, 1.30, HOLDS),
        (Effect(1.15, 1.15), 1.90, 1.95, STRONGER),
        (Effect(1.15, 1.15), 1.05, 1.06, WEAKER),
        (Effect(1.15, 1.15), 0.99, 1.06, NOT),
        (Effect(1.15, 1.15), 0.80, 0.81, NOT),
        (Effect(0.7, 0.8), 0.75, 0.76, HOLDS),
        (Effect(0.7, 0.8), 0.40, 0.41, STRONGER),
        (Effect(0.7, 0.8), 0.95, 0.96, WEAKER),
        (Effect(0.7, 0.8), 1.20, 1.30, NOT),
        (Effect(2.4, 3.1), 2.30, 2.50, HOLDS),
        (Effect(30.0, 30.0, 0.0), 28.0, 29.0, HOLDS),
        (Effect(30.0, 30.0, 0.0), 10.0, 11.0, WEAKER),
        (Effect(30.0, 30.0, 0.0), 50.0, 51.0, STRONGER),
        (Effect(30.0, 30.0, 0.0), -3.0, 1.0, NOT),
        (Above(1.0), 1.01, 1.02, HOLDS),
        (Above(1.0), 0.99, 1.02, NOT),
        (Below(2.0), 1.90, 1.99, HOLDS),
        (Below(2.0), 1.90, 2.01, NOT),
        (Within(0.95, 1.05), 1.04, 1.20, HOLDS),
        (Within(0.95, 1.05), 1.06, 1.20, NOT),
    ],
)
def test_rules(rule: Any, low: float, high: float, expected: Verdict) -> None:
    assert rule.judge(Interval((low + high) / 2, low, high)) is expected


# ---- the numbers decide ----


def sweep(
    factor: float, workload: str = "dummy", strategies: tuple[str, ...] = ("bb", "ltm-r")
) -> list[synthetic.Json]:
    """bb, and a map that is so many times as fast."""
    rng = random.Random(3)
    base = synthetic.run("bb", workload, 30720, rng)
    runs = [base]
    for strategy in strategies[1:]:
        one = synthetic.run(strategy, workload, 30720, rng)
        scale = base["time_ms"]["median"] / factor / one["time_ms"]["median"]
        ms = [scale * t for t in one["samples"]["ms"]]
        runs.append({**one, "time_ms": synthetic.summary(ms), "samples": {**one["samples"], "ms": ms}})
    return synthetic.improve(runs)


def test_a_claim_turns_round_with_the_data(tmp_path: Path) -> None:
    words = "There LTM comes second."
    for k, (factor, expected) in enumerate([(1.13, HOLDS), (1.9, STRONGER), (1.05, WEAKER), (0.8, NOT)]):
        assert verdict(words, measured(tmp_path / str(k), sweep(factor))) is expected
    assert verdict(words, measured(tmp_path / "other", sweep(1.13, "edm1"))) is Verdict.UNKNOWN


def test_an_order_turns_round_with_the_data(tmp_path: Path) -> None:
    runs = sweep(1.5, strategies=("bb", "ltm-r", "rec", "utm"))
    fast, slow = sweep(1.7, strategies=("bb", "rb"))[1:], sweep(1.3, strategies=("bb", "rb"))[1:]
    assert verdict("RB is the fastest", measured(tmp_path / "a", [*runs, *fast])) is HOLDS
    assert verdict("RB is the fastest", measured(tmp_path / "b", [*runs, *slow])) is NOT
    assert verdict("RB is the fastest", measured(tmp_path / "c", runs)) is Verdict.UNKNOWN


def test_isolated_and_cold_runs_answer_nothing(tmp_path: Path) -> None:
    runs = sweep(1.13)
    for one in runs:
        one["samples"]["timing"] = "isolated"
    with pytest.raises(claims.bench.ReportError, match="found none"):
        measured(tmp_path / "a", runs)


def technique(workload: str, memory: str, block: tuple[int, int], ms: float, n: int = 1600) -> synthetic.Json:
    samples = [ms * (1 + 0.0001 * k) for k in range(51)]
    more: synthetic.Json = {"memory": memory, "domain": "square", "steps": 48}
    one = synthetic.run("bb", workload, n, random.Random(1), tile=64, **more)
    return {
        **one,
        "block": [*block, 1],
        "key": f"{one['key']}/{memory}/{block}",
        "time_ms": synthetic.summary(samples),
        "samples": {**one["samples"], "ms": samples},
    }


def test_claims_of_workloads_to_come_wait_for_their_runs(tmp_path: Path, shipped: list[bench.Bench]) -> None:
    waiting = {"Blur: two": "blur", "Difference of Gaussians: two": "dog", "Surface water: shared": "water"}
    none = measured(tmp_path / "none", sweep(1.13))
    for words in waiting:
        assert verdict(words, none) is Verdict.UNKNOWN
        assert "scripts/measure" in claim(words).reason(Verdict.UNKNOWN)
    blur = [technique("blur", "rect", (64, 4), 1.0), technique("blur", "two-cell", (32, 8), 0.63)]
    assert verdict("Blur: two", measured(tmp_path / "blur", blur)) is HOLDS
    blur[1] = technique("blur", "two-cell", (32, 8), 1.2)
    assert verdict("Blur: two", measured(tmp_path / "slow", blur)) is NOT
    dog = [technique("dog", "aligned", (16, 16), 1.0), technique("dog", "two-cell", (32, 8), 0.98)]
    assert verdict("Difference of Gaussians: two", measured(tmp_path / "dog", dog)) is HOLDS
    water = [technique("water", "halo", (16, 16), 1.0), technique("water", "shared", (16, 16), 0.9)]
    assert verdict("Surface water: shared", measured(tmp_path / "water", water)) is WEAKER


def test_the_range_of_a_map_is_what_the_device_found(tmp_path: Path) -> None:
    words = "LTM-R with its repair is exact"
    path = tmp_path / "a"
    assert verdict(words, measured(path, sweep(1.1))) is Verdict.UNKNOWN
    for failing, expected in ((1968, HOLDS), (1500, NOT)):
        (tmp_path / "a-maps.json").write_text(
            f'{{"strategies": [{{"strategy": "ltm-r", "checked_n": {failing}, "first_failing_n": {failing}}}]}}'
        )
        assert verdict(words, bench.read(f"{path}.json")) is expected


# ---- words ----


def test_a_verdict_names_the_gpus_only_where_they_differ() -> None:
    assert in_words([("H200", HOLDS), ("H100", HOLDS)]) == "**holds**"
    assert in_words([("H200", HOLDS), ("H100", Verdict.UNKNOWN)]) == "**holds**"
    assert in_words([("H200", HOLDS), ("H100", NOT)]) == "H200: **holds**; H100: **does not hold**"
    assert in_words([("H200", Verdict.UNKNOWN)]) == "not measured yet"
    assert ours(None) == "–"
    names = ("NVIDIA H100 80GB HBM3", "NVIDIA H200", "NVIDIA GeForce RTX 4090", "Tesla V100-SXM2-16GB")
    assert [short_name(name) for name in names] == ["H100", "H200", "GeForce RTX 4090", "Tesla V100-SXM2-16GB"]


def test_each_verdict_has_its_sentence_where_they_differ() -> None:
    one = claim("RB is the fastest of all")
    assert why_in_words(one, [("H200", HOLDS), ("H100", HOLDS)]) == one.why[HOLDS]
    assert why_in_words(one, [("H200", Verdict.UNKNOWN), ("H100", NOT)]) == one.why[NOT]
    assert why_in_words(one, [("H200", HOLDS), ("H100", NOT)]) == f"H200: {one.why[HOLDS]} H100: {one.why[NOT]}"
    assert why_in_words(one, [("H200", Verdict.UNKNOWN)]) == one.reason(Verdict.UNKNOWN)


# ---- the command line ----


def test_the_command_line(tmp_path: Path, script: Script) -> None:
    measured(tmp_path / "one", sweep(1.13))
    measured(tmp_path / "other", sweep(1.9), gpu="NVIDIA H100 80GB HBM3")
    result = script("claims", tmp_path / "one.json", tmp_path / "other.json")
    assert result.returncode == 0 and result.stderr == ""
    (row,) = [line for line in result.stdout.splitlines() if "There LTM comes second" in line]
    assert "1.13 [" in row and "1.90 [" in row and "H200: **holds**; H100: **holds stronger**" in row
    assert script("claims", tmp_path / "missing").returncode == 1
    two = script("claims", tmp_path)
    assert two.returncode == 1 and "expected results of one GPU" in two.stderr
