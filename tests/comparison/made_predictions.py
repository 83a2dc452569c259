"""Predictions to test on: small ones that hypothesis makes, and models whose true scores are known."""

import numpy as np
from hypothesis import strategies as st
from scipy.special import ndtr

Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


@st.composite
def small_tests(draw: st.DrawFn, least: int = 2) -> Rows:
    """Outcomes with at least so many of each class, and two models with many ties."""
    y = [1] * draw(st.integers(least, 8)) + [0] * draw(st.integers(least, 8))
    scores = st.lists(st.integers(0, 6), min_size=len(y), max_size=len(y))
    return np.array(y, dtype=bool), np.array(draw(scores), dtype=float), np.array(draw(scores), dtype=float)


def binormal(positives: int, negatives: int, shifts: dict[str, float], seed: int, correlation: float = 0.5):
    """Scores normal in each class, positives shifted: the true AUC of a model is Φ(shift / √2)."""
    rng = np.random.default_rng(seed)
    y = np.repeat([True, False], [positives, negatives])
    shared = rng.normal(size=y.size)
    scores = {}
    for name, shift in shifts.items():
        own = rng.normal(size=y.size)
        scores[name] = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own + shift * y
    return y, scores


def true_auc(shift: float) -> float:
    return float(ndtr(shift / np.sqrt(2)))


def brute_force_placements(y: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Every pair of a positive and a negative compared one by one."""
    wins = (scores[y][:, None] > scores[~y][None, :]) + 0.5 * (scores[y][:, None] == scores[~y][None, :])
    placed = np.empty(y.size)
    placed[y], placed[~y] = wins.mean(axis=1), wins.mean(axis=0)
    return placed


def brute_force_auc(y: np.ndarray, scores: np.ndarray) -> float:
    return float(brute_force_placements(y, scores)[y].mean())
