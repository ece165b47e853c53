"""``solve_ivp``: a solution with the arguments and the result of scipy.integrate.solve_ivp."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._errors import in_argument
from ._quatint import Body, real_numbers
from ._results import Statistics
from ._solution import Event, Solution, event_and_count, listed, solve_as_far_as_possible
from ._torques import check_frame, number

if TYPE_CHECKING:
    from ._quatint import _Event, _Torque

__all__ = ["IvpResult", "solve_ivp"]

_Array = npt.NDArray[np.float64]


class IvpResult(dict[str, Any]):
    """What ``quatint.solve_ivp`` returns. Its fields are attributes and keys, as those of scipy's OdeResult.

    Attributes
    ----------
    t : ndarray, (m,)
        The times: ``t_eval``, or 16 or more of each step.
    y : ndarray, (7, m)
        The states: orientation (w, x, y, z), body to world, then angular velocity, world frame, rad per unit of time.
    orientation, angular_velocity : ndarray, (m, 4) and (m, 3)
        The same states, with a row for each time.
    sol : callable or None
        With ``dense_output``: the state (7,) at a time, or (7, n) at n times of the solution.
    t_events : list of ndarray, or None
        For each event the times at which it happened, (k,). None: there are no events.
    y_events : list of ndarray, or None
        For each event the states at these times, (k, 7).
    nfev : int
        How often the torque was asked.
    njev, nlu : int
        0, as of explicit methods in scipy.
    status : int
        0: the end was reached. 1: an event ended the solution. -1: the motion could not go on.
    message : str
        The same in words.
    success : bool
        Whether ``status`` is not negative.
    body : Body
        The body at the last time.
    """

    t: _Array
    y: _Array
    orientation: _Array
    angular_velocity: _Array
    sol: Callable[[npt.ArrayLike], _Array] | None
    t_events: list[_Array] | None
    y_events: list[_Array] | None
    nfev: int
    njev: int
    nlu: int
    status: int
    message: str
    success: bool
    body: Body

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    @property
    def rotation(self) -> Any:
        """The orientations as a ``scipy.spatial.transform.Rotation``, of m rotations."""
        scipy = importlib.import_module("scipy.spatial.transform")  # not needed otherwise
        return scipy.Rotation.from_quat(np.roll(self.orientation, -1, axis=1))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:>{width}}: {value!r}" for name, value in self.items())


class _Motion:
    """Solutions one after another, as a function of time: ``sol`` of the result."""

    def __init__(self, pieces: Sequence[Solution]) -> None:
        self._pieces = pieces
        self.t_min, self.t_max = sorted((float(pieces[0].t[0]), float(pieces[-1].t[-1])))

    def __call__(self, t: npt.ArrayLike) -> _Array:
        """The state at a time, (7,), or at many, (7, n)."""
        times = real_numbers(t, "t")
        if times.ndim > 1:
            raise ValueError(f"`t` must be a number or have the shape (n,), not {times.shape}")
        if not np.all((times >= self.t_min) & (times <= self.t_max)):
            raise ValueError(f"`t` must be from {self.t_min} to {self.t_max}, where the solution is known")
        flat = np.atleast_1d(times)
        states = np.empty((7, len(flat)))
        missing = np.ones(len(flat), dtype=bool)
        for piece in self._pieces:
            first, last = sorted((piece.t[0], piece.t[-1]))
            here = missing & (flat >= first) & (flat <= last)
            missing &= ~here
            at = piece(flat[here])
            states[:4, here], states[4:, here] = at.q.T, at.omega.T
        return states[:, 0] if times.ndim == 0 else states


def solve_ivp(
    body: Body | npt.ArrayLike,
    t_span: Sequence[float] | npt.NDArray[Any],
    y0: npt.ArrayLike | None = None,
    method: Literal["nonstiff", "stiff", "splitting"] | None = None,
    t_eval: npt.ArrayLike | None = None,
    dense_output: bool = False,
    events: _Event | Iterable[_Event] | None = None,
    *,
    torque: _Torque | None = None,
    frame: Literal["world", "body"] = "world",
    rtol: float = 1e-9,
    max_step: float | None = None,
    scalar_first: bool | None = None,
) -> IvpResult:
    """Solve the motion of a body, with the arguments and the result of scipy.integrate.solve_ivp.

    It is ``Body.solve_dense`` of a copy: the body that is given stays as it is. scipy is not needed.

    Parameters
    ----------
    body : Body or array_like, (3,) or (3, 3)
        A body, with its torque, drag, rotors and limits; or an inertia: principal moments, or the tensor in the body frame.
    t_span : two floats
        Start and end. The end may be before the start.
    y0 : array_like, (7,), or a pair, optional
        The state at the start: orientation (w, x, y, z), body to world, and angular velocity, world frame, rad per unit
        of time; or the two as a pair, in which the orientation may be a Rotation of scipy. None: that of the body; of an
        inertia, no rotation and at rest.
    method : "nonstiff", "stiff" or "splitting", optional
        DOP853, a Rosenbrock method, or extrapolated splitting for torques of orientation and time. None: the
        ``solve_method`` of the body.
    t_eval : array_like, (m,), optional
        Times of the result, from start to end in this order. None: 16 or more of each step.
    dense_output : bool
        Whether the result has ``sol``, the motion as a function of time.
    events : function, Event, or several of them, optional
        Functions ``(t, q, omega) -> number`` that cross zero, compiled ones, or quatint.Event. As in scipy, the attribute
        ``direction`` of a function chooses crossings that rise (positive) or fall (negative); ``terminal`` says whether,
        or after how many, the solution ends.
    torque : optional
        As of Body, in place of that of the body.
    frame : "world" or "body"
        Of the angular velocity and the torque of a function ``torque``.
    rtol : float
        The ``tolerance`` of Body.solve: the local error of a step in rad, and relative to the greatest angular velocity.
    max_step : float, optional
        The longest step. None: the ``solve_longest_step`` of the body. 0 or infinity: any length.
    scalar_first : bool, optional
        False: the orientation in ``y0`` is (x, y, z, w), as scipy's ``Rotation.as_quat`` has it. That of the result is
        (w, x, y, z) all the same.

    Returns
    -------
    IvpResult
        An object like scipy's OdeResult. ``success`` is False, and ``status`` -1, where the motion cannot go on: a torque
        that is not finite, an overflow, a step that becomes too short, or too many evaluations. The result then ends
        where the last accepted step did.

    Raises
    ------
    ValueError
        An argument is refused.
    Exception
        What a function of the caller raises comes out unchanged.

    Notes
    -----
    What differs from scipy: functions get ``(t, q, omega)`` in place of ``(t, y)``; there is no ``atol``, ``args`` or
    ``vectorized``; a start at which an event function is 0 is no event; ``sol`` does not extrapolate; without ``t_eval``
    the times are closer than the steps.
    """
    check_frame(frame)
    start, end = _span(t_span)
    times = None if t_eval is None else _times(t_eval, start, end)
    moving = _start(body, start, _state(y0, scalar_first), torque, frame)
    if method is not None:
        if not isinstance(method, str) or method not in ("nonstiff", "stiff", "splitting"):
            raise ValueError(f'`method` must be "nonstiff", which is DOP853, "stiff" or "splitting", not {method!r}')
        moving.solve_method = method
    if max_step is not None:
        longest = number("max_step", max_step)
        if not longest >= 0:
            raise ValueError(f"`max_step` must be positive, or 0 or infinity for steps of any length, not {longest}")
        moving.solve_longest_step = 0.0 if longest == np.inf else longest
    tolerance = number("rtol", rtol)
    if not 1e-15 <= tolerance <= 0.1:
        raise ValueError(f"`rtol` must be from 1e-15 to 0.1, not {tolerance}")
    given = [event_and_count(event) for event in listed(events)]
    pieces, failure = _pieces(moving, end, tolerance, given)
    return _result(moving, pieces, failure, times, dense_output, len(given))


def _span(t_span: Any) -> tuple[float, float]:
    try:
        start, end = map(float, t_span)
    except (TypeError, ValueError):
        raise ValueError(f"`t_span` must be two numbers, the start and the end, not {t_span!r}") from None
    return start, end


def _times(t_eval: npt.ArrayLike, start: float, end: float) -> _Array:
    times = np.array(real_numbers(t_eval, "t_eval"))
    direction = -1.0 if end < start else 1.0
    if times.ndim != 1:
        raise ValueError(f"`t_eval` must have the shape (m,), not {times.shape}")
    if not np.all((times >= min(start, end)) & (times <= max(start, end))):
        raise ValueError(f"`t_eval` must be within `t_span`, from {start} to {end}")
    if not np.all(direction * np.diff(times) > 0):
        raise ValueError("`t_eval` must go from the start of `t_span` to its end, each time once")
    return times


def _state(y0: npt.ArrayLike | None, scalar_first: bool | None) -> tuple[_Array, npt.ArrayLike] | None:
    """Orientation (w, x, y, z) and angular velocity."""
    if y0 is None:
        return None
    if isinstance(y0, (list, tuple)) and len(y0) == 2:
        orientation, angular_velocity = y0
    else:
        state = real_numbers(y0, "y0")
        if state.shape != (7,):
            raise ValueError(f"`y0` must have the shape (7,), orientation and angular velocity, not {state.shape}")
        orientation, angular_velocity = state[:4], state[4:]
    with in_argument("y0"):
        return Body([1, 1, 1], orientation, scalar_first=scalar_first).orientation, angular_velocity


def _start(
    body: Body | npt.ArrayLike,
    start: float,
    state: tuple[_Array, npt.ArrayLike] | None,
    torque: _Torque | None,
    frame: Literal["world", "body"],
) -> Body:
    """The body at the start, which is not the one that was given."""
    if callable(body):
        raise TypeError("`body` is a Body or an inertia; a function (t, q, omega) is the `torque`")
    with in_argument("body"):
        moving = copy.copy(body) if isinstance(body, Body) else Body(body)
    if torque is not None:
        moving.set_torque(torque, frame=frame)
    moving.time = start
    if state is not None:
        with in_argument("y0"):
            moving.set_state(*state)
    return moving


def _pieces(
    body: Body, end: float, tolerance: float, given: Sequence[tuple[Event, int]]
) -> tuple[list[Solution], BaseException | None]:
    """The solution in pieces: it starts again after an event that ends it only the next time or later."""
    left = [count for _, count in given]
    events = [event for event, _ in given]
    pieces: list[Solution] = []
    while True:
        solution, failure = solve_as_far_as_possible(body, end, tolerance, events)
        pieces.append(solution)
        if failure is not None or solution.stopped_by is None:
            return pieces, failure
        left[solution.stopped_by] -= 1
        if left[solution.stopped_by] == 0:
            return pieces, None


def _result(
    body: Body,
    pieces: list[Solution],
    failure: BaseException | None,
    times: _Array | None,
    dense_output: bool,
    events: int,
) -> IvpResult:
    motion = _Motion(pieces)
    reached = float(pieces[-1].t[-1])
    if times is None:
        t = np.concatenate([pieces[0].t, *(piece.t[1:] for piece in pieces[1:])])
        q = np.concatenate([pieces[0].q, *(piece.q[1:] for piece in pieces[1:])])
        omega = np.concatenate([pieces[0].omega, *(piece.omega[1:] for piece in pieces[1:])])
        y = np.concatenate([q, omega], axis=1).T
    else:
        t = times[(times >= motion.t_min) & (times <= motion.t_max)]
        y = motion(t)
    status, message = 0, f"the end of t_span is reached, at {reached}"
    if failure is not None:
        status, message = -1, str(failure)
    elif pieces[-1].stopped_by is not None:
        status, message = 1, f"event {pieces[-1].stopped_by} ended the solution, at {reached}"
    cost = Statistics(*np.sum([piece.statistics for piece in pieces], axis=0).tolist())
    return IvpResult(
        t=t,
        y=y,
        orientation=np.ascontiguousarray(y[:4].T),
        angular_velocity=np.ascontiguousarray(y[4:].T),
        sol=motion if dense_output else None,
        t_events=[_joined(pieces, i)[:, 0] for i in range(events)] if events else None,
        y_events=[_joined(pieces, i)[:, 1:] for i in range(events)] if events else None,
        nfev=cost.evaluations,
        njev=0,
        nlu=0,
        status=status,
        message=message,
        success=status >= 0,
        body=body,
    )


def _joined(pieces: Sequence[Solution], event: int) -> _Array:
    """Times and states of an event in all pieces, (k, 8)."""
    rows = [np.column_stack([p.t_events[event], p.q_events[event], p.omega_events[event]]) for p in pieces]
    return np.concatenate(rows)
