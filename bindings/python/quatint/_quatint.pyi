"""The compiled part of quatint: what its functions take and return, as editors show it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol, SupportsFloat, final, overload

import numpy as np
import numpy.typing as npt

from ._compiled import Compiled
from ._results import MassProperties, PrincipalAxes, Statistics, Trajectory
from ._solution import Event, Solution
from ._torques import Langevin, LinearDrag, ReadyMade

__all__ = [
    "Body",
    "Ensemble",
    "ExactSum",
    "Mass",
    "Pointer",
    "Stages",
    "__version__",
    "angular_velocity_from_euler_rates",
    "angular_velocity_to_euler_rates",
    "orientation_angle",
    "orientation_exp",
    "orientation_from_axis_angle",
    "orientation_from_euler",
    "orientation_from_matrix",
    "orientation_from_mrp",
    "orientation_from_rotation_vector",
    "orientation_inverse",
    "orientation_log",
    "orientation_power",
    "orientation_product",
    "orientation_rate",
    "orientation_slerp",
    "orientation_to_axis_angle",
    "orientation_to_euler",
    "orientation_to_matrix",
    "orientation_to_mrp",
    "orientation_to_rotation_vector",
    "principal_axes",
    "real_numbers",
    "rotate",
    "rotate_inverse",
    "torque_at",
    "turn_by_samples",
    "turn_orientation",
]

__version__: str

_Array = npt.NDArray[np.float64]
_Frame = Literal["world", "body"]
_Layout = Literal["aos", "soa"]
_Method = Literal["pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient", "cf4", "brownian"]
_Part = Literal["state", "inertia", "torque", "memory", "id", "bound", "all"]
_BodyPart = Literal["state", "clock", "rotor", "memory", "all"]

class _Rotation(Protocol):
    """scipy.spatial.transform.Rotation."""

    def as_quat(self) -> npt.NDArray[Any]: ...

class _NumbaFunction(Protocol):
    """What numba.cfunc makes."""

    @property
    def address(self) -> int: ...

_Orientation = npt.ArrayLike | _Rotation
_Function = Callable[[float, _Array, _Array], Any]
_Torque = _Function | ReadyMade | Compiled | _NumbaFunction
_Monitor = Callable[[float, _Array, _Array], object]
_Event = Event | Callable[[float, _Array, _Array], SupportsFloat] | Compiled | _NumbaFunction
_Bodies = slice | int | Sequence[int] | Sequence[bool] | range | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_]

@final
class Pointer:
    def __new__(cls, address: int, user_data: int = 0) -> Pointer: ...
    def event_value(self, time: float, orientation: npt.ArrayLike, angular_velocity: npt.ArrayLike) -> float: ...

@final
class Body:
    """A rigid body: inertia, orientation, angular velocity, clock, torque and method.

    The arrays that its properties return are read-only copies: in place of ``body.angular_velocity[2] = 5`` or ``+=``,
    assign a whole vector. One thread at a time may use a body, and its torque may not (BusyError). If a step fails, the
    body is as after the last completed step.

    Parameters
    ----------
    inertia : array_like, (3,) or (3, 3)
        Principal moments about the body axes, or a symmetric tensor in the body frame; about the centre of mass, or the
        fixed point of a top.
    orientation : array_like, (4,), or scipy Rotation, optional
        (w, x, y, z), body to world, of unit length within 1e-3. None: no rotation.
    angular_velocity : array_like, (3,), optional
        World frame, rad per unit of time. None: at rest.
    torque : callable, ready-made torque, numba.cfunc or Compiled, optional
        A function ``(t, q, omega) -> 3 numbers`` gets arrays (4,) and (3,).
    method : str
        The integration method: see the property of this name.
    frame : "world" or "body"
        Of the angular velocity and the torque of a function.
    time : float
        What the clock shows.
    scalar_first : bool, optional
        False: ``orientation`` is (x, y, z, w).
    scalar_last : bool, optional
        Deprecated: write ``scalar_first=False``.

    Raises
    ------
    ArgumentError
        An inertia that no body has, an orientation that is not a unit quaternion, or numbers that are not finite.
    """

    def __new__(
        cls,
        inertia: npt.ArrayLike,
        orientation: _Orientation | None = None,
        angular_velocity: npt.ArrayLike | None = None,
        torque: _Torque | None = None,
        method: _Method = "pcdm",
        *,
        frame: _Frame = "world",
        time: float = 0.0,
        scalar_first: bool | None = None,
        scalar_last: bool | None = None,
    ) -> Body: ...
    @property
    def orientation(self) -> _Array:
        """Orientation (w, x, y, z), body to world: a new array (4,), read-only.

        Set it to 4 numbers or to a scipy Rotation; the angular velocity in the world frame stays.
        """
    @orientation.setter
    def orientation(self, orientation: _Orientation) -> None: ...
    @property
    def angular_velocity(self) -> _Array:
        """Angular velocity, world frame, rad per unit of time: a new array (3,), read-only."""
    @angular_velocity.setter
    def angular_velocity(self, omega: npt.ArrayLike) -> None: ...
    @property
    def angular_velocity_body(self) -> _Array:
        """Angular velocity, body frame, rad per unit of time, as the body stores it: a new array (3,), read-only."""
    @angular_velocity_body.setter
    def angular_velocity_body(self, omega: npt.ArrayLike) -> None: ...
    @property
    def rotation(self) -> Any:
        """The orientation as a scipy.spatial.transform.Rotation; imports scipy. Can be set."""
    @rotation.setter
    def rotation(self, rotation: Any) -> None: ...
    @property
    def method(self) -> _Method:
        """The integration method, by name.

        "pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient", "cf4" or, with ``langevin``, "brownian".
        """
    @method.setter
    def method(self, method: _Method) -> None: ...
    @property
    def inertia(self) -> _Array:
        """The inertia tensor, body frame: a new array (3, 3), read-only; zeros beside locked axes.

        Set it to 3 principal moments or a tensor; the angular velocity stays: see set_inertia.
        """
    @inertia.setter
    def inertia(self, inertia: npt.ArrayLike) -> None: ...
    def set_inertia(
        self, inertia: npt.ArrayLike, *, keep: Literal["angular_velocity", "angular_momentum"] = "angular_velocity"
    ) -> None:
        """Set the inertia; orientation, clock and torque stay, and no axis is locked then.

        Parameters
        ----------
        inertia : array_like, (3,) or (3, 3)
            Principal moments, or a symmetric tensor in the body frame.
        keep : "angular_velocity" or "angular_momentum"
            The first where a part is cut off and leaves with its momentum, the second where material moves inside the
            body, as when a panel unfolds.

        Raises
        ------
        ArgumentError
            No body has this inertia.
        """
    def set_inertia_function(
        self, function: Callable[[float], npt.ArrayLike] | Compiled | _NumbaFunction | None
    ) -> None:
        """Give the body an inertia that changes with its clock: panels unfold, propellant burns.

        Material moves inside the body without an angular momentum of its own, so the torque alone changes the angular
        momentum. The angular velocity stays at this call, and when the clock is set. The method "splitting" moves such
        a body, and so do drift, and solve and the other solutions with the solve_method "nonstiff". A new inertia and
        lock_axes end the change.

        Parameters
        ----------
        function : callable, numba.cfunc, Compiled or None
            ``f(time)`` returns 3 principal moments or a tensor (3, 3), body frame, the same for the same time. None:
            the inertia is constant from now on.

        Raises
        ------
        ArgumentError
            The function gives an inertia that no body has.
        """
    @property
    def inertia_function(self) -> Callable[[float], npt.ArrayLike] | Compiled | None:
        """The function that gives the inertia, as set_inertia_function got it; None: the inertia is constant."""
    def lock_axes(self, axes: str) -> None:
        """Lock body axes, in addition to those that are locked: the body does not turn about them, whatever the torque.

        With two locks the body is a wheel, with three it keeps its orientation. One lock alone asks for equal moments
        about the other two axes: it makes a disc that cannot spin. The locked axes turn with the body. The angular
        velocity about them is taken away, and the moments about them are zero. A new inertia unlocks.

        Parameters
        ----------
        axes : str
            The letters of the axes, such as "z" or "xy". Each must be a principal axis.

        Raises
        ------
        ArgumentError
            An axis is not a principal axis, or the body has rotors that do not allow the lock.
        """
    @property
    def torque(self) -> _Torque | None:
        """The torque, as it was given, a numba.cfunc as a Compiled; None: none.

        What is assigned keeps the frame of the function before: see set_torque. Torques are in units of inertia per
        time squared.
        """
    @torque.setter
    def torque(self, torque: _Torque | None) -> None: ...
    @property
    def drag(self) -> LinearDrag | None:
        """A linear drag in addition to the torque, implicit in every step and kick: a LinearDrag; None: none.

        Set it to a LinearDrag or to its 3 coefficients, torque per angular velocity about each body axis.
        """
    @drag.setter
    def drag(self, drag: LinearDrag | npt.ArrayLike | None) -> None: ...
    @property
    def langevin(self) -> Langevin | None:
        """Random torques in addition to the torque: a Langevin; None: none.

        Steps then need "splitting" or "brownian".
        """
    @langevin.setter
    def langevin(self, langevin: Langevin | None) -> None: ...
    @property
    def solve_longest_step(self) -> float:
        """The longest step of solve and the other solutions, in units of time; 0: any length.

        A torque that acts for a short time only may fall between two evaluations, and is then not seen: take no more
        than the length of such a pulse.
        """
    @solve_longest_step.setter
    def solve_longest_step(self, longest: float) -> None: ...
    @property
    def solve_most_evaluations(self) -> int:
        """The most evaluations of the torque in a call of solve or another solution; 0: no limit.

        Beyond it they raise MotionError, with the body where the last accepted step ended.
        """
    @solve_most_evaluations.setter
    def solve_most_evaluations(self, most: int) -> None: ...
    @property
    def solve_method(self) -> Literal["nonstiff", "stiff", "splitting"]:
        """"nonstiff", the default; "stiff": for torques that change faster than the motion; or "splitting".

        The error of a solution that crawls says when to choose "stiff". "splitting" calls functions of orientation and time
        least; they are given NaN for the angular velocity.
        """
    @solve_method.setter
    def solve_method(self, method: Literal["nonstiff", "stiff", "splitting"]) -> None: ...
    @property
    def solve_statistics(self) -> Statistics:
        """What the last solve or of another solution cost, also if it failed: a Statistics."""
    # ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
    @property
    def time(self) -> float:
        """The clock: the sum of the steps since it was set."""
    @time.setter
    def time(self, time: float) -> None: ...
    @property
    def clock(self) -> tuple[float, float]:
        """The whole clock: the time, and what rounding has left of the sum of the steps.

        Set again, it gives a run the same times bit for bit.
        """
    @clock.setter
    def clock(self, clock: npt.ArrayLike) -> None: ...
    @property
    def angular_momentum(self) -> _Array:
        """The angular momentum, world frame, with that of rotors.

        An array (3,). When it is set: the angular velocity follows from it. Orientation and clock stay.
        """
    @angular_momentum.setter
    def angular_momentum(self, angular_momentum: npt.ArrayLike) -> None: ...
    @property
    def kinetic_energy(self) -> float:
        """The rotational kinetic energy, without that of rotors."""
    def thermalize(self, duration: float) -> None:
        """Let drag and noise alone act for a duration, exactly, at constant orientation.

        The clock stays. It is one draw. Programs that kick and drift call it between two drifts of half a step.

        Parameters
        ----------
        duration : float
            How long, in units of time.
        """
    @property
    def noise_draws(self) -> int:
        """How many times noise has been drawn.

        Each step with random torques draws, and so does thermalize. A restart needs the number besides the state and
        the clock.
        """
    @noise_draws.setter
    def noise_draws(self, draws: int) -> None: ...
    @property
    def rotor_momentum(self) -> _Array:
        """The angular momentum of rotors within the body, such as reaction wheels, body frame.

        An array (3,). When it is set: only the torque of rotor_torque changes it. Orientation and angular velocity
        stay. angular_momentum includes it, kinetic_energy does not. The inertia of the body is that with the rotors
        locked or, where the torque of a motor is known, less J a a^T for each (docs/torques.md). None: removes the
        rotors.
        """
    @rotor_momentum.setter
    def rotor_momentum(self, momentum: npt.ArrayLike | None) -> None: ...
    @property
    def rotor_torque(self) -> _Array:
        """The torque of the motors that drive the rotors, body frame.

        An array (3,). When it is set: while time passes it acts on the body, and its opposite on the rotors. It stays
        until it is set again: a controller sets it once per sample. None: removes the motors.
        """
    @rotor_torque.setter
    def rotor_torque(self, torque_body: npt.ArrayLike | None) -> None: ...
    def drift(self, duration: float) -> None:
        """Rotate freely for a duration of any length: exactly, or with rotors by the method.

        The clock moves on. The torque is not called.

        Parameters
        ----------
        duration : float
            How long, in units of time.
        """
    def forget_torque(self) -> None:
        """Say that something has changed that the torque reads, such as a sampled command: the splitting methods then
        ask for the torque again.
        """
    # ---- end of what `make bindings` writes
    def set_torque(self, torque: _Torque | None, *, frame: _Frame = "world") -> None:
        """Set the torque and the frame of its function.

        Parameters
        ----------
        torque : callable, ready-made torque, numba.cfunc, Compiled or None
            A function ``(t, q, omega) -> 3 numbers`` gets arrays (4,) and (3,).
        frame : "world" or "body"
            Of the angular velocity and the torque of a function. Ready-made torques and a Compiled know their own.

        Raises
        ------
        ArgumentError
            The method does not take this torque.
        TypeError
            It is no torque, or has the signature of another function.
        """
    def set_state(self, orientation: _Orientation, angular_velocity: npt.ArrayLike) -> None:
        """Set orientation and angular velocity together.

        Parameters
        ----------
        orientation : array_like, (4,), or scipy Rotation
            (w, x, y, z), body to world.
        angular_velocity : array_like, (3,)
            World frame, rad per unit of time.

        Raises
        ------
        ArgumentError
            The orientation is not a unit quaternion, or a number is not finite.
        """
    def set_state_body(self, orientation: _Orientation, angular_velocity_body: npt.ArrayLike) -> None:
        """Set orientation and angular velocity together, the latter in the body frame: restores the bits of a state.

        Parameters
        ----------
        orientation : array_like, (4,), or scipy Rotation
            (w, x, y, z), body to world.
        angular_velocity_body : array_like, (3,)
            Body frame, rad per unit of time.

        Raises
        ------
        ArgumentError
            The orientation is not a unit quaternion, or a number is not finite.
        """
    def step(self, dt: float) -> None:
        """Take one step.

        Parameters
        ----------
        dt : float
            Its length; negative: backwards in time; 0: nothing happens.

        Raises
        ------
        MotionError
            The torque is not finite, or the motion overflows. The body is as before.
        Exception
            What the function of the torque raises comes out unchanged.
        """
    def advance(self, dt: float, steps: int) -> None:
        """Take many steps: the bits are those of as many calls of step.

        Parameters
        ----------
        dt : float
            The length of each step; negative: backwards in time.
        steps : int
            How many.

        Raises
        ------
        MotionError
            The torque is not finite, or the motion overflows. The body is as after the last completed step, and the
            ``step`` of the error counts them.
        Exception
            What the function of the torque raises comes out unchanged.
        """
    def record(self, dt: float, steps: int, every: int = 1) -> Trajectory:
        """Take many steps, and return the start and the state after every ``every`` steps.

        Parameters
        ----------
        dt : float
            The length of each step; negative: backwards in time.
        steps : int
            How many.
        every : int
            How many steps are between two states of the result.

        Returns
        -------
        Trajectory
            Times (m,), orientations (m, 4), body to world, and angular velocities (m, 3), world frame; m = steps //
            every + 1.

        Raises
        ------
        MotionError
            As of advance.
        """
    def kick(self, duration: float, torque: npt.ArrayLike, *, frame: _Frame = "world") -> None:
        """Add ``duration * torque`` to the angular momentum; orientation and clock stay.

        Parameters
        ----------
        duration : float
            In units of time.
        torque : array_like, (3,)
            In ``frame``.
        frame : "world" or "body"
            Of the torque.

        Raises
        ------
        MotionError
            The angular velocity overflows.
        """
    def acting_torque(self) -> _Array:
        """All that acts at the present state, drag and motors too, but no gyroscopic torque. Asks the torque once.

        Returns
        -------
        ndarray, (3,)
            World frame.

        Raises
        ------
        MotionError
            The torque is not finite.
        """
    def angular_acceleration(self) -> _Array:
        """The angular acceleration d omega / dt at the present state. Asks the torque once.

        Returns
        -------
        ndarray, (3,)
            World frame, rad per unit of time squared.

        Raises
        ------
        MotionError
            The torque is not finite.
        """
    def kick_drift(self, kick: float, drift: float, torque: npt.ArrayLike, *, frame: _Frame = "world") -> None:
        """Kick for one duration, then drift for another: the first half of a step of velocity Verlet.

        Parameters
        ----------
        kick : float
            Duration of the kick.
        drift : float
            Duration of the drift, by which the clock moves on.
        torque : array_like, (3,)
            In ``frame``.
        frame : "world" or "body"
            Of the torque.

        Raises
        ------
        MotionError
            The motion overflows.
        """
    @overload
    def solve(self, times: float, tolerance: float = 1e-9, *, monitor: _Monitor | None = None) -> Statistics:
        """Advance with error control, in steps that a tolerance chooses, by a method of order 8.

        A body without torque is exact. If it fails, the body is where the last accepted step ended; the ``step`` of the
        error counts the accepted ones.

        Parameters
        ----------
        times : float or array_like, (m,)
            The end; or ascending or descending times, the last of which is the end.
        tolerance : float
            From 1e-15 to 0.1: the local error of a step in rad, and relative to the greatest angular velocity.
        monitor : callable, optional
            ``monitor(t, q, omega)`` is called after each step that is taken, with the time and arrays (4,) and (3,), world
            frame. It follows a long solution, and ends it by an exception. It changes no bit.

        Returns
        -------
        Statistics or Trajectory
            Of one time, the cost. Of an array, times (m,), orientations (m, 4), body to world, and angular velocities
            (m, 3), world frame.

        Raises
        ------
        MotionError
            The torque is not finite, the motion overflows, steps become too short, or too many evaluations are needed.
        Exception
            What the functions of the torque and of the monitor raise comes out unchanged.
        """
    @overload
    def solve(
        self, times: Sequence[float] | npt.NDArray[Any], tolerance: float = 1e-9, *, monitor: _Monitor | None = None
    ) -> Trajectory: ...
    def solve_until(
        self,
        event: Callable[[float, _Array, _Array], SupportsFloat] | Compiled | _NumbaFunction,
        end_time: float,
        tolerance: float = 1e-9,
        *,
        crossing: Literal["any", "rising", "falling"] = "any",
    ) -> float | None:
        """Advance with error control, but stop where an event function becomes zero or changes its sign.

        Each step is searched in 16 parts or more, and for extrema near zero. A start at which the function is 0 is no
        event.

        Parameters
        ----------
        event : callable, numba.cfunc or Compiled
            ``event(t, q, omega)`` gets the time and arrays (4,) and (3,), world frame, and returns a number.
        end_time : float
            Where to stop without an event.
        tolerance : float
            As of solve.
        crossing : "any", "rising" or "falling"
            "rising": from negative to positive.

        Returns
        -------
        float or None
            The time of the event; None: the end was reached.

        Raises
        ------
        MotionError
            As of solve; or the event function is not finite.
        Exception
            What a function of the caller raises comes out unchanged.
        """
    def solve_dense(
        self, end_time: float, tolerance: float = 1e-9, *, events: _Event | Iterable[_Event] | None = None
    ) -> Solution:
        """Advance with error control, and return the motion as a function of time, with the events on the way.

        Events that do not stop the solution change no bit of it.

        Parameters
        ----------
        end_time : float
            The end; it may be before the present time.
        tolerance : float
            As of solve.
        events : function, Event, or several of them, optional
            Functions ``(t, q, omega) -> number`` that cross zero, compiled ones, or quatint.Event(f, crossing, stops).
            The attributes ``terminal`` and ``direction`` of a function mean what they mean in scipy.

        Returns
        -------
        Solution
            Called with times, it gives a Trajectory; it has states to plot, and the events.

        Raises
        ------
        MotionError
            As of solve; or an event function is not finite.
        Exception
            What a function of the caller raises comes out unchanged.
        """
    def _solve_sampled(
        self, end_time: float, tolerance: float, events: Sequence[tuple[Any, ...]]
    ) -> tuple[_Array, _Array, int | None, BaseException | None]: ...
    def rows(self, parts: _BodyPart | Sequence[_BodyPart] | None = None) -> _Array:
        """The data of the body as plain numbers, for a message or a file.

        With the same inertia, torque, motors, drag and method, a body that gets them by set_rows goes on with the same
        bits. Whatever the order of ``parts``, the numbers have that in which they stand here.

        Parameters
        ----------
        parts : str or sequence of str, optional
            "state" (orientation, and angular velocity in the body frame: 7 numbers), "clock" (2), "rotor"
            (rotor_momentum: 3), "memory" (what the method keeps from step to step: 7, NaN if nothing), several of
            these, or "all" (20).

        Returns
        -------
        ndarray, (k,)
            A new array.
        """
    def set_rows(self, rows: npt.ArrayLike, parts: _BodyPart | Sequence[_BodyPart] | None = None) -> None:
        """Set the data of the body from ``rows`` of this or of another one.

        All numbers are checked before the body changes.

        Parameters
        ----------
        rows : array_like, (k,)
            The numbers.
        parts : str or sequence of str, optional
            As of rows.

        Raises
        ------
        ArgumentError
            A number is refused.
        """
    def __copy__(self) -> Body: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Body: ...
    def __getnewargs__(self) -> tuple[_Array]: ...
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...

@final
class Ensemble:
    """Rigid bodies that step together, with one clock, one method and one kind of torque.

    The states are in the ensemble's memory, or in your arrays: see bind_orientations. The arrays that its properties
    return are read-only copies: in place of ``e.orientations[0] = q`` change ``e.orientations.copy()`` and assign that.
    If a step fails, all bodies keep their states. One thread at a time may use an ensemble, and its torque may not
    (BusyError).

    Parameters
    ----------
    count : int
        How many bodies, n. Indices count from 0.
    inertia : array_like, (3,), (3, 3), (n, 3) or (n, 3, 3), optional
        Principal moments, or tensors in the body frame, for all bodies or for each. None: 1.
    orientations : array_like, (4,) or (n, 4), or scipy Rotation, optional
        (w, x, y, z), body to world. None: no rotation.
    angular_velocities : array_like, (3,) or (n, 3), optional
        World frame, rad per unit of time. None: at rest.
    torque : callable, ready-made torque, numba.cfunc or Compiled, optional
        A function ``(t, q, omega) -> torques`` of all bodies gets arrays (n, 4) and (n, 3), which are read-only and
        overwritten by the next call, and returns what broadcasts to (n, 3). A compiled one is called for chunks of
        bodies.
    method : str
        The integration method: see the property of this name.
    threads : int
        With the caller's, from 1 to 1024.
    frame : "world" or "body"
        Of the angular velocities and the torques of a function.
    layout : "aos" or "soa"
        Of the arrays of a function: in C order, or in Fortran order, so that columns are contiguous.
    scalar_first : bool, optional
        False: ``orientations`` are (x, y, z, w).
    scalar_last : bool, optional
        Deprecated: write ``scalar_first=False``.

    Raises
    ------
    ArgumentError
        As of Body; ``body`` of the error is the first body concerned.
    """

    def __new__(
        cls,
        count: int,
        *,
        inertia: npt.ArrayLike | None = None,
        orientations: _Orientation | None = None,
        angular_velocities: npt.ArrayLike | None = None,
        torque: _Torque | None = None,
        method: _Method = "pcdm",
        threads: int = 1,
        frame: _Frame = "world",
        layout: _Layout = "aos",
        scalar_first: bool | None = None,
        scalar_last: bool | None = None,
    ) -> Ensemble: ...
    def __len__(self) -> int: ...
    @property
    def orientations(self) -> _Array:
        """Orientations (w, x, y, z), body to world: a new array (n, 4), read-only.

        Set them to (4,), (n, 4) or a scipy Rotation; the angular velocities in the world frame stay.
        """
    @orientations.setter
    def orientations(self, given: _Orientation) -> None: ...
    @property
    def angular_velocities_body(self) -> _Array:
        """Angular velocities, body frame, rad per unit of time: a new array (n, 3), read-only."""
    @property
    def rotation(self) -> Any:
        """The orientations as a scipy.spatial.transform.Rotation; imports scipy. Can be set."""
    @rotation.setter
    def rotation(self, rotation: Any) -> None: ...
    @property
    def inertia(self) -> _Array:
        """The inertia tensors, body frame: a new array (n, 3, 3), computed from principal moments and axes.

        Set them to (3,) or (n, 3) principal moments, or to (3, 3) or (n, 3, 3) tensors. For three bodies a (3, 3) of
        positive numbers is ambiguous, and refused.
        """
    @inertia.setter
    def inertia(self, inertia: npt.ArrayLike) -> None: ...
    def lock_axes(self, axes: str | Sequence[str] | Sequence[int] | npt.NDArray[np.integer[Any]]) -> None:
        """Lock body axes of the bodies, in addition to those that are locked: see Body.lock_axes.

        A new inertia unlocks.

        Parameters
        ----------
        axes : str or sequence
            The letters of the axes for all bodies, such as "z" or "xy"; or for each body the letters, "" for none, or a
            sum of 1 for x, 2 for y and 4 for z.

        Raises
        ------
        ArgumentError
            An axis is not a principal axis.
        """
    @property
    def method(self) -> _Method:
        """The integration method, by name.

        "pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient", "cf4" or, with ``langevin``, "brownian".
        """
    @method.setter
    def method(self, method: _Method) -> None: ...
    @property
    def torque(self) -> _Torque | None:
        """The torque that was set last, a numba.cfunc as a Compiled; None: none.

        set_rows, resize and select change the numbers that the ensemble uses, not this object.
        """
    @torque.setter
    def torque(self, torque: _Torque | None) -> None: ...
    @property
    def drag(self) -> LinearDrag | None:
        """A linear drag on each body in addition to the torque, taken implicitly: a LinearDrag; None: none.

        Set it to a LinearDrag or to coefficients (3,) or (n, 3), torque per angular velocity about each body axis.
        """
    @drag.setter
    def drag(self, drag: LinearDrag | npt.ArrayLike | None) -> None: ...
    @property
    def langevin(self) -> Langevin | None:
        """Random torques on each body in addition to the torque: a Langevin; None: none.

        Steps then need the method "splitting" or "brownian". What select and rows have changed is not in this object.
        """
    @langevin.setter
    def langevin(self, langevin: Langevin | None) -> None: ...
    @property
    def ids(self) -> npt.NDArray[np.uint64]:
        """Which noise belongs to which body: a new array of uint64 (n,).

        Set it to whole numbers, no two the same, or None: the indices, from now on. Bodies keep their ids in select and
        resize; new ones get the numbers after the greatest.
        """
    @ids.setter
    def ids(self, ids: npt.ArrayLike | None) -> None: ...
    @property
    def temperature(self) -> float:
        """Temperature of the rotation of the active bodies, as an energy kT; NaN without any.

        It is twice the kinetic energy for each degree of freedom, of velocities relative to the world, whatever the
        flow.
        """
    @property
    def rotor_momentum(self) -> _Array | None:
        """Angular momenta of rotors in the bodies, body frame: a new array (n, 3); None: no rotors.

        Set it to (n, 3), (3,) or None.
        """
    @rotor_momentum.setter
    def rotor_momentum(self, momenta: npt.ArrayLike | None) -> None: ...
    @property
    def threads(self) -> int:
        """The number of threads, with the caller's, from 1 to 1024.

        Several call a compiled torque at once. A Python function runs on the caller's.
        """
    @threads.setter
    def threads(self, threads: int) -> None: ...
    @property
    def active(self) -> npt.NDArray[np.int64] | None:
        """The bodies that move, as ascending indices; None: all. The others keep their states.

        Set it to indices, a mask, a slice or None.
        """
    @active.setter
    def active(self, bodies: _Bodies | None) -> None: ...
    @property
    def bound_orientations(self) -> _Array | None:
        """The array bound for the orientations, (n, 4); None: none."""
    @property
    def bound_angular_velocities(self) -> _Array | None:
        """The array bound for the angular velocities or momenta, (n, 3); None: none."""
    # ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
    @property
    def time(self) -> float:
        """The clock: the sum of the steps since it was set."""
    @time.setter
    def time(self, time: float) -> None: ...
    @property
    def clock(self) -> tuple[float, float]:
        """The whole clock: the time, and what rounding has left of the sum of the steps.

        Set again, it gives a run the same times bit for bit.
        """
    @clock.setter
    def clock(self, clock: npt.ArrayLike) -> None: ...
    @property
    def angular_velocities(self) -> _Array:
        """The angular velocities, rad/s, world frame. An array (n, 3). Set it to (n, 3) or (3,)."""
    @angular_velocities.setter
    def angular_velocities(self, angular_velocities: npt.ArrayLike) -> None: ...
    @property
    def angular_momenta(self) -> _Array:
        """The angular momenta, world frame.

        An array (n, 3). Set it to (n, 3) or (3,). When it is set: the angular velocities follow from orientations and
        inertias.
        """
    @angular_momenta.setter
    def angular_momenta(self, angular_momenta: npt.ArrayLike) -> None: ...
    @property
    def kinetic_energies(self) -> _Array:
        """The rotational kinetic energy of each body. An array (n,)."""
    @property
    def total_kinetic_energy(self) -> float:
        """The rotational kinetic energy of the active bodies. It has the same bits for any number of threads."""
    @property
    def total_angular_momentum(self) -> _Array:
        """The angular momentum of rotation of the active bodies, world frame.

        It has the same bits for any number of threads. An array (3,).
        """
    def scale_angular_momenta(self, factor: float) -> None:
        """Multiply the angular momenta of the active bodies by a factor, for a thermostat of your own.

        Parameters
        ----------
        factor : float
            What they are multiplied by.
        """
    @property
    def degrees_of_freedom(self) -> int:
        """The number of rotational degrees of freedom of the active bodies: 3 each, less the axes of zero moment.

        At thermal equilibrium the mean of the kinetic energy is kT/2 for each.
        """
    def thermalize(self, duration: float) -> None:
        """Let drag and noise alone act for a duration, exactly, at constant orientation.

        The clock stays. It is one draw. Programs that kick and drift call it between two drifts of half a step.

        Parameters
        ----------
        duration : float
            How long, in units of time.
        """
    @property
    def noise_draws(self) -> int:
        """How many times noise has been drawn.

        Each step with random torques draws, and so does thermalize. A restart needs the number besides the state and
        the clock.
        """
    @noise_draws.setter
    def noise_draws(self, draws: int) -> None: ...
    def drift(self, duration: float) -> None:
        """Rotate freely for a duration of any length: exactly, or with rotors by the method.

        The clock moves on. The torque is not called.

        Parameters
        ----------
        duration : float
            How long, in units of time.
        """
    def forget_torques(self) -> None:
        """Say that something has changed that the torque reads, or that states in bound arrays have been written: the
        splitting methods then ask for the torque again.
        """
    @property
    def point_count(self) -> int:
        """The number of points of all bodies. It is an error if none have been set for these bodies."""
    # ---- end of what `make bindings` writes
    def kinetic_energy_sum(self) -> ExactSum:
        """The exact sum of the active bodies' rotational energies.

        Returns
        -------
        ExactSum
            It does not depend on how bodies are spread over ensembles.
        """
    def angular_momentum_sums(self) -> tuple[ExactSum, ExactSum, ExactSum]:
        """The exact sums of the active bodies' angular momenta.

        Returns
        -------
        tuple of ExactSum
            The three components, world frame.
        """
    def set_torque(self, torque: _Torque | None, *, frame: _Frame = "world", layout: _Layout = "aos") -> None:
        """Set the torque, and frame and layout of its function.

        Parameters
        ----------
        torque : callable, ready-made torque, numba.cfunc, Compiled or None
            As of Ensemble; also the sum of a ready-made torque and a LinearDrag.
        frame : "world" or "body"
            Of the angular velocities and the torques of a function. Ready-made torques and a Compiled know their own.
        layout : "aos" or "soa"
            Of the arrays of a function: in C order, or in Fortran order.

        Raises
        ------
        ArgumentError
            The method does not take this torque.
        TypeError
            It is no torque, or has the signature of another function.
        """
    def step(self, dt: float) -> None:
        """Take one step of all active bodies.

        Parameters
        ----------
        dt : float
            Its length; negative: backwards in time; 0: nothing happens.

        Raises
        ------
        MotionError
            A torque is not finite, or a motion overflows. All bodies are as before; ``body`` of the error is the first
            one concerned.
        Exception
            What the function of the torque raises comes out unchanged.
        """
    def advance(self, dt: float, steps: int) -> None:
        """Take many steps: the bits are those of as many calls of step.

        Parameters
        ----------
        dt : float
            The length of each step; negative: backwards in time.
        steps : int
            How many.

        Raises
        ------
        MotionError
            As of step. The bodies are as after the last completed step; the ``step`` of the error counts them.
        Exception
            What the function of the torque raises comes out unchanged.
        """
    def record(self, dt: float, steps: int, every: int = 1) -> Trajectory:
        """Take many steps, and return the start and the states after every ``every`` steps.

        Parameters
        ----------
        dt : float
            The length of each step; negative: backwards in time.
        steps : int
            How many.
        every : int
            How many steps are between two states of the result.

        Returns
        -------
        Trajectory
            Times (m,), orientations (m, n, 4), body to world, and angular velocities (m, n, 3), world frame; m = steps
            // every + 1.

        Raises
        ------
        MotionError
            As of advance.
        """
    def kick(self, duration: float, torque: npt.ArrayLike, *, frame: _Frame = "world") -> None:
        """Add ``duration * torque`` to the angular momenta of the active bodies; orientations and clock stay.

        Parameters
        ----------
        duration : float
            In units of time.
        torque : array_like, (3,) or (n, 3)
            In ``frame``; of any strides, but not a bound array.
        frame : "world" or "body"
            Of the torque.

        Raises
        ------
        MotionError
            An angular velocity overflows.
        """
    def kick_drift(
        self, kick: float, drift: float, torque: npt.ArrayLike | None = None, *, frame: _Frame = "world"
    ) -> None:
        """Kick for one duration and then drift for another, in one pass: the first half of a step of velocity Verlet.

        The second half is kick. It writes predicted velocities, if an array is bound for them.

        Parameters
        ----------
        kick : float
            Duration of the kick.
        drift : float
            Duration of the drift, by which the clock moves on.
        torque : array_like, (3,) or (n, 3), optional
            As of kick; None: zero.
        frame : "world" or "body"
            Of the torque.

        Raises
        ------
        MotionError
            A motion overflows.
        """
    def bind_orientations(
        self,
        array: _Array,
        *,
        scalar_first: bool | None = None,
        rows: npt.ArrayLike | None = None,
        scalar_last: bool | None = None,
    ) -> None:
        """From now on keep the orientations in an array of your program, without a copy.

        Its contents become the orientations and are normalised there. The angular velocities in the world frame stay.
        The ensemble keeps the array alive. Between calls you may read and write it.

        Parameters
        ----------
        array : ndarray of float64, (n, 4)
            (w, x, y, z), body to world. It may have any strides that are multiples of 8 bytes, and must be writeable
            and aligned.
        scalar_first : bool, optional
            False: the array has (x, y, z, w).
        rows : array_like of int, (n,), optional
            Body i is in row ``rows[i]`` of the array, which may have more rows.
        scalar_last : bool, optional
            Deprecated: write ``scalar_first=False``.

        Raises
        ------
        TypeError
            It is not an array of float64: it is never copied.
        ArgumentError
            A row is not a unit quaternion, or two bodies have the same row.
        """
    def bind_angular_velocities(
        self,
        array: _Array,
        kind: Literal["omega_world", "omega_body", "angmom_world", "angmom_body"] = "omega_world",
        *,
        rows: npt.ArrayLike | None = None,
    ) -> None:
        """From now on keep the angular velocities in an array of your program, without a copy; see bind_orientations.

        Parameters
        ----------
        array : ndarray of float64, (n, 3)
            Angular velocities, rad per unit of time, or angular momenta.
        kind : "omega_world", "omega_body", "angmom_world" or "angmom_body"
            What the array holds, in which frame. "omega_body" has the bits of a single body; the others are converted
            in each step, and copies and pickles are then bound to an array of their own.
        rows : array_like of int, (n,), optional
            Body i is in row ``rows[i]`` of the array, which may have more rows.

        Raises
        ------
        TypeError
            It is not an array of float64: it is never copied.
        """
    def bind_predicted_velocities(self, array: _Array | None, ahead: float | None = None) -> None:
        """Choose an array for predicted angular velocities, which kick_drift then writes.

        They are those at the end of the drift, changed by the torque of the kick, for ``ahead`` more: with half a step
        the arguments for torques that depend on the angular velocity.

        Parameters
        ----------
        array : ndarray of float64, (n, 3), or None
            World frame, rad per unit of time. None: no longer.
        ahead : float or None
            In units of time; an array needs it.

        Raises
        ------
        TypeError
            It is not an array of float64; there is an array without ``ahead``.
        """
    def bind_flow_gradients(self, gradients: _Array | None) -> None:
        """Choose an array with the velocity gradient of the fluid at each body, in place of the one of ShearFlow.

        Steps read the array where it lies, at each torque evaluation, and never write it: write it between the steps.
        Gradients at the middle of the step give order 2. The ensemble keeps the array alive. After release_arrays,
        resize or select, steps in a shear flow are an OrderError until an array or None is bound.

        Parameters
        ----------
        gradients : ndarray of float64, (n, 3, 3) or (n, 9), or None
            Element [i, j, k] is d u_j / d x_k at body i, world frame, with any strides: OpenFOAM's are
            ``gradients.transpose(0, 2, 1)``. None: the shared one again.

        Raises
        ------
        TypeError
            It is not an array of float64.
        """
    def release_arrays(self) -> None:
        """Copy the states from bound arrays into the ensemble's own memory, and no longer use the arrays."""
    def set_points(self, bodies: npt.ArrayLike, arms: npt.ArrayLike) -> None:
        """Fix points to the bodies, such as the spheres of clumps or the atoms of molecules, in place of those before.

        They do not change the inertia. resize and select drop the points; copies and pickles have none.

        Parameters
        ----------
        bodies : array_like of int, (m,)
            The body of each point, ascending; a body may have any number of points, or none.
        arms : array_like, (m, 3) or (3,)
            The points from the centre of mass, body frame.

        Raises
        ------
        ArgumentError
            The bodies are not ascending, or there is no such body.
        """
    def point_positions(self, centres: npt.ArrayLike | None = None, *, out: _Array | None = None) -> _Array:
        """The positions of the points.

        Parameters
        ----------
        centres : array_like, (n, 3), optional
            Centres of mass of the bodies, world frame. None: zeros, which give the arms in the world frame.
        out : ndarray of float64, (m, 3), optional
            An array that receives them; None: a new one.

        Returns
        -------
        ndarray, (m, 3)
            World frame.
        """
    def point_velocities(
        self, centre_velocities: npt.ArrayLike | None = None, *, predicted: bool = False, out: _Array | None = None
    ) -> _Array:
        """The velocities of the points.

        Parameters
        ----------
        centre_velocities : array_like, (n, 3), optional
            Of the centres of mass, world frame. None: zeros.
        predicted : bool
            By the angular velocities in the array of bind_predicted_velocities, for forces that depend on the velocity.
        out : ndarray of float64, (m, 3), optional
            An array that receives them; None: a new one.

        Returns
        -------
        ndarray, (m, 3)
            World frame.
        """
    def sum_point_forces(
        self, forces: npt.ArrayLike, *, out_forces: _Array | None = None, out_torques: _Array | None = None
    ) -> tuple[_Array, _Array]:
        """Sum the forces on the points of each body, and their torques about its centre of mass.

        The sums are in the order of the points; bodies without points get zeros. The torques are for kick and stages.

        Parameters
        ----------
        forces : array_like, (m, 3) or (3,)
            On each point, world frame.
        out_forces : ndarray of float64, (n, 3), optional
            An array that receives the forces; None: a new one.
        out_torques : ndarray of float64, (n, 3), optional
            An array that receives the torques; None: a new one.

        Returns
        -------
        tuple of ndarray, (n, 3)
            Forces and torques, world frame.
        """
    def row_size(self, parts: _Part | Sequence[_Part] | None = None) -> int:
        """How many numbers ``rows`` returns for each body.

        Parameters
        ----------
        parts : str or sequence of str, optional
            As of rows.

        Returns
        -------
        int
            The number of columns.
        """
    def rows(self, bodies: _Bodies | None = None, parts: _Part | Sequence[_Part] | None = None) -> _Array:
        """The data of bodies for a message or a file.

        Whatever the order of ``parts``, the numbers have that in which they stand here.

        Parameters
        ----------
        bodies : indices, mask or slice, optional
            None: all.
        parts : str or sequence of str, optional
            "state" (orientation, and angular velocity in the body frame: 7 numbers), "inertia" (principal moments,
            negative about locked axes, and the rotation from the principal axes to the body frame: 7), "torque"
            (parameters of the ready-made torque, then drag and flow, then rotor_momentum, then coefficients and flow
            of langevin), "memory" (what the method keeps from step to step), "bound" (the angular velocity or momentum
            as the bound array holds it: 3), several of these, or "all"; and "id", before "bound", the 64 bits of the
            body's id in the place of a number.

        Returns
        -------
        ndarray, (m, k)
            A new array with a row for each of the bodies.

        Raises
        ------
        BodyIndexError
            There is no such body.
        """
    def set_rows(
        self, rows: npt.ArrayLike, bodies: _Bodies | None = None, parts: _Part | Sequence[_Part] | None = None
    ) -> None:
        """Set the data of bodies from ``rows`` of this or of another ensemble.

        All rows are checked before the first is written. To go on with the same bits, give an ensemble the same method,
        torque, drag and active bodies, langevin and rotors if it had some, then ``clock`` and ``noise_draws``, and the
        rows last, with "id" if the ids were set.

        Parameters
        ----------
        rows : array_like, (m, k)
            A row for each of the bodies.
        bodies : indices, mask or slice, optional
            None: all.
        parts : str or sequence of str, optional
            As of rows.

        Raises
        ------
        ArgumentError
            A number is refused; ``body`` of the error is the first body concerned.
        """
    def resize(self, count: int) -> None:
        """Change the number of bodies. The first ones stay.

        New ones are at rest, with the identity as orientation. All bodies move; bound arrays are released, as by
        release_arrays.

        Parameters
        ----------
        count : int
            How many bodies there are then.

        Raises
        ------
        OutOfMemoryError
            Nothing has changed.
        """
    def select(self, bodies: _Bodies) -> None:
        """Make body ``bodies[i]`` body i, for each i: removes, sorts and copies bodies. Otherwise as resize.

        Parameters
        ----------
        bodies : indices, mask or slice
            The bodies that there are then.

        Raises
        ------
        BodyIndexError
            There is no such body.
        """
    def stages(self, dt: float, steps: int = 1, *, layout: _Layout = "aos") -> Stages:
        """Steps whose torques a loop computes, for torques between bodies and for programs of their own.

        ``for t, q, omega in stages: stages.send(torque(t, q, omega))``. A step is complete when the loop asks for more.
        Leaving the loop early cancels the current step; until then nothing else may change the ensemble.

        Parameters
        ----------
        dt : float
            The length of each step; negative: backwards in time.
        steps : int
            How many.
        layout : "aos" or "soa"
            Of the arrays: in C order, or in Fortran order.

        Returns
        -------
        Stages
            An iterator over time, orientations (n, 4), body to world, and angular velocities (n, 3), world frame, of
            the active bodies. The arrays are read-only, and the next stage overwrites them.
        """
    def __copy__(self) -> Ensemble: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Ensemble: ...
    def __getnewargs__(self) -> tuple[int]: ...
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...

