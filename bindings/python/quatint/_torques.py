"""Ready-made torques, and compiled torques."""

from __future__ import annotations

import dataclasses
import operator
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._compiled import Compiled
from ._quatint import real_numbers, torque_at

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Compiled",
    "ConstantTorque",
    "GravityGradient",
    "Langevin",
    "LinearDrag",
    "Parameters",
    "ReadyMade",
    "ShearFlow",
    "Sum",
    "UniformField",
]


def _numbers(name: str, given: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """A read-only copy of numbers of this shape, for one body or with a row for each of many."""
    array = np.array(real_numbers(given, name))
    if array.shape != shape and (array.ndim != len(shape) + 1 or array.shape[1:] != shape):
        rows = ", ".join(["n", *map(str, shape)])
        raise ValueError(f"`{name}` must have the shape {shape} or ({rows}), not {array.shape}")
    return _read_only(array)


def _fixed(name: str, given: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """A read-only copy of numbers of this shape, the same for all bodies."""
    array = np.array(real_numbers(given, name))
    if array.shape != shape:
        raise ValueError(f"`{name}` must have the shape {shape}, not {array.shape}")
    return _read_only(array)


def _read_only(array: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    array.setflags(write=False)
    return array


def number(name: str, given: Any) -> float:
    """A number of an argument."""
    array = real_numbers(given, name)
    if array.shape != ():
        raise ValueError(f"`{name}` must be one number, not of the shape {array.shape}")
    return float(array)


def check_frame(frame: Any) -> None:
    """Refuses what is no frame of a torque."""
    if not isinstance(frame, str) or frame not in ("world", "body"):
        raise ValueError(f'`frame` must be "world" or "body", not {frame!r}')


def _whole(name: str, given: SupportsIndex) -> int:
    if isinstance(given, (bool, np.bool_)):
        raise TypeError(f"`{name}` must be a whole number, not a bool")
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"`{name}` must be a whole number, not {given!r}") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"`{name}` must be from 0 to 2**64 - 1, not {number}")
    return number


class Parameters:
    """Numbers of one body, or of each of many."""

    _of_each: ClassVar[dict[str, int]] = {}

    def _for_any_count(self) -> Self:
        """The same, with ones in place of the numbers of each body: for an ensemble that gets these as rows."""
        each = {
            name: np.ones(np.shape(getattr(self, name))[1:])
            for name, ndim in self._of_each.items()
            if np.ndim(getattr(self, name)) > ndim
        }
        return dataclasses.replace(self, **each)  # type: ignore[type-var]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self))  # type: ignore[arg-type]


class ReadyMade(Parameters):
    """A torque that the library knows. Torques of this kind add up: ``a + b``.

    A body takes any sum. An ensemble takes one torque, or the sum of one torque and a LinearDrag.
    """

    _kind: ClassVar[str] = ""

    def __add__(self, other: object) -> Sum:
        if not isinstance(other, ReadyMade):
            _refuse_function(other)
            return NotImplemented
        return Sum(_terms(self) + _terms(other))

    def __call__(
        self, t: float, q: Any, omega: npt.ArrayLike, inertia: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.float64]:
        """The torque in the world frame at a state, (3,), or at many, (n, 3): for functions that add something to it.

        The parameters must be those of one body. The gravity gradient needs the inertia: 3 moments or a 3x3 tensor.
        """
        return torque_at(self, q, omega, inertia)

    def __radd__(self, other: object) -> ReadyMade:
        _refuse_function(other)
        return self if other == 0 else NotImplemented  # for sum()


def _refuse_function(other: Any) -> None:
    if callable(other):
        cure = "lambda t, q, omega: f(t, q, omega) + ready_made(t, q, omega)"
        raise TypeError(f"a function and a ready-made torque do not add up; write a function of both: {cure}")


def _terms(torque: ReadyMade) -> tuple[ReadyMade, ...]:
    return torque.terms if isinstance(torque, Sum) else (torque,)


@dataclasses.dataclass(frozen=True, eq=False)
class ConstantTorque(ReadyMade):
    """A constant torque: (3,), or (n, 3) for each body of an ensemble.

    frame "world": it keeps its direction in space; "body": it turns with the body, like a thruster.
    """

    torque: npt.NDArray[np.float64]
    frame: Literal["world", "body"] = "world"
    _kind: ClassVar[str] = "constant"
    _of_each: ClassVar[dict[str, int]] = {"torque": 1}

    def __init__(self, torque: npt.ArrayLike, frame: Literal["world", "body"] = "world") -> None:
        check_frame(frame)
        _set(self, torque=_numbers("torque", torque, (3,)), frame=frame)


@dataclasses.dataclass(frozen=True, eq=False)
class UniformField(ReadyMade):
    """The torque (R v) x F of a uniform field.

    vectors_body: v, body frame, (3,) or (n, 3): from the fixed point of a top to its centre of mass, or a dipole.
    field: F, world frame, (3,): the weight, or the field.
    """

    vectors_body: npt.NDArray[np.float64]
    field: npt.NDArray[np.float64]
    _kind: ClassVar[str] = "uniform_field"
    _of_each: ClassVar[dict[str, int]] = {"vectors_body": 1}

    def __init__(self, vectors_body: npt.ArrayLike, field: npt.ArrayLike) -> None:
        _set(self, vectors_body=_numbers("vectors_body", vectors_body, (3,)), field=_fixed("field", field, (3,)))


@dataclasses.dataclass(frozen=True, eq=False)
class GravityGradient(ReadyMade):
    """The torque 3 g n x (I n) of a central gravity field on a body much smaller than its orbit.

    direction: n, world frame, (3,), along the line to the attracting mass, of any length but 0.
    gradient: g = G M / r^3, a number or (n,); on a circular orbit, the square of the orbital rate.
    """

    direction: npt.NDArray[np.float64]
    gradient: npt.NDArray[np.float64]
    _kind: ClassVar[str] = "gravity_gradient"
    _of_each: ClassVar[dict[str, int]] = {"gradient": 0}

    def __init__(self, direction: npt.ArrayLike, gradient: npt.ArrayLike) -> None:
        _set(self, direction=_fixed("direction", direction, (3,)), gradient=_numbers("gradient", gradient, ()))


@dataclasses.dataclass(frozen=True, eq=False)
class LinearDrag(ReadyMade):
    """A linear drag -c (omega - flow) about each body axis, taken implicitly: it is stable for any c h / I.

    coefficients: c, torque per angular velocity, (3,) or (n, 3).
    flow: angular velocity of the fluid, world frame, (3,) or (n, 3); None: at rest.
    """

    coefficients: npt.NDArray[np.float64]
    flow: npt.NDArray[np.float64] | None = None
    _kind: ClassVar[str] = "linear_drag"
    _of_each: ClassVar[dict[str, int]] = {"coefficients": 1, "flow": 1}

    def __init__(self, coefficients: npt.ArrayLike, flow: npt.ArrayLike | None = None) -> None:
        _set(
            self,
            coefficients=_numbers("coefficients", coefficients, (3,)),
            flow=None if flow is None else _numbers("flow", flow, (3,)),
        )


@dataclasses.dataclass(frozen=True, eq=False)
class ShearFlow(ReadyMade):
    """Jeffery's torque of a viscous fluid in linear flow on an ellipsoid, whose axes are the body axes.

    semi_axes: (3,) or (n, 3), positive. viscosity: dynamic viscosity of the fluid.
    velocity_gradient: (3, 3), world frame; entry (i, j) is the derivative of velocity component i along axis j. Where it differs from body
    to body, see Ensemble.bind_flow_gradients.
    """

    semi_axes: npt.NDArray[np.float64]
    viscosity: float
    velocity_gradient: npt.NDArray[np.float64]
    _kind: ClassVar[str] = "shear_flow"
    _of_each: ClassVar[dict[str, int]] = {"semi_axes": 1}

    def __init__(self, semi_axes: npt.ArrayLike, viscosity: float, velocity_gradient: npt.ArrayLike) -> None:
        _set(
            self,
            semi_axes=_numbers("semi_axes", semi_axes, (3,)),
            viscosity=number("viscosity", viscosity),
            velocity_gradient=_fixed("velocity_gradient", velocity_gradient, (3, 3)),
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Sum(ReadyMade):
    """The sum of ready-made torques: what ``a + b`` returns."""

    terms: tuple[ReadyMade, ...]
    _kind: ClassVar[str] = "sum"

    def _for_any_count(self) -> Sum:
        return Sum(tuple(term._for_any_count() for term in self.terms))

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.terms))


