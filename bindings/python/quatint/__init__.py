"""The rotation of rigid bodies under torque: orientation and angular velocity, advanced in time.

``Body`` is one rigid body, ``Ensemble`` many. Both take torques that are Python functions, ready-made torques
(``UniformField``, ``GravityGradient``, ``LinearDrag``, ``ShearFlow``, ``ConstantTorque``) or compiled functions (``compiled``);
both take random torques besides (``Langevin``).

Orientations are unit quaternions (w, x, y, z), scalar first, that rotate vectors from the body to the world frame. Vectors are in
the world frame unless a name says body. Units are any consistent set; angles are in radians.
"""

from ._compiled import BODY_SIGNATURE, ENSEMBLE_SIGNATURE, EVENT_SIGNATURE, Compiled, compiled
from ._errors import (
    ArgumentError,
    BodyIndexError,
    BusyError,
    CallbackError,
    Error,
    MotionError,
    OrderError,
    OutOfMemoryError,
    Status,
)
from ._mean import orientation_mean
from ._quatint import (
    Body,
    Ensemble,
    ExactSum,
    Stages,
    __version__,
    orientation_angle,
    orientation_exp,
    orientation_from_axis_angle,
    orientation_from_euler,
    orientation_from_matrix,
    orientation_from_rotation_vector,
    orientation_inverse,
    orientation_log,
    orientation_power,
    orientation_product,
    orientation_slerp,
    orientation_to_axis_angle,
    orientation_to_euler,
    orientation_to_matrix,
    orientation_to_rotation_vector,
    rotate,
    rotate_inverse,
)
from ._results import Statistics, Trajectory
from ._solution import Event, Solution
from ._torques import (
    ConstantTorque,
    GravityGradient,
    Langevin,
    LinearDrag,
    ReadyMade,
    ShearFlow,
    Sum,
    UniformField,
)

__all__ = [
    "BODY_SIGNATURE",
    "ENSEMBLE_SIGNATURE",
    "EVENT_SIGNATURE",
    "ArgumentError",
    "Body",
    "BodyIndexError",
    "BusyError",
    "CallbackError",
    "Compiled",
    "ConstantTorque",
    "Ensemble",
    "Error",
    "Event",
    "ExactSum",
    "GravityGradient",
    "Langevin",
    "LinearDrag",
    "MotionError",
    "OrderError",
    "OutOfMemoryError",
    "ReadyMade",
    "ShearFlow",
    "Solution",
    "Stages",
    "Statistics",
    "Status",
    "Sum",
    "Trajectory",
    "UniformField",
    "__version__",
    "compiled",
    "orientation_angle",
    "orientation_exp",
    "orientation_from_axis_angle",
    "orientation_from_euler",
    "orientation_from_matrix",
    "orientation_from_rotation_vector",
    "orientation_inverse",
    "orientation_log",
    "orientation_mean",
    "orientation_power",
    "orientation_product",
    "orientation_slerp",
    "orientation_to_axis_angle",
    "orientation_to_euler",
    "orientation_to_matrix",
    "orientation_to_rotation_vector",
    "rotate",
    "rotate_inverse",
]
