"""Torques, events and inertias that are compiled functions: of numba, scipy, ctypes, cffi, or an address."""

from __future__ import annotations

import ctypes
import importlib
import re
from typing import Any, Literal

from ._quatint import Pointer

__all__ = ["BODY_SIGNATURE", "ENSEMBLE_SIGNATURE", "EVENT_SIGNATURE", "INERTIA_SIGNATURE", "Compiled", "compiled"]

#: For ``numba.cfunc``: the torque on one body, f(t, q, omega, torque, user_data). It writes to ``torque`` and returns 0.
BODY_SIGNATURE = "int32(float64, CPointer(float64), CPointer(float64), CPointer(float64), voidptr)"

#: For ``numba.cfunc``: the torques of a chunk of an ensemble, f(t, first, count, q, omega, torque, user_data).
ENSEMBLE_SIGNATURE = "int32(float64, uintp, uintp, CPointer(float64), CPointer(float64), CPointer(float64), voidptr)"

#: For ``numba.cfunc``: an event of ``Body.solve_until``, f(t, q, omega, user_data). It returns the value.
EVENT_SIGNATURE = "float64(float64, CPointer(float64), CPointer(float64), voidptr)"

#: For ``numba.cfunc``: an inertia function, f(t, inertia, user_data). It writes the 9 numbers of the tensor and returns 0.
INERTIA_SIGNATURE = "int32(float64, CPointer(float64), voidptr)"

# One letter for each argument and the result: d double, n size, p pointer, i int.
_KINDS = {"dpppp i": "body", "dnnpppp i": "ensemble", "dppp d": "event", "dpp i": "inertia"}

_LETTERS = {
    "double": "d",
    "float64": "d",
    "c_double": "d",
    "size_t": "n",
    "uintp": "n",
    "uint64": "n",
    "c_size_t": "n",
    "c_ulong": "n",
    "c_ulonglong": "n",
    "unsignedlong": "n",
    "unsignedlonglong": "n",
    "uint64_t": "n",
    "uintptr_t": "n",
}
_INTS = {"int", "int32", "int32_t", "c_int", "c_int32"}


class Compiled:
    """A compiled torque, event or inertia function, made by ``quatint.compiled``.

    kind: "body", "ensemble", "event" or "inertia", as its signature says; None: the function does not tell.
    """

    __slots__ = ("__weakref__", "_pointer", "address", "frame", "function", "kind", "layout")

    def __init__(self, function: Any, kind: str | None, address: int, user_data: int, layout: str, frame: str) -> None:
        self.function = function
        self.kind = kind
        self.address = address
        self.layout = layout
        self.frame = frame
        self._pointer = Pointer(address, user_data)

    def __repr__(self) -> str:
        words = {None: "function", "event": "event", "inertia": "inertia"}
        what = words.get(self.kind, f"{self.kind} torque")
        return f"compiled({what} at 0x{self.address:x}, layout={self.layout!r}, frame={self.frame!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a compiled function cannot be pickled: its address means nothing in another process")

    def __copy__(self) -> Compiled:
        return self

    def __deepcopy__(self, memo: object) -> Compiled:
        return self


def compiled(
    function: Any,
    *,
    layout: Literal["aos", "soa"] = "aos",
    frame: Literal["world", "body"] = "world",
    user_data: int | None = None,
) -> Compiled:
    """Make a torque, an event or an inertia function of a compiled function, which is called without the lock of the interpreter.

    A ``numba.cfunc`` needs no ``compiled``: torques, events and inertia functions take it as it is.

    function: a ``numba.cfunc``, a ``scipy.LowLevelCallable``, a ctypes function, a cffi function pointer, a PyCapsule, or
    an address (int). For a body its C signature is that of qi_torque_fn in quatint.h, for an ensemble that of
    qi_ensemble_torque_fn, as the event of Body.solve_until that of qi_event_fn, for Body.set_inertia_function that of
    qi_inertia_fn:

        int32_t f(double t, const double *q, const double *omega, double *torque, void *user_data)
        int32_t f(double t, size_t first, size_t count, const double *q, const double *omega, double *torque,
                  void *user_data)
        double f(double t, const double *q, const double *omega, void *user_data)
        int32_t f(double t, double *inertia, void *user_data)

    ``quatint.BODY_SIGNATURE``, ``quatint.ENSEMBLE_SIGNATURE``, ``quatint.EVENT_SIGNATURE`` and ``quatint.INERTIA_SIGNATURE``
    are these for numba. A torque or an inertia is 0 on entry, the function writes it and returns 0; any other value abandons the step (CallbackError). A signature
    that the object tells is checked; of an address, nothing can be.

    layout: of an ensemble's chunks: "aos", q[4 i + c], or "soa", q[c count + i], which is faster. frame: of omega and
    torque; events have theirs in the world frame. user_data: passed to each call; a LowLevelCallable has its own. If an ensemble has several threads, several
    call the function at once.
    """
    for name, value, known in (("layout", layout, ("aos", "soa")), ("frame", frame, ("world", "body"))):
        if value not in known:
            raise ValueError(f"`{name}` must be one of {', '.join(map(repr, known))}, not {value!r}")
    address, signature, own_data = _resolve(function)
    kind = None if signature is None else _kind_of(signature)
    data = own_data if user_data is None else user_data
    return Compiled(function, kind, address, data, layout, frame)


