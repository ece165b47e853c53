"""What calls return: results with names that are also tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Statistics", "Trajectory"]


class Statistics(NamedTuple):
    """What a solution with error control cost."""

    evaluations: int
    accepted: int
    rejected: int


class Trajectory(NamedTuple):
    """States of a body or an ensemble at m times: the tuple (t, q, omega).

    t: the times, (m,).
    q: orientations (w, x, y, z), body to world: (m, 4), of an ensemble of n bodies (m, n, 4).
    omega: angular velocities, world frame, rad per unit of time: (m, 3) or (m, n, 3).
    """

    t: npt.NDArray[np.float64]
    q: npt.NDArray[np.float64]
    omega: npt.NDArray[np.float64]
