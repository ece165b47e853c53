"""The mean of orientations."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import in_argument
from ._quatint import orientation_inverse, real_numbers

__all__ = ["orientation_mean"]


def orientation_mean(orientations: Any, weights: npt.ArrayLike | None = None) -> npt.NDArray[np.float64]:
    """orientation_mean(orientations, weights=None): the mean of orientations (n, 4) or of a scipy Rotation, (4,), with w >= 0.

    It is the orientation with the least sum of squared distances between rotation matrices, as in scipy (F. L. Markley et al., J. Guid.
    Control Dyn. 30, 1193 (2007)). The signs of the quaternions do not matter. weights: (n,), not negative; None: all the same. A mean that
    is not unique is refused, such as that of no rotation and half a turn.
    """
    with in_argument("orientations"):
        q = orientation_inverse(orientation_inverse(orientations))  # checks and normalises
    if q.ndim != 2 or len(q) == 0:
        raise ValueError(f"`orientations` must have the shape (n, 4) with at least one row, not {q.shape}")
    w = np.ones(len(q)) if weights is None else real_numbers(weights, "weights")
    if w.shape != (len(q),) or not np.all(w >= 0) or not np.isfinite(w.sum()) or w.sum() == 0:
        raise ValueError(f"`weights` must be {len(q)} numbers that are not negative, and not all 0")
    lengths, axes = np.linalg.eigh((q.T * (w / w.sum())) @ q)
    if lengths[3] - lengths[2] < 1e-12:
        raise ValueError("the orientations have no unique mean: several are equally near to all")
    mean: npt.NDArray[np.float64] = axes[:, 3] * (-1.0 if axes[0, 3] < 0 else 1.0)
    return mean / np.linalg.norm(mean)
