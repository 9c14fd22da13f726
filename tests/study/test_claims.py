"""Verdicts on the papers' claims follow the numbers, and docs/claims.md is what the shipped results say."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import synthetic
import test_unverified
from conftest import Script
from tribench_report.errors import ReportError
from tribench_study import claims, front, measures
from tribench_study.bench import Bench, read
from tribench_study.claims import CLAIMS, OTHERWISE, Claim, Verdict, in_words, judge, short_name, why_in_words

TOP = Path(__file__).resolve().parents[2]
RESULTS = TOP / "study" / "results"
SHIPPED = [str(RESULTS / "h200.json.gz"), str(RESULTS / "h100.json.gz")]
HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT


@pytest.fixture(scope="module")
def shipped() -> list[Bench]:
    return [read(path) for path in SHIPPED]


def measured(path: Path, runs: list[synthetic.Json], gpu: str = "NVIDIA H200") -> Bench:
    """As claims reads these runs, which stay in path.json."""
    return read(str(synthetic.save(path.with_suffix(".json"), runs, gpu=gpu)))


def claim(words: str) -> Claim:
    (found,) = [one for one in CLAIMS if words in one.claim]
    return found


def verdict(words: str, on: Bench) -> Verdict:
    one = claim(words)
    return one.verdict(one.answer(on)[0])


# ---- the text ----


def test_the_text_is_what_the_shipped_results_say(shipped: list[Bench]) -> None:
    files = "study/results/h200.json.gz study/results/h100.json.gz"
    command = f"build/venv/bin/python study/claims {files} -o docs/claims.md"
    fresh = claims.text(shipped, command)
    assert (TOP / "docs" / "claims.md").read_text(encoding="utf-8") == fresh, f"not current: {command}"


def test_there_are_claims_of_all_five_texts_in_their_order() -> None:
    assert len(CLAIMS) >= 25
    sources = [one.source for one in CLAIMS]
    assert len(set(sources)) == 5 and sources == sorted(sources, key=sources.index)
    for one in CLAIMS:
        assert one.claim and one.place and one.gpu and one.published
        assert one.label or one.measure is None


def test_every_verdict_in_the_text_has_a_reason_of_its_own(shipped: list[Bench]) -> None:
    for one in CLAIMS:
        for on in shipped:
            assert one.reason(one.verdict(one.answer(on)[0])) not in OTHERWISE.values(), one.claim


def test_no_figure_of_ours_is_in_a_sentence() -> None:
    for one in CLAIMS:
        for sentence in one.why.values():
            assert not re.search(r"\d+\.\d|\d ?%|\d ms", sentence), sentence


def test_labels_that_a_claim_needs_are_measured_by_the_script() -> None:
    script = (TOP / "study" / "measure").read_text(encoding="utf-8")
    for label in {part for one in CLAIMS for word in one.label.split() for part in word.split("+")} - {"counters"}:
        stem = label if f"measure {label} " in script else label.split("-")[0]
        assert re.search(rf'(measure "?|wants |subject ){re.escape(stem)}|for automaton in .*{stem}', script), label


# ---- rules ----


@pytest.mark.parametrize(
    ("relation", "bound", "low", "high", "expected"),
    [
        ("effect", (1.15, 1.15), 1.14, 1.15, HOLDS),
        ("effect", (1.15, 1.15), 1.16, 1.30, HOLDS),
        ("effect", (1.15, 1.15), 1.90, 1.95, STRONGER),
        ("effect", (1.15, 1.15), 1.05, 1.06, WEAKER),
        ("effect", (1.15, 1.15), 0.99, 1.06, NOT),
        ("effect", (1.15, 1.15), 0.80, 0.81, NOT),
        ("effect", (0.7, 0.8), 0.75, 0.76, HOLDS),
        ("effect", (0.7, 0.8), 0.40, 0.41, STRONGER),
        ("effect", (0.7, 0.8), 0.95, 0.96, WEAKER),
        ("effect", (0.7, 0.8), 1.20, 1.30, NOT),
        ("effect", (2.4, 3.1), 2.30, 2.50, HOLDS),
        ("effect", (1.3, 6.0), 1.10, 1.20, WEAKER),
        ("effect", (1.3, 6.0), 6.70, 6.80, STRONGER),
        ("saving", (30.0, 30.0), 28.0, 29.0, HOLDS),
        ("saving", (30.0, 30.0), 10.0, 11.0, WEAKER),
        ("saving", (30.0, 30.0), 50.0, 51.0, STRONGER),
        ("saving", (30.0, 30.0), -3.0, 1.0, NOT),
        ("above", 1.0, 1.01, 1.02, HOLDS),
        ("above", 1.0, 0.99, 1.02, NOT),
        ("below", 2.0, 1.90, 1.99, HOLDS),
        ("below", 2.0, 1.90, 2.01, NOT),
        ("within", (0.95, 1.05), 0.96, 1.04, HOLDS),
        ("within", (0.95, 1.05), 1.04, 1.20, NOT),
        ("within", (0.95, 1.05), 0.90, 1.10, NOT),
        ("within", (0.95, 1.05), 1.06, 1.20, NOT),
        ("outside", (0.95, 1.05), 1.06, 1.20, HOLDS),
        ("outside", (0.95, 1.05), 1.04, 1.20, NOT),
    ],
)
def test_rules(relation: str, bound: Any, low: float, high: float, expected: Verdict) -> None:
    effect, neutral = ("effect", 0.0) if relation == "saving" else (relation, 1.0)
    assert judge(effect, bound, low, high, neutral) is expected


# ---- the numbers decide ----


def lasting(one: synthetic.Json, median_ms: float) -> synthetic.Json:
    """The run, if its median were this."""
    scale = median_ms / one["time_ms"]["median"]
    ms = [scale * t for t in one["samples"]["ms"]]
    return {**one, "time_ms": synthetic.summary(ms), "samples": {**one["samples"], "ms": ms}}


def sweep(
    factor: float, workload: str = "dummy", strategies: tuple[str, ...] = ("bb", "ltm-r"), n: int = 30720
) -> list[synthetic.Json]:
    """bb, and a map that is so many times as fast."""
    rng = random.Random(3)
    base, *others = (synthetic.run(strategy, workload, n, rng) for strategy in strategies)
    return synthetic.improve([base, *(lasting(one, base["time_ms"]["median"] / factor) for one in others)])


def test_a_claim_turns_round_with_the_data(tmp_path: Path) -> None:
    words = "LTM gains an eighth over the box on"
    for k, (factor, expected) in enumerate([(1.13, HOLDS), (1.9, STRONGER), (1.05, WEAKER), (0.8, NOT)]):
        assert verdict(words, measured(tmp_path / str(k), sweep(factor))) is expected
    assert verdict(words, measured(tmp_path / "other", sweep(1.13, "edm1"))) is Verdict.UNKNOWN


def test_an_order_turns_round_with_the_data(tmp_path: Path) -> None:
    runs = sweep(1.5, strategies=("bb", "ltm-r", "rec", "utm-t"))
    fast, slow = sweep(1.7, strategies=("bb", "rb"))[1:], sweep(1.3, strategies=("bb", "rb"))[1:]
    assert verdict("RB is the fastest", measured(tmp_path / "a", [*runs, *fast])) is HOLDS
    assert verdict("RB is the fastest", measured(tmp_path / "b", [*runs, *slow])) is NOT
    assert verdict("RB is the fastest", measured(tmp_path / "c", runs)) is Verdict.UNKNOWN


def test_isolated_and_cold_runs_answer_nothing(tmp_path: Path) -> None:
    runs = sweep(1.13)
    for one in runs:
        one["samples"]["timing"] = "isolated"
    with pytest.raises(ReportError, match="found none"):
        measured(tmp_path / "a", runs)


def region(memory: str, block: tuple[int, int], tile: int | str, ms: float, workload: str = "life") -> synthetic.Json:
    """A run on the square of the texts that takes this long."""
    samples = [ms * (1 + 0.0001 * k) for k in range(51)]
    one = synthetic.run("bb", workload, 1600, random.Random(1), memory=memory, domain="square", steps=48)
    return {
        **one,
        "block": [*block, 1],
        "tile": tile,
        "key": f"{one['key']}/{memory}/{block}/{tile}",
        "time_ms": synthetic.summary(samples),
        "samples": {**one["samples"], "ms": samples},
    }


def test_what_cannot_be_asked_has_no_verdict(shipped: list[Bench]) -> None:
    assert verdict("GPUs of the Fermi architecture", shipped[0]) is Verdict.UNASKED


def test_regions_of_the_texts_are_asked_where_they_were_measured(tmp_path: Path) -> None:
    one = [region("aligned", (16, 16), 16, 1.0), region("aligned", (64, 4), "64x4", 0.8)]
    two = [region("two-cell", (16, 16), "32x16", 0.55), region("two-cell", (64, 4), "128x4", 0.52)]
    on = measured(tmp_path / "a", one + two)
    assert verdict("Two cells per thread save time at 64 x 4", on) is HOLDS
    assert verdict("save nearly half over one", on) is HOLDS
    assert verdict("in blocks of 64 x 4 save a little over two", on) is HOLDS
    assert verdict("save nearly half over one", measured(tmp_path / "b", one)) is Verdict.UNKNOWN


def test_a_rank_is_asked_of_all_that_the_text_ranks(tmp_path: Path) -> None:
    ranked = [
        region("aligned", (16, 16), 16, 1.0, "extrema"), region("aligned", (64, 4), "64x4", 0.8, "extrema"),
        region("two-cell", (16, 16), "32x16", 0.7, "extrema"), region("two-cell", (64, 4), "128x4", 0.9, "extrema"),
    ]  # fmt: skip
    words = "two cells in square blocks are the fastest"
    assert verdict(words, measured(tmp_path / "a", ranked)) is HOLDS
    assert verdict(words, measured(tmp_path / "b", ranked[:3])) is Verdict.UNKNOWN
    ranked[3] = region("two-cell", (64, 4), "128x4", 0.6, "extrema")
    assert verdict(words, measured(tmp_path / "c", ranked)) is NOT


def test_the_texts_grid_is_the_box(tmp_path: Path) -> None:
    """Where a square was measured under two maps at its largest N."""
    box = [region("conditional", (16, 16), 16, 1.0), region("halo", (16, 16), 16, 0.82)]
    other = [{**one, "strategy": "ltm-i", "key": f"{one['key']}/i"} for one in map(region, *zip(
        ("conditional", (16, 16), 16, 1.0), ("halo", (16, 16), 16, 2.0)))]  # fmt: skip
    assert verdict("A halo saves a sixth", measured(tmp_path / "a", box + other)) is HOLDS


def test_a_tile_of_64_stands_for_no_region(tmp_path: Path) -> None:
    old = [
        region("aligned", (16, 16), 16, 1.0), region("aligned", (64, 4), 64, 0.8), region("rect", (64, 4), 64, 0.8),
        region("two-cell", (16, 16), 64, 0.55), region("two-cell", (64, 4), 64, 0.52),
        region("halo", (16, 16), 16, 1.0),
    ]  # fmt: skip
    on = measured(tmp_path / "a", old)
    asked = [one for one in CLAIMS if "published-life" in one.label]
    assert len(asked) == 7 and all(one.verdict(one.answer(on)[0]) is Verdict.UNKNOWN for one in asked)


def test_instructions_are_those_that_were_counted(tmp_path: Path) -> None:
    words, path = "just under 60 % of the instructions", tmp_path / "a"
    assert verdict(words, measured(path, sweep(1.1))) is Verdict.UNKNOWN
    for two, expected in ((59, HOLDS), (61, NOT)):
        (tmp_path / "a-counters.csv").write_text(
            f"workload,strategy,memory,n,instructions\nlife,bb,rect,1600,100.0\nlife,bb,two-cell,1600,{two}.0\n"
        )
        assert verdict(words, read(f"{path}.json")) is expected


def test_a_sentence_about_every_n_has_its_share(tmp_path: Path) -> None:
    factors = {1024: 0.9, 8192: 1.5, 30720: 1.8}
    runs = [run for n, factor in factors.items() for run in sweep(factor, strategies=("bb", "rec"), n=n)]
    on = measured(tmp_path / "a", runs)
    one = claim("REC is slower than the box at every N (its")
    finding = one.answer(on)[0]
    assert finding is not None and sorted(verdict is NOT for verdict in one.verdicts(finding)) == [False, True, True]
    assert one.verdict(finding) is Verdict.PART
    assert verdict("REC is slower than the box at every N (its", measured(tmp_path / "b", runs[:2])) is HOLDS
    assert verdict("REC is slower than the box at every N (its", measured(tmp_path / "c", runs[2:])) is NOT


def test_of_several_an_effect_counts_only_where_it_is_as_large_as_published() -> None:
    one = claim("beyond N = 256")
    for factors, expected, words in (
        ((2.5, 2.6), HOLDS, "2 of 2"), ((2.5, 3.6), HOLDS, "2 of 2"), ((1.5, 1.6), WEAKER, "0 of 2, weaker at 2"),
        ((2.5, 1.6), Verdict.PART, "1 of 2, weaker at 1"), ((1.5, 0.9), NOT, "0 of 2, weaker at 1"),
    ):  # fmt: skip
        values = pd.DataFrame([{"value": i, "low": i, "high": i, "noted": False} for i in factors])
        finding = measures.Finding(values, "N")
        assert one.verdict(finding) is expected and f"(N; {words})" in claims.ours(one, finding)


def test_numerator_and_denominator_are_of_one_invocation(shipped: list[Bench]) -> None:
    for one in CLAIMS:
        _, label = one.answer(shipped[0])
        assert all(part in ("maps", "counters") or part in shipped[0].labels for part in label.split("+") if part), (
            label
        )


def solid(
    factors: dict[str, float], n: int = 1024, test: str = "write", cut: int | None = None
) -> list[synthetic.Json]:
    """The box of a tetrahedron, and maps that are so many times as fast; watts and joules, too."""
    rng = random.Random(5)
    runs = []
    for name, factor in {"bb-tetra": 1.0, **factors}.items():
        own = cut if name.startswith(("dp", "rec")) else None
        one = synthetic.run(name, test, n, rng, block=8, dimension=3, layout="full", cutoff=own)
        runs.append({**lasting(one, 1.0 / factor), "key": one["key"].replace("packed", "full")})
    return synthetic.improve(runs, "bb-tetra")


EARLIER = {"ltm-tetra": 2.0, "rb-tetra": 2.0, "dp-tetra": 1.5, "rec-tetra": 1.8}


def test_the_map_h_is_asked_at_its_best_n_and_against_the_best_of_the_others(tmp_path: Path) -> None:
    reached, fastest = "H is 1.3 to 6.0 times as fast as the box on 3-simplices", "H is faster than the earlier maps"
    tests = ("write", "accumulate", "life")
    for mine, expected in ((1.1, WEAKER), (2.5, HOLDS), (8.0, STRONGER), (0.9, NOT)):
        runs = [solid({"hmap-tetra": mine, **EARLIER}, test=test) for test in tests]
        runs += [solid({"hmap-tetra": 0.8}, 512, test) for test in tests]
        on = measured(tmp_path / f"{mine}", sum(runs, []))
        assert verdict(reached, on) is expected
        assert verdict(fastest, on) is (HOLDS if mine > 2.0 else NOT)
    assert verdict(reached, measured(tmp_path / "two", sum(runs[:2], []))) is Verdict.UNKNOWN
    # a cut-off that is better than the others counts
    trees = [run for run in solid({"rec-tetra": 3.0}, cut=32) if run["strategy"] == "rec-tetra"]
    others = [run for test in tests for run in solid({"hmap-tetra": 2.5, **EARLIER}, test=test, cut=128)]
    assert verdict(fastest, measured(tmp_path / "trees", others)) is HOLDS
    assert verdict(fastest, measured(tmp_path / "tree", others + trees)) is Verdict.PART


def test_the_map_h_is_asked_for_power_and_energy_among_the_others(tmp_path: Path) -> None:
    def of(watts: float, factor: float, name: str) -> Bench:
        runs = []
        for test in ("write", "accumulate", "life"):
            for one in synthetic.count_energy(solid({"hmap-tetra": factor, **EARLIER}, test=test), 400.0):
                mine = one["strategy"] == "hmap-tetra"
                runs += synthetic.count_energy([one], watts) if mine else [one]
        return measured(tmp_path / name, runs)

    power, energy = "highest in power on 3-simplices", "energy efficient on 3-simplices"
    assert (verdict(power, of(500.0, 3.0, "a")), verdict(energy, of(500.0, 3.0, "b"))) == (HOLDS, HOLDS)
    assert (verdict(power, of(300.0, 1.0, "c")), verdict(energy, of(300.0, 1.0, "d"))) == (NOT, NOT)
    assert verdict(power, measured(tmp_path / "none", solid({"hmap-tetra": 3.0, **EARLIER}))) is Verdict.UNKNOWN


def test_the_range_of_a_map_is_what_the_device_found(tmp_path: Path) -> None:
    words = "LTM-R with its repair is exact"
    path = tmp_path / "a"
    assert verdict(words, measured(path, sweep(1.1))) is Verdict.UNKNOWN
    for failing, expected in ((1968, HOLDS), (1500, NOT)):
        (tmp_path / "a-maps.json").write_text(
            f'{{"strategies": [{{"strategy": "ltm-r", "checked_n": {failing}, "first_failing_n": {failing}}}]}}'
        )
        assert verdict(words, read(f"{path}.json")) is expected


# ---- words ----


def test_a_verdict_names_the_gpus_only_where_they_differ() -> None:
    assert in_words([("H200", HOLDS), ("H100", HOLDS)]) == "**holds**"
    assert in_words([("H200", HOLDS), ("H100", Verdict.UNKNOWN)]) == "H200: **holds**"
    assert in_words([("H200", HOLDS), ("H100", NOT)]) == "H200: **holds**; H100: **does not hold**"
    assert in_words([("H200", Verdict.UNKNOWN)]) == "not measured yet"
    names = ("NVIDIA H100 80GB HBM3", "NVIDIA H200", "NVIDIA GeForce RTX 4090", "Tesla V100-SXM2-16GB")
    assert [short_name(name) for name in names] == ["H100", "H200", "GeForce RTX 4090", "Tesla V100-SXM2-16GB"]


def test_each_verdict_has_its_sentence_where_they_differ() -> None:
    one = replace(claim("LTM gains 15 % over the box"), why={HOLDS: "So.", NOT: "Not so."})
    assert why_in_words(one, [("H200", HOLDS), ("H100", HOLDS)]) == one.why[HOLDS]
    assert why_in_words(one, [("H200", Verdict.UNKNOWN), ("H100", NOT)]) == "Not so."
    assert why_in_words(one, [("H200", HOLDS), ("H100", NOT)]) == f"H200: {one.why[HOLDS]} H100: Not so."
    assert why_in_words(one, [("H200", Verdict.UNKNOWN)]) == one.reason(Verdict.UNKNOWN)


def test_the_readme_says_the_counts_of_each_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [one for one in claims.SENTENCES if "LTM" in one.claim]  # README's own counts are of all of them
    monkeypatch.setattr(front, "SENTENCES", asked)
    for name, factor, gpu in (("a", 1.13, "NVIDIA H200"), ("b", 1.05, "NVIDIA H100"), ("c", 0.8, "NVIDIA A100")):
        measured(tmp_path / name, sweep(factor), gpu=gpu)
    one, *others = [str(tmp_path / f"{name}.json") for name in "abc"]
    numbers = r"(\d+), (\d+), (\d+), (\d+), (\d+)"
    words = r"On an H200 (\d+) hold, (\d+) in direction only, (\d+) at some N, (\d+) do not, (\d+) were not measured"
    assert re.fullmatch(rf"{words}\.", front.held([one]))
    found = re.fullmatch(rf"{words} \(H100: {numbers}; A100: {numbers}\)\.", front.held([one, *others]))
    assert found is not None
    h200, h100, a100 = ([int(count) for count in found.groups()[k : k + 5]] for k in (0, 5, 10))
    assert sum(h200) == sum(h100) == sum(a100) == len(asked) > 5
    assert h200[0] > h100[0] and h100[1] > h200[1] and a100[3] > h200[3]


# ---- the command line ----


def test_the_command_line(tmp_path: Path, script: Script, inside: Script) -> None:
    measured(tmp_path / "one", sweep(1.13))
    measured(tmp_path / "other", sweep(1.9), gpu="NVIDIA H100 80GB HBM3")
    result = script("claims", tmp_path / "one.json", tmp_path / "other.json")
    assert result.returncode == 0 and result.stderr == ""
    (row,) = [line for line in result.stdout.splitlines() if "LTM gains an eighth over the box on" in line]
    assert "1.13 [" in row and "1.90 [" in row and "H200: **holds**; H100: **holds stronger**" in row
    assert inside("claims", tmp_path / "missing").returncode == 1
    two = inside("claims", tmp_path)
    assert two.returncode == 1 and "expected results of one GPU" in two.stderr


def test_check_names_the_verdicts_that_are_not_the_shipped_ones(tmp_path: Path, inside: Script) -> None:
    words = "LTM gains an eighth over the box on"
    assert inside("claims", f"{SHIPPED[0]}:roots", "--check").returncode == 0
    for name, gpu, apart in ("apart", "NVIDIA H200", 1), ("new", "NVIDIA A100", 2):
        measured(tmp_path / name, sweep(0.8), gpu=gpu)
        result = inside("claims", tmp_path / f"{name}.json", "--check")
        said = [line for line in result.stdout.splitlines() if words in line]
        assert result.returncode == 1 and len(said) == apart, result.stdout
    assert all(": does not hold, on the shipped H" in line for line in said)
    measured(tmp_path / "none", sweep(1.0, "collision"))
    assert inside("claims", tmp_path / "none.json", "--check").returncode == 1


mixed = test_unverified.mixed


def test_claims_are_not_held_against_it_unless_asked(mixed: Path, inside: Script) -> None:
    assert "utm" not in set(read(str(mixed.parent)).runs["strategy"])
    assert "utm" in set(read(str(mixed.parent), unverified=True).runs["strategy"])
    assert "not verified" not in inside("claims", mixed.parent).stdout
    assert "12 of 60 runs not verified" in inside("claims", mixed.parent, "--unverified").stdout