@final
class Stages:
    """An iterator over the stages of steps; Ensemble.stages makes it."""

    def __iter__(self) -> Iterator[tuple[float, _Array, _Array]]: ...
    def __next__(self) -> tuple[float, _Array, _Array]: ...
    def send(self, torque: npt.ArrayLike) -> None:
        """Give the torque of this stage. It is copied.

        Parameters
        ----------
        torque : array_like
            World frame; anything that broadcasts to (n, 3).

        Raises
        ------
        OrderError
            There is no stage that waits for a torque.
        """
    def close(self) -> None:
        """Cancel the current step and those after it. The ensemble is as before the current step."""

@final
class ExactSum:
    """A sum of doubles without rounding: it does not depend on the order of the terms.

    ``a + b`` adds sums; ``float(a)`` rounds once.

    Parameters
    ----------
    values : array_like, (n,), optional
        Numbers to add up.
    """

    def __new__(cls, values: npt.ArrayLike | None = None) -> ExactSum: ...
    @staticmethod
    def from_limbs(limbs: Sequence[int] | npt.NDArray[np.int64]) -> ExactSum:
        """The sum that has these limbs.

        Parameters
        ----------
        limbs : array_like of int64, (68,)
            As of the property of this name; they may have been added element by element.

        Returns
        -------
        ExactSum
            The sum.
        """
    @property
    def limbs(self) -> npt.NDArray[np.int64]:
        """68 integers (int64) that may be added element by element, for example by MPI: a new array.

        Element k counts units of 2**(32 k - 1074).
        """
    def __add__(self, other: ExactSum, /) -> ExactSum: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __float__(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Mass:
    """Mass, centre of mass and inertia of an assembly, as a sum over its parts.

    The methods add_... add a part each, in any order. All positions are in the same axes, those of the assembly, whose
    origin may be anywhere. A part with a negative mass is a hole. ``a + b`` is the sum of the parts of both.

    Parameters
    ----------
    numbers : array_like, (20,), optional
        As of the property of this name. None: no parts.
    """

    def __new__(cls, numbers: npt.ArrayLike | None = None) -> Mass: ...
    @property
    def numbers(self) -> _Array:
        """The mass, and the integrals of x, y, z, xx, yy, zz, xy, xz and yz over it: a new array (20,).

        The first ten are the numbers to 30 bits, the others what is left of each. They may be added element by element, for example by MPI.
        """
    def add_point(self, mass: float, position: npt.ArrayLike) -> None:
        """Add a point.

        Parameters
        ----------
        mass : float
            Its mass.
        position : array_like, (3,)
            Axes of the assembly.
        """
    def add_sphere(self, mass: float, radius: float, position: npt.ArrayLike) -> None:
        """Add a solid sphere.

        Parameters
        ----------
        mass : float
            Its mass.
        radius : float
            Its radius.
        position : array_like, (3,)
            Its centre, axes of the assembly.
        """
    def add_ellipsoid(
        self, mass: float, semi_axes: npt.ArrayLike, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add a solid ellipsoid.

        Parameters
        ----------
        mass : float
            Its mass.
        semi_axes : array_like, (3,)
            Along its own axes.
        position : array_like, (3,)
            Its centre, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def add_box(
        self, mass: float, edges: npt.ArrayLike, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add a solid box.

        Parameters
        ----------
        mass : float
            Its mass.
        edges : array_like, (3,)
            Lengths along its own axes.
        position : array_like, (3,)
            Its centre, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def add_cylinder(
        self, mass: float, radius: float, length: float, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add a solid cylinder along its z axis.

        Parameters
        ----------
        mass : float
            Its mass.
        radius : float
            Its radius.
        length : float
            Its length.
        position : array_like, (3,)
            Its centre, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def add_capsule(
        self, mass: float, radius: float, length: float, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add a solid capsule: a cylinder along its z axis with half a sphere on each end.

        Parameters
        ----------
        mass : float
            Its mass.
        radius : float
            Its radius.
        length : float
            Of the cylinder, without the half spheres.
        position : array_like, (3,)
            Its centre, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def add_hemisphere(
        self, mass: float, radius: float, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add half of a solid sphere, which lies above its flat face, along its z axis.

        Parameters
        ----------
        mass : float
            Its mass.
        radius : float
            Its radius.
        position : array_like, (3,)
            The centre of the flat face, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def add_cone(
        self, mass: float, radius: float, height: float, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add a solid cone along its z axis.

        Parameters
        ----------
        mass : float
            Its mass.
        radius : float
            Of its base.
        height : float
            From its base to its tip.
        position : array_like, (3,)
            The centre of its base, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def add_mesh(self, density: float, corners: npt.ArrayLike) -> None:
        """Add the solid inside of a closed surface of triangles.

        Parameters
        ----------
        density : float
            Mass per volume.
        corners : array_like, (n, 3, 3)
            Triangle, corner, x y z, axes of the assembly; counterclockwise as seen from outside, those of hollows as
            seen from within them.
        """
    def add_inertia(
        self, mass: float, inertia: npt.ArrayLike, position: npt.ArrayLike, orientation: _Orientation | None = None
    ) -> None:
        """Add a part whose inertia is known. To take a part away, give the negative of its mass and of its inertia.

        Parameters
        ----------
        mass : float
            Its mass.
        inertia : array_like, (3,) or (3, 3)
            Three moments or a tensor, about its own centre of mass and along its own axes.
        position : array_like, (3,)
            Its centre of mass, axes of the assembly.
        orientation : array_like, (4,), or scipy Rotation, optional
            (w, x, y, z), from the axes of the part to those of the assembly. None: no rotation.
        """
    def properties(self) -> MassProperties:
        """The mass, the centre of mass, and the inertia about it.

        Returns
        -------
        MassProperties
            Mass, centre (3,) and tensor (3, 3), along the axes of the assembly: the tensor that Body takes.

        Raises
        ------
        ArgumentError
            The mass is not positive.
        """
    def inertia_about(self, point: npt.ArrayLike) -> _Array:
        """The inertia about any point, along the axes of the assembly.

        Parameters
        ----------
        point : array_like, (3,)
            Axes of the assembly.

        Returns
        -------
        ndarray, (3, 3)
            Axes of the assembly.

        Raises
        ------
        ArgumentError
            The mass is not positive.
        """
    def __add__(self, other: Mass, /) -> Mass: ...
    def __radd__(self, other: Any, /) -> Any: ...

def principal_axes(inertia: npt.ArrayLike) -> PrincipalAxes:
    """The principal moments of an inertia, and the rotation from the principal axes to the body axes.

    Parameters
    ----------
    inertia : array_like, (3,) or (3, 3)
        Moments, or a tensor in the body frame.

    Returns
    -------
    PrincipalAxes
        Moments (3,), and orientation (w, x, y, z).

    Raises
    ------
    ArgumentError
        No body has this inertia.
    """
def rotate(orientation: _Orientation, vector: npt.ArrayLike) -> _Array:
    """Vectors in the world frame, from those in the body frame.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), body to world.
    vector : array_like, (3,) or (n, 3)
        Body frame.

    Returns
    -------
    ndarray, (3,) or (n, 3)
        World frame.
    """
def rotate_inverse(orientation: _Orientation, vector: npt.ArrayLike) -> _Array:
    """Vectors in the body frame, from those in the world frame.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), body to world.
    vector : array_like, (3,) or (n, 3)
        World frame.

    Returns
    -------
    ndarray, (3,) or (n, 3)
        Body frame.
    """
def orientation_from_axis_angle(axis: npt.ArrayLike, angle: npt.ArrayLike, *, degrees: bool = False) -> _Array:
    """The rotation by an angle about an axis.

    Parameters
    ----------
    axis : array_like, (3,) or (n, 3)
        Of any length but 0.
    angle : array_like, () or (n,)
        In rad.
    degrees : bool
        Whether the angle is in degrees.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_to_axis_angle(orientation: _Orientation, *, degrees: bool = False) -> tuple[_Array, Any]:
    """The axis and the angle of a rotation.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).
    degrees : bool
        Whether the angle is in degrees.

    Returns
    -------
    tuple
        Unit axis, (3,) or (n, 3), x for the identity; and angle, () or (n,), from 0 to pi, in rad.
    """
def orientation_from_rotation_vector(vector: npt.ArrayLike, *, degrees: bool = False) -> _Array:
    """The rotation by the length of a vector about the vector.

    Parameters
    ----------
    vector : array_like, (3,) or (n, 3)
        In rad.
    degrees : bool
        Whether its length is in degrees.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_to_rotation_vector(orientation: _Orientation, *, degrees: bool = False) -> _Array:
    """The shortest rotation vector.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).
    degrees : bool
        Whether its length is in degrees.

    Returns
    -------
    ndarray, (3,) or (n, 3)
        Of length at most pi, in rad.
    """
def orientation_exp(vector: npt.ArrayLike) -> _Array:
    """The exponential (cos |v|, v / |v| sin |v|) of the quaternion (0, v). It rotates by 2 |v| about v.

    Parameters
    ----------
    vector : array_like, (3,) or (n, 3)
        v, in rad.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_log(orientation: _Orientation) -> _Array:
    """The vector v for which orientation_exp(v) is this quaternion, with its sign.

    It is half the rotation vector if w is not negative.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).

    Returns
    -------
    ndarray, (3,) or (n, 3)
        v, of length at most pi.
    """
def orientation_power(orientation: _Orientation, exponent: npt.ArrayLike) -> _Array:
    """The rotation by ``exponent`` times the shortest angle, about the same axis.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).
    exponent : array_like, () or (n,)
        -1 is the inverse, 0.5 half the rotation.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_from_matrix(matrix: npt.ArrayLike) -> _Array:
    """The orientation of a rotation matrix R, with v_world = R v_body.

    Parameters
    ----------
    matrix : array_like, (3, 3) or (n, 3, 3)
        R.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).

    Raises
    ------
    ArgumentError
        It is not a rotation.
    """
def orientation_to_matrix(orientation: _Orientation) -> _Array:
    """The rotation matrix R of an orientation, with v_world = R v_body.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), body to world.

    Returns
    -------
    ndarray, (3, 3) or (n, 3, 3)
        R.
    """
def orientation_from_euler(sequence: str, angles: npt.ArrayLike, *, degrees: bool = False) -> _Array:
    """The orientation after three rotations.

    Parameters
    ----------
    sequence : str
        "xyz" about fixed axes, "ZXZ" about body axes, as in scipy.
    angles : array_like, (3,) or (n, 3)
        In rad.
    degrees : bool
        Whether the angles are in degrees.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z), body to world.

    Raises
    ------
    ArgumentError
        There is no such sequence.
    """
def orientation_to_euler(sequence: str, orientation: _Orientation, *, degrees: bool = False) -> _Array:
    """The three angles of an orientation. In gimbal lock the third is 0.

    Parameters
    ----------
    sequence : str
        As of orientation_from_euler.
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), body to world.
    degrees : bool
        Whether the angles are in degrees.

    Returns
    -------
    ndarray, (3,) or (n, 3)
        In rad.

    Raises
    ------
    ArgumentError
        There is no such sequence.
    """
def angular_velocity_from_euler_rates(
    sequence: str, angles: npt.ArrayLike, rates: npt.ArrayLike, *, degrees: bool = False
) -> _Array:
    """The angular velocity of a body whose Euler angles change at these rates.

    Parameters
    ----------
    sequence : str
        As of orientation_from_euler.
    angles : array_like, (3,) or (n, 3)
        In rad.
    rates : array_like, (3,) or (n, 3)
        In rad per unit of time.
    degrees : bool
        Whether angles, rates and result are in degrees.

    Returns
    -------
    ndarray, (3,) or (n, 3)
        World frame, rad per unit of time.
    """
def angular_velocity_to_euler_rates(
    sequence: str, angles: npt.ArrayLike, angular_velocity: npt.ArrayLike, *, degrees: bool = False
) -> _Array:
    """The rates of the Euler angles of a body with this angular velocity.

    Parameters
    ----------
    sequence : str
        As of orientation_from_euler.
    angles : array_like, (3,) or (n, 3)
        In rad.
    angular_velocity : array_like, (3,) or (n, 3)
        World frame, rad per unit of time.
    degrees : bool
        Whether angles, angular velocity and result are in degrees.

    Returns
    -------
    ndarray, (3,) or (n, 3)
        In rad per unit of time.

    Raises
    ------
    ArgumentError
        At gimbal lock there are none.
    """
def orientation_from_mrp(parameters: npt.ArrayLike) -> _Array:
    """The orientation of modified Rodrigues parameters: tan(angle / 4) times the axis.

    Parameters
    ----------
    parameters : array_like, (3,) or (n, 3)
        Of any length.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_to_mrp(orientation: _Orientation) -> _Array:
    """The modified Rodrigues parameters of an orientation.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).

    Returns
    -------
    ndarray, (3,) or (n, 3)
        Of at most unit length.
    """
def orientation_product(a: _Orientation, b: _Orientation) -> _Array:
    """The rotation b, then a.

    Parameters
    ----------
    a : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).
    b : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_inverse(orientation: _Orientation) -> _Array:
    """The inverse rotation: world to body.

    Parameters
    ----------
    orientation : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), body to world.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z), world to body.
    """
def orientation_slerp(a: _Orientation, b: _Orientation, t: float) -> _Array:
    """Between two orientations, along the shortest great arc.

    Parameters
    ----------
    a : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), at t = 0.
    b : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z), at t = 1.
    t : float
        Where.

    Returns
    -------
    ndarray, (4,) or (n, 4)
        (w, x, y, z).
    """
def orientation_angle(a: _Orientation, b: _Orientation, *, degrees: bool = False) -> Any:
    """The angle of the rotation between two orientations.

    Parameters
    ----------
    a : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).
    b : array_like, (4,) or (n, 4), or scipy Rotation
        (w, x, y, z).
    degrees : bool
        Whether the angle is in degrees.

    Returns
    -------
    float or ndarray, (n,)
        From 0 to pi, in rad.
    """
def turn_orientation(
    orientation: _Orientation,
    start: float,
    end: float,
    steps: int,
    rate: Callable[[float], npt.ArrayLike],
    *,
    frame: _Frame = "world",
) -> _Array:
    """Turn an orientation with a given angular velocity: a gyroscope, a drum, a paddle.

    Order 4, coning included, by steps of two calls each. What the function raises is raised.

    Parameters
    ----------
    orientation : array_like, (4,), or scipy Rotation
        (w, x, y, z), body to world, at the time start.
    start : float
        Time of the orientation.
    end : float
        Time at which the orientation is wanted; may lie before start.
    steps : int
        At least 1; the more, the more accurate.
    rate : callable
        rate(time) returns the angular velocity, three numbers, rad/s.
    frame : {"world", "body"}
        Of the angular velocity.

    Returns
    -------
    ndarray, (4,)
        (w, x, y, z), at the time end.
    """
def turn_by_samples(
    orientation: _Orientation, angular_velocities: npt.ArrayLike, dt: float, *, frame: _Frame = "world"
) -> _Array:
    """Turn an orientation through samples of its angular velocity at equal intervals, as gyroscopes give them.

    Order 4, coning included. Of a record in pieces, the last sample of a piece is the first one of the next.

    Parameters
    ----------
    orientation : array_like, (4,), or scipy Rotation
        (w, x, y, z), body to world, at the first sample.
    angular_velocities : array_like, (n, 3)
        At least two, rad/s, in the frame that `frame` names.
    dt : float
        From a sample to the next; negative where they go back in time.
    frame : {"world", "body"}
        Of the angular velocities; gyroscopes measure in the body frame.

    Returns
    -------
    ndarray, (4,)
        (w, x, y, z), at the last sample.
    """
def orientation_rate(orientation: _Orientation, angular_velocity: npt.ArrayLike) -> _Array:
    """The derivative of an orientation with respect to time, for a solver of your own.

    Parameters
    ----------
    orientation : array_like, (4,), or scipy Rotation
        (w, x, y, z), of any length, which does not change by this derivative.
    angular_velocity : array_like, (3,)
        World frame, rad/s.

    Returns
    -------
    ndarray, (4,)
        dq/dt.
    """
def real_numbers(given: npt.ArrayLike, name: str) -> _Array: ...
def torque_at(
    torque: ReadyMade, orientation: _Orientation, angular_velocity: npt.ArrayLike, inertia: npt.ArrayLike | None = None
) -> _Array: ...