@dataclasses.dataclass(frozen=True, eq=False)
class Langevin(Parameters):
    """Random torques: drag -c (omega - flow) about each body axis, and the noise that belongs to it at the energy kT.

    coefficients: c, torque per angular velocity, (3,) or (n, 3), not negative.
    kt: Boltzmann's constant times the temperature, an energy. seed: of all noise of a simulation, from 0 to 2**64 - 1.
    flow: angular velocity of the fluid, world frame, (3,) or (n, 3); None: at rest.
    id: of the noise of a body; an ensemble has ``ids``.
    """

    coefficients: npt.NDArray[np.float64]
    kt: float
    seed: int
    flow: npt.NDArray[np.float64] | None = None
    id: int = 0
    _of_each: ClassVar[dict[str, int]] = {"coefficients": 1, "flow": 1}

    def __init__(
        self,
        coefficients: npt.ArrayLike,
        kt: float,
        seed: SupportsIndex,
        flow: npt.ArrayLike | None = None,
        id: SupportsIndex = 0,
    ) -> None:
        _set(
            self,
            coefficients=_numbers("coefficients", coefficients, (3,)),
            kt=number("kt", kt),
            seed=_whole("seed", seed),
            flow=None if flow is None else _numbers("flow", flow, (3,)),
            id=_whole("id", id),
        )


def _set(parameters: Parameters, /, **fields: Any) -> None:
    for name, value in fields.items():
        object.__setattr__(parameters, name, value)
