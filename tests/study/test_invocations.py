"""The interval between invocations holds what one more invocation finds, as often as it says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import RESULTS
from tribench_study.bench import GAIN, TIME, of_all_invocations
from tribench_study.invocations import between, held


def runs(spread: float, keys: int, count: int, seed: int = 1) -> pd.DataFrame:
    """Times of keys in invocations that differ by so much."""
    rng = np.random.default_rng(seed)
    found = [(f"{k}", j, rng.uniform(0.1, 9.0)) for k in range(keys) for j in range(count)]
    frame = pd.DataFrame(found, columns=["key", "invocation", TIME]).assign(dimension=2)
    frame[TIME] = frame.groupby("key")[TIME].transform("first") * np.exp(rng.normal(0.0, spread, len(frame)))
    return frame


@pytest.mark.parametrize("count", [2, 3, 6])
def test_it_holds_one_more_invocation_as_often_as_it_says(count: int) -> None:
    frame = runs(0.02, 2000, count)
    inside, every = held(frame, TIME, frame["invocation"])
    if count == 2:
        assert every == 0, "one invocation alone says nothing of their differences"
    else:
        assert every == 2000 * count and 0.94 < inside / every < 0.96


def test_it_is_the_geometric_mean_and_wider_where_few_were_measured() -> None:
    solid = runs(0.0, 1, 1).assign(key="other", dimension=3)
    frame = pd.concat([runs(0.02, 50, 3), runs(0.02, 1, 1).assign(key="alone"), solid])
    found = between(frame.reset_index(drop=True), TIME)
    width = np.log(found["high"] / found["low"]).round(9)
    assert found["value"].iloc[0] == pytest.approx(np.exp(np.log(frame[TIME].iloc[:3]).mean()))
    assert width.iloc[:150].nunique() == 1 and width.iloc[150] > width.iloc[0]
    assert width.iloc[150] / width.iloc[0] == pytest.approx((2.0 / (4.0 / 3.0)) ** 0.5)
    assert np.isnan(found["low"].iloc[151]), "no key of this dimension was repeated"


@pytest.mark.parametrize("gpu", ["h200", "h100"])
@pytest.mark.parametrize("what", [TIME, GAIN])
def test_of_the_medians_of_a_left_out_invocation_nine_tenths_lie_inside(gpu: str, what: str) -> None:
    frame = of_all_invocations(str(RESULTS / f"{gpu}.json.gz"))
    inside, every = held(frame, what, frame["label"])
    assert every > 400 and inside / every >= 0.9, f"{inside} of {every}"
