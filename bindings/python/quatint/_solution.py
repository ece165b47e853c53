"""A solution with error control as a function of time, with the events on the way."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ._compiled import Compiled, with_address
from ._quatint import Body, real_numbers
from ._results import Statistics, Trajectory

__all__ = ["Event", "Solution"]

_Array = npt.NDArray[np.float64]
_Function = Callable[[float, _Array, _Array], Any]


#: How many states interpolation takes. They are a sixteenth of a step apart, or less.
_NODES = 8

#: Rows of the states to plot of a free body, whose motion is known at all times.
_FREE_ROWS = 1001


class Event(NamedTuple):
    """An event of Body.solve_dense: where a function (t, q, omega) -> number becomes zero or changes its sign.

    function: gets the time and arrays of 4 and 3 numbers (world frame); or quatint.compiled(f).
    crossing: "any", "rising" (from negative to positive) or "falling". stops: whether the solution ends there.
    """

    function: _Function | Compiled
    crossing: Literal["any", "rising", "falling"] = "any"
    stops: bool = False


class Solution:
    """The motion that Body.solve_dense has computed. Called with times, it returns the Trajectory at these.

    t, q, omega: states to plot, (m,), (m, 4) and (m, 3), from the start to the end; a Solution unpacks into them.
    t_events, q_events, omega_events: for each event the times (k,), orientations (k, 4) and angular velocities (k, 3).
    stopped_by: the number of the event that ended the solution; None: it reached its end.
    statistics: what it cost.
    """

    def __init__(self, rows: _Array, statistics: Statistics, start: Body | None) -> None:
        self._start = start  # of a free body, whose motion is exact
        self._rows = rows
        self.statistics = statistics
        self.stopped_by: int | None = None
        self.t_events: list[_Array] = []
        self.q_events: list[_Array] = []
        self.omega_events: list[_Array] = []
        if start is None:
            shown = Trajectory(rows[:, 0].copy(), rows[:, 1:5].copy(), rows[:, 5:].copy())
        else:
            shown = self(np.linspace(rows[0, 0], rows[-1, 0], _FREE_ROWS if len(rows) > 1 else 1))
        self.t, self.q, self.omega = shown

    def __iter__(self) -> Any:
        return iter((self.t, self.q, self.omega))

    def __repr__(self) -> str:
        found = ", ".join(str(len(times)) for times in self.t_events)
        ended = "" if self.stopped_by is None else f", stopped by event {self.stopped_by}"
        events = f", events: [{found}]" if self.t_events else ""
        return f"Solution(from t = {self.t[0]:.6g} to {self.t[-1]:.6g}{ended}{events}, {self.statistics})"

    def __call__(self, times: npt.ArrayLike) -> Trajectory:
        """The states at times between start and end, in any order: (m,), or one time, for arrays (4,) and (3,)."""
        t = real_numbers(times, "times")
        if t.ndim > 1:
            raise ValueError(f"`times` must be a number or have the shape (n,), not {t.shape}")
        first, last = sorted((self._rows[0, 0], self._rows[-1, 0]))
        if not np.all((t >= first) & (t <= last)):
            raise ValueError(f"`times` must be from {first} to {last}, where the solution is known")
        states = self._states(np.atleast_1d(t))
        if t.ndim == 0:
            return Trajectory(t[()], states[0, :4], states[0, 4:])
        return Trajectory(t.copy(), states[:, :4], states[:, 4:])

    def _states(self, t: _Array) -> _Array:
        if self._start is not None:
            direction = -1 if self._rows[-1, 0] < self._rows[0, 0] else 1
            order = np.argsort(direction * t, kind="stable")
            _, q, omega = copy.copy(self._start).solve(t[order])
            states = np.empty((len(t), 7))
            states[order] = np.column_stack([q, omega])
            return states
        return _interpolated(self._rows, t)


def _interpolated(rows: _Array, t: _Array) -> _Array:
    """Orientations and angular velocities by the polynomials through the states around each time: Neville's algorithm."""
    direction = -1 if rows[-1, 0] < rows[0, 0] else 1
    times = direction * rows[:, 0]
    count = min(_NODES, len(rows))
    here = direction * t
    first = np.clip(np.searchsorted(times, here) - count // 2, 0, len(rows) - count)
    window = first[:, None] + np.arange(count)
    nodes, values = times[window], rows[window, 1:]
    for k in range(1, count):
        below, above = nodes[:, :-k, None], nodes[:, k:, None]
        at = here[:, None, None]
        values = ((at - below) * values[:, 1:] + (above - at) * values[:, :-1]) / (above - below)
    states = values[:, 0]
    states[:, :4] /= np.linalg.norm(states[:, :4], axis=1, keepdims=True)
    known = np.minimum(np.searchsorted(times, here), len(rows) - 1)
    is_node = times[known] == here
    states[is_node] = rows[known[is_node], 1:]  # with the bits of the steps
    return np.ascontiguousarray(states)


def solve_dense(body: Body, end_time: float, tolerance: float, events: Any) -> Solution:
    """Body.solve_dense."""
    given = [_event(event) for event in listed(events)]
    solution, failure = solve_as_far_as_possible(body, end_time, tolerance, given)
    if failure is not None:
        raise failure
    return solution


def solve_as_far_as_possible(
    body: Body, end_time: float, tolerance: float, given: Sequence[Event]
) -> tuple[Solution, BaseException | None]:
    """The solution up to its end, or up to where the motion cannot go on, and the exception that says why."""
    has_rotors = body.rotor_momentum.any() or body.rotor_torque.any()
    has_constant_inertia = body.inertia_function is None
    is_free = body.torque is None and body.drag is None and not has_rotors and has_constant_inertia
    start = copy.copy(body) if is_free else None
    begin = np.concatenate([[body.time], body.orientation, body.angular_velocity])
    rows, values, stopped_by, failure = body._solve_sampled(end_time, tolerance, [tuple(event) for event in given])
    if is_free and not given and rows[0, 0] != begin[0]:
        rows = np.vstack([begin, rows])
    solution = Solution(rows, body.solve_statistics, start)
    solution.stopped_by = stopped_by
    for number, event in enumerate(given):
        times = [rows[-1, 0]] if stopped_by == number else []
        if not event.stops:
            times = _crossings(solution, rows[:, 0], values[:, number], event)
        states = solution(np.asarray(times, dtype=np.float64))
        if stopped_by == number:
            states = Trajectory(states.t, body.orientation[None], body.angular_velocity[None])
        solution.t_events.append(states.t)
        solution.q_events.append(states.q)
        solution.omega_events.append(states.omega)
    return solution, failure


def listed(events: Any) -> list[Any]:
    """Events as a list, also a lone one, or None."""
    if events is None:
        return []
    if isinstance(events, (Event, Compiled)) or callable(events) or not isinstance(events, Iterable):
        return [events]
    return list(events)


def _event(given: Any) -> Event:
    """An event, also from a function with the attributes that scipy reads."""
    event, count = event_and_count(given)
    if count > 1:
        raise ValueError(f"`terminal` of an event must be True or False, not {count}: quatint.solve_ivp counts events")
    return event


def event_and_count(given: Any) -> tuple[Event, int]:
    """An event, and after how many of them the solution ends; 0: it goes on."""
    if isinstance(given, Event):
        if not isinstance(given.crossing, str):
            raise TypeError(f"`crossing` of an Event must be a text, not {given.crossing!r}: Event(function, crossing, stops)")
        return Event(with_address(given.function), given.crossing, bool(given.stops)), int(bool(given.stops))
    direction, terminal = getattr(given, "direction", 0), getattr(given, "terminal", False)
    if not isinstance(terminal, (int, np.integer, np.bool_)) or terminal < 0:
        raise ValueError(f"`terminal` of an event must be True, False or a positive number of events, not {terminal!r}")
    crossing: Literal["any", "rising", "falling"] = "any" if direction == 0 else "rising" if direction > 0 else "falling"
    return Event(with_address(given), crossing, bool(terminal)), int(terminal)


def _crossings(solution: Solution, times: _Array, values: _Array, event: Event) -> list[float]:
    """The times at which an event that does not stop the solution has happened."""
    found: list[float] = []
    value_at = _value_of(event.function)

    def value(t: float) -> float:
        _, q, omega = solution(t)
        return value_at(t, q, omega)

    sides = {"any": (-1, 1), "rising": (-1,), "falling": (1,)}[event.crossing]
    side, near = 0, 0  # the sign of the last value, and where it was
    zero: int | None = None  # the first 0 since then
    for far, sign in enumerate(np.sign(values)):
        if sign == 0 and side != 0 and zero is None:
            zero = far  # the next value tells whether it crosses, touches or stays
            continue
        if sign != side and side in sides:
            if sign == 0:
                found.append(_first_zero(value, float(times[near]), float(times[zero])))
            elif zero is not None:
                found.append(float(times[zero]))
            else:
                found.append(_zero(value, (times[near], values[near]), (times[far], values[far])))
        side, near = sign, far
        if sign != 0:
            zero = None
    if zero is not None and side in sides:
        found.append(_first_zero(value, float(times[near]), float(times[zero])))
    return found


def _first_zero(value: Callable[[float], float], near: float, far: float) -> float:
    """The beginning of the zeros of a function, by bisection: it is 0 at the second argument, and not at the first."""
    while (middle := 0.5 * (near + far)) not in (near, far):
        if value(middle) == 0:
            far = middle
        else:
            near = middle
    return float(far)


def _zero(value: Callable[[float], float], near: tuple[float, float], far: tuple[float, float]) -> float:
    """The zero of a function between two arguments with values of opposite sign: regula falsi in the Illinois form."""
    (a, fa), (b, fb) = near, far
    for _ in range(200):
        x = b - fb * (b - a) / (fb - fa)
        if not min(a, b) < x < max(a, b):
            x = 0.5 * (a + b)
        fx = value(x)
        if fx == 0 or x in (a, b):
            return float(x)
        if (fx < 0) != (fb < 0):
            a, fa = b, fb
        else:
            fa *= 0.5
        b, fb = x, fx
        if abs(b - a) <= 2 * np.spacing(max(abs(a), abs(b))):
            break
    return float(b)


def _value_of(function: _Function | Compiled) -> Callable[[float, _Array, _Array], float]:
    """An event as a Python function."""
    if not isinstance(function, Compiled):
        python = function
        return lambda t, q, omega: float(python(t, q, omega))
    return function._pointer.event_value
