"""What calls return: results with names that are also tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["MassProperties", "PrincipalAxes", "Statistics", "Trajectory"]


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


class MassProperties(NamedTuple):
    """The mass properties of an assembly: the tuple (mass, centre, inertia).

    mass: of all parts.
    centre: the centre of mass, in the axes of the assembly, (3,).
    inertia: the tensor about the centre of mass, along the axes of the assembly, (3, 3): what Body takes.
    """

    mass: float
    centre: npt.NDArray[np.float64]
    inertia: npt.NDArray[np.float64]


class PrincipalAxes(NamedTuple):
    """Principal moments and axes of an inertia: the tuple (moments, orientation).

    moments: (3,).
    orientation: the rotation from the principal axes to the body axes, (w, x, y, z): with its matrix R the tensor is R diag(moments) R^T.
    """

    moments: npt.NDArray[np.float64]
    orientation: npt.NDArray[np.float64]
