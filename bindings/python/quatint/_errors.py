"""The exceptions of the library: quatint.Error, and what Python calls them."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator

__all__ = [
    "ArgumentError",
    "BodyIndexError",
    "BusyError",
    "CallbackError",
    "Error",
    "MotionError",
    "OrderError",
    "OutOfMemoryError",
    "Status",
    "in_argument",
]


class Status(enum.IntEnum):
    """The statuses of the C library that are errors, with their numbers."""

    QI_ERR_NULL = -1
    QI_ERR_MISALIGNED = -2
    QI_ERR_INVALID = -3
    QI_ERR_NON_FINITE = -4
    QI_ERR_INERTIA = -5
    QI_ERR_ORIENTATION = -6
    QI_ERR_CALLBACK = -7
    QI_ERR_CAPACITY = -8
    QI_ERR_BUSY = -9
    QI_ERR_MEMORY = -10
    QI_ERR_PANIC = -11
    QI_ERR_ORDER = -12
    QI_ERR_STEP = -13


class Error(Exception):
    """An error of the library. Exceptions of torques are not of this class: they come out unchanged.

    status: the status of the C library, with ``name`` and ``value``.
    body: the index of the first body concerned; None if no single body is.
    step: how many steps of the call were completed before; their result stays.
    """

    status: Status
    body: int | None
    step: int

    def __init__(self, message: str, status: int = -3, body: int | None = None, step: int = 0) -> None:
        super().__init__(message)
        self.status = Status(status)
        self.body = body
        self.step = step

    def __reduce__(self) -> tuple[type[Error], tuple[str, int, int | None, int]]:
        return type(self), (str(self), int(self.status), self.body, self.step)


class ArgumentError(Error, ValueError):
    """An argument that the library refuses."""


class BodyIndexError(Error, IndexError):
    """An index that no body has."""

    __str__ = Exception.__str__


class MotionError(Error, ArithmeticError):
    """A torque that is not finite, a motion that overflows, or one that error control cannot follow."""


class CallbackError(Error, RuntimeError):
    """A compiled torque or inertia function returned something other than 0."""


class OrderError(Error, RuntimeError):
    """A call in the middle of a step that a loop over stages has begun."""


class BusyError(Error, RuntimeError):
    """An object is in use: by another thread, or by a call whose torque uses it again."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory; nothing has changed."""


@contextlib.contextmanager
def in_argument(name: str) -> Iterator[None]:
    """Tells in which argument something is wrong: the exception names a part of it."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if hasattr(error, "add_note"):  # since Python 3.11
            error.add_note(f"in the argument `{name}`")
        raise
