"""The test behind compare: Holm's procedure, the spread from repeats alone, and the error of a whole family."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as reference
from tribench_report.verdict import EVIDENCE, FAMILY_ERROR, PRIOR_FREEDOM, Array, Side, evidence, holm, scale, variance

SMALLEST = SPREAD = math.log(1.015)


def side(log_ms: Array, noise: float = 0.0) -> Side:
    """What side_of makes of files, [file, key]; NaN where a file has no time."""
    mean = np.nanmean(log_ms, axis=0)
    columns = [(~np.isnan(log_ms)).sum(axis=0), mean, np.nansum((log_ms - mean) ** 2, axis=0), 0 * mean + noise**2]
    return np.rec.fromarrays(columns, names="files,log_ms,squares,noise")


def sides(rng: np.random.Generator, spread: Array, files: int = 3) -> tuple[Array, Array]:
    """Two sides between which nothing changed."""
    old, new = rng.normal(0.0, spread, (2, files, len(spread)))
    return old, new


def found_in(old: Array, new: Array, noise: float = 0.0) -> dict[str, Array]:
    return dict(zip(EVIDENCE, evidence(side(old, noise), side(new, noise), SMALLEST, SPREAD)))


def called(old: Array, new: Array, noise: float = 0.0) -> Array:
    """For each key 1 if it is called slower, -1 if faster, else 0."""
    found = found_in(old, new, noise)
    return np.sign(found["change"]) * ((found["p"] <= FAMILY_ERROR) & (np.abs(found["change"]) > SMALLEST))


def test_holm_multiplies_by_what_is_left_and_never_decreases() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_a_change_does_not_widen_the_spread() -> None:
    old, new = sides(np.random.default_rng(1), np.full(60, 0.003))
    changed = new + math.log(3.0) * (np.arange(60) < 30)
    for before, after in zip(variance(side(old), side(new)), variance(side(old), side(changed))):
        assert after == pytest.approx(before)


def test_a_family_of_one_key_is_a_t_test() -> None:
    old, new = np.array([[1.0], [1.01], [1.03]]), np.array([[1.1], [1.07], [1.08]])
    assert found_in(old, new)["p"][0] == pytest.approx(reference.ttest_ind(old[:, 0], new[:, 0]).pvalue)


def test_a_side_of_one_file_is_given_the_assumed_spread_or_that_of_the_other_side() -> None:
    old, new = sides(np.random.default_rng(1), np.full(60, 0.001))
    error, freedom = scale(side(old[:1], 0.002), side(new[:1], 0.002), 0.015)
    assert error == pytest.approx(math.sqrt(2 * (0.015**2 + 0.002**2))) and (freedom > 1000).all()
    error, freedom = scale(side(old), side(new[:1]), 0.015)
    assert (error > 0.015).all() and (error < 0.016).all()
    assert (scale(side(old), side(new), 0.015)[0] < 0.003).all()
    error, freedom = scale(side(50 * old), side(new[:1]), 0.015)
    assert 0.6 < np.mean(error**2) / (0.05**2 * (1 + 1 / 3)) < 1.2
    assert (freedom == PRIOR_FREEDOM + 2).all()


@pytest.mark.parametrize("spread", [0.02, 0.03])
@pytest.mark.parametrize(("keys", "files"), [(3, 2), (3, 3), (60, 3), (60, 5)])
def test_one_file_against_several_keeps_the_level(keys: int, files: int, spread: float) -> None:
    """Where the spread is larger than the assumed one, and where it happens to look smaller than it is."""
    rng, wrong = np.random.default_rng(10 * keys + files), 0
    for _ in range(300):
        wrong += called(rng.normal(0.0, spread, (files, keys)), rng.normal(0.0, spread, (1, keys))).any()
    assert wrong <= 0.07 * 300  # a level of 5 %, in 300 trials


def test_keys_may_have_different_numbers_of_files() -> None:
    old, new = sides(np.random.default_rng(2), np.full(8, 0.002))
    old[2, 0], new[1:, 1] = math.nan, math.nan
    found = found_in(old, new, 0.001)
    assert np.isfinite(list(found.values())).all()
    assert found["detectable"][1] > 2 * found["detectable"][2]


def test_samples_that_are_noisier_than_the_repeats_count() -> None:
    same = np.zeros((3, 5))
    assert not called(same, same + 0.02, 0.01).any() and called(same, same + 0.02).all()


@pytest.mark.parametrize("files", [2, 3, 5])
@pytest.mark.parametrize(("spread", "unequal"), [(0.002, 0.4), (0.01, 0.0), (0.01, 0.4)])
def test_the_error_of_a_family_of_normal_keys_is_below_5_percent(files: int, spread: float, unequal: float) -> None:
    rng, wrong = np.random.default_rng(files), {-1: 0, 1: 0}
    for _ in range(300):
        found = called(*sides(rng, spread * np.exp(rng.normal(0.0, unequal, 60)), files))
        for way in wrong:
            wrong[way] += (found == way).any()
    assert max(wrong.values()) <= 0.05 * 300


def test_a_change_called_detectable_is_found() -> None:
    rng, found = np.random.default_rng(3), 0
    for _ in range(200):
        old, new = sides(rng, np.full(20, 0.01))
        new[:, 0] += found_in(old, new)["detectable"][0]
        found += called(old, new)[0] != 0
    assert found >= 0.92 * 200