def is_of_numba(function: Any) -> bool:
    """Whether it is what ``numba.cfunc`` makes."""
    return hasattr(function, "address") and hasattr(function, "_sig") and not isinstance(function, type)


def of_numba(function: Any, layout: Literal["aos", "soa"], frame: Literal["world", "body"]) -> Compiled:
    """``compiled``, for the extension module: a ``numba.cfunc`` that was given without it."""
    return compiled(function, layout=layout, frame=frame)


def with_address(function: Any) -> Any:
    """A ``numba.cfunc`` as ``compiled`` makes a function of it; anything else as it is."""
    return compiled(function) if is_of_numba(function) else function


def _kind_of(signature: tuple[str, list[str]]) -> str:
    result, arguments = signature
    returned = "i" if result.replace(" ", "") in _INTS else _letter(result)
    letters = "".join(_letter(argument) for argument in arguments) + f" {returned}"
    if letters not in _KINDS:
        said = f"{result}({', '.join(arguments)})"
        raise TypeError(
            f"the function has the signature {said}; a torque has\n"
            "    int32_t (double t, const double *q, const double *omega, double *torque, void *user_data)\n"
            "for a body (numba: quatint.BODY_SIGNATURE), or\n"
            "    int32_t (double t, size_t first, size_t count, const double *q, const double *omega, double *torque,\n"
            "             void *user_data)\n"
            "for an ensemble (quatint.ENSEMBLE_SIGNATURE); an event has\n"
            "    double (double t, const double *q, const double *omega, void *user_data)   (quatint.EVENT_SIGNATURE);\n"
            "an inertia function has\n"
            "    int32_t (double t, double *inertia, void *user_data)   (quatint.INERTIA_SIGNATURE)"
        )
    return _KINDS[letters]


def _letter(argument: str) -> str:
    word = re.sub(r"\bconst\b|\s", "", argument)
    if word in ("voidptr", "c_void_p", "void*"):
        return "p"
    pointed = re.fullmatch(r"(.*)\*|CPointer\((.*)\)|LP_(.*)", word)
    if pointed is not None and any(part in ("double", "float64", "c_double") for part in pointed.groups()):
        return "p"
    return _LETTERS.get(word, "?")


_Signature = tuple[str, list[str]]


def _resolve(function: Any) -> tuple[int, _Signature | None, int]:
    """Address, signature and user data."""
    if isinstance(function, bool) or function is None:
        raise TypeError(f"not a compiled function: {function!r}")
    if isinstance(function, int):
        return function, None, 0
    if isinstance(function, tuple) and type(function).__name__ == "LowLevelCallable":  # of scipy
        return _of_capsule(tuple.__getitem__(function, 0))
    if type(function).__name__ == "PyCapsule":
        return _of_capsule(function)
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return _of_ctypes(function)
    if is_of_numba(function):
        signature = function._sig
        return int(function.address), (str(signature.return_type), [str(a) for a in signature.args]), 0
    if type(function).__module__ == "_cffi_backend":
        return _of_cffi(function)
    if hasattr(function, "py_func") and hasattr(function, "nopython_signatures"):
        raise TypeError(
            "a numba.njit function has no C signature: decorate it by numba.cfunc(quatint.BODY_SIGNATURE), "
            "ENSEMBLE_SIGNATURE, EVENT_SIGNATURE or INERTIA_SIGNATURE"
        )
    raise TypeError(f"not a compiled function: {type(function).__name__} (give a Python function as the torque itself)")


def _of_capsule(capsule: Any) -> tuple[int, _Signature | None, int]:
    api = ctypes.pythonapi
    name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
    context_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(("PyCapsule_GetContext", api))
    name = name_of(capsule)
    match = re.fullmatch(r"\s*(.*?)\s*\((.*)\)\s*", name.decode()) if name else None
    signature = (match[1], [part.strip() for part in match[2].split(",")]) if match else None
    return pointer_of(capsule, name) or 0, signature, context_of(capsule) or 0


def _of_ctypes(function: Any) -> tuple[int, _Signature | None, int]:
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    arguments = function.argtypes
    if arguments is None and not getattr(type(function), "_argtypes_", None):
        return address, None, 0
    if arguments is None:
        arguments = type(function)._argtypes_
    result = function.restype
    return address, ("void" if result is None else result.__name__, [a.__name__ for a in arguments]), 0


def _of_cffi(function: Any) -> tuple[int, _Signature | None, int]:
    backend = importlib.import_module("_cffi_backend")  # cffi is not needed otherwise
    ctype = backend.typeof(function)
    if ctype.kind != "function":
        raise TypeError(f"not a function: cffi {ctype.cname}")
    address = int(backend.cast(backend.new_primitive_type("uintptr_t"), function))
    return address, (ctype.result.cname, [a.cname for a in ctype.args]), 0
