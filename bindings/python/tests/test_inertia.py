"""Another inertia for a body, and axes about which bodies do not turn."""

import copy
import pickle

import numpy as np
import pytest
import quatint
from conftest import same_bits

TILTED = np.array([0.5, -0.1, 0.7, 0.5])
OMEGA = [0.3, -0.7, 1.1]
# the moments 3, 5 and 7 about axes that are turned in the body
TENSOR = np.array([[5.72, 0.768, -0.576], [0.768, 5.0992, -1.5744], [-0.576, -1.5744, 4.1808]])
PLATE = np.array([[2, 0.3, 0], [0.3, 3, 0], [0, 0, 4]])
DISC = np.diag([2.0, 2, 4])  # its axis z may be locked alone
TWO_MOMENTS = "`axes` must not lock one axis beside two different moments: lock two axes"
COPIES = [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))]


def spinning(inertia, **options):
    return quatint.Body(inertia, TILTED, OMEGA, **options)


def test_an_inertia_is_set_as_a_property_or_by_a_method():
    body = spinning(TENSOR)
    body.set_inertia(PLATE, keep="angular_momentum")
    assert body.inertia.tolist() == PLATE.tolist()
    for change in (lambda: body.set_inertia([5, 6, 7]), lambda: setattr(body, "inertia", TENSOR)):
        omega = body.angular_velocity_body
        change()
        assert same_bits(body.angular_velocity_body, omega)
    assert body.inertia.tolist() == TENSOR.tolist()


def test_an_inertia_that_is_refused_changes_nothing():
    body = spinning(DISC)
    body.lock_axes("z")
    rows, inertia, text = body.rows(), body.inertia, repr(body)
    with pytest.raises(quatint.ArgumentError, match="symmetric") as info:
        body.set_inertia([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])
    assert info.value.status == quatint.Status.QI_ERR_INERTIA
    with pytest.raises(quatint.ArgumentError, match='`keep` must be one of "angular_velocity", "angular_momentum"'):
        body.set_inertia([1, 2, 3], keep="momentum")
    with pytest.raises(ValueError, match="3 principal moments"):
        body.inertia = [1, 2]
    with pytest.raises(quatint.ArgumentError, match=r"qi_set_locked_axes|positive"):
        body.inertia = [0, 1, 2]
    assert same_bits(body.rows(), rows) and same_bits(body.inertia, inertia) and repr(body) == text


@pytest.mark.parametrize("axes", ["x", "y", "z", "xy", "zx", "yz", "xyz", ""])
def test_the_letters_are_those_of_the_locked_axes(axes):
    locked = ["xyz".index(letter) for letter in axes]
    free = [i for i in range(3) if i not in locked]
    moments = np.array([2.0, 3, 4])
    if len(locked) == 1:
        moments[free] = 3.5
    body = spinning(moments)
    body.lock_axes(axes)
    assert (body.inertia[locked] == 0).all() and (body.inertia[:, locked] == 0).all()
    assert body.inertia[free, free].tolist() == moments[free].tolist()
    assert (body.angular_velocity_body[locked] == 0).all()
    assert (body.angular_velocity_body[free] != 0).all()
    body.inertia = [2, 3, 4]  # unlocks
    assert (body.inertia == np.diag([2.0, 3, 4])).all()


def test_an_axis_that_is_not_principal_and_wrong_letters_are_refused():
    body = spinning(PLATE)
    rows = body.rows()
    with pytest.raises(quatint.ArgumentError, match="body axis x is no principal axis") as info:
        body.lock_axes("x")
    assert info.value.status == quatint.Status.QI_ERR_INERTIA
    for wrong in ("w", "X", "x y"):
        with pytest.raises(quatint.ArgumentError, match='`axes` must be of the letters "x", "y" and "z"'):
            body.lock_axes(wrong)
    with pytest.raises(TypeError):
        body.lock_axes(4)
    assert same_bits(body.rows(), rows) and body.inertia.tolist() == PLATE.tolist()


def test_one_lock_beside_two_different_moments_is_refused():
    body = spinning([2, 3, 4])
    rows = body.rows()
    for axes in ("x", "y", "z", "zz"):
        with pytest.raises(quatint.ArgumentError, match=TWO_MOMENTS) as info:
            body.lock_axes(axes)
        assert info.value.status == quatint.Status.QI_ERR_INVALID
        assert same_bits(body.rows(), rows)
    body.lock_axes("yz")  # then the third may follow
    body.lock_axes("x")
    assert (body.inertia == 0).all()


def test_a_rotor_may_be_beside_a_lock():
    body = spinning(DISC, method="splitting")
    body.rotor_momentum = [0, 0, 1]
    body.lock_axes("z")
    omega, momentum = body.angular_velocity_body, body.angular_momentum
    body.advance(0.01, 100)
    assert body.angular_velocity_body[2] == 0 and abs(body.angular_velocity_body - omega).max() > 0.1
    assert body.angular_momentum == pytest.approx(momentum, rel=1e-12)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("method", ["pcdm", "splitting", "splitting_4", "cf4"])
@pytest.mark.parametrize(
    ("inertia", "locks", "zeros"), [(DISC, ["z"], 7), (DISC, ["z", "y", "z"], 8), ([2, 3, 4], ["xy", "x"], 8)]
)
def test_a_copy_of_a_locked_body_goes_on_with_the_same_bits(copied, method, inertia, locks, zeros):
    body = spinning(TENSOR, torque=quatint.UniformField([0.3, 0.2, 1.1], [0.4, -0.3, -1.6]), method=method)
    body.lock_axes("")
    body.inertia = inertia
    for axes in locks:
        body.lock_axes(axes)
    body.advance(0.01, 10)
    again = copied(body)
    assert repr(again) == repr(body) and same_bits(again.inertia, body.inertia)
    for each in (body, again):
        each.advance(0.01, 10)
    assert same_bits(again.rows(), body.rows())
    assert (again.inertia == 0).sum() == zeros


AXES = ["x", "", "xy", "z", ""]
INERTIAS = [np.diag(moments) for moments in ([2.0, 4, 4], [3, 3, 4], [4, 3, 4], [5, 5, 4])] + [TENSOR]


@pytest.mark.parametrize("axes", [AXES, np.array(AXES), [1, 0, 3, 4, 0], np.array([1, 0, 3, 4, 0], dtype=np.uint8)])
@pytest.mark.parametrize("copied", [lambda e: e, *COPIES])
def test_each_body_of_an_ensemble_may_lock_axes_of_its_own(axes, copied):
    field = quatint.UniformField([0.3, 0.2, 1.1], [0.4, -0.3, -1.6])
    e = quatint.Ensemble(5, inertia=INERTIAS, orientations=TILTED, angular_velocities=OMEGA, torque=field)
    e.lock_axes(axes)
    e = copied(e)
    e.advance(0.01, 20)
    for i, (inertia, letters) in enumerate(zip(INERTIAS, AXES)):
        body = spinning(inertia, torque=field)
        body.lock_axes(letters)
        body.advance(0.01, 20)
        assert same_bits(e.orientations[i], body.orientation)
        assert same_bits(e.angular_velocities_body[i], body.angular_velocity_body)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize(
    ("axes", "moments"), [("x", [2, 3, 3]), ("y", [3, 2, 3]), ("xz", [2, 3, 4]), ("xyz", [2, 3, 4])]
)
def test_a_copy_of_an_ensemble_with_one_lock_for_all_goes_on_with_the_same_bits(copied, axes, moments):
    e = quatint.Ensemble(5, inertia=moments, orientations=TILTED, angular_velocities=OMEGA)
    e.torque = quatint.ConstantTorque([1, 2, 3])
    e.lock_axes(axes)
    e.advance(0.01, 10)
    again = copied(e)
    assert same_bits(again.inertia, e.inertia)
    for each in (e, again):
        each.advance(0.01, 10)
    assert same_bits(again.rows(), e.rows())
    locked = ["xyz".index(letter) for letter in axes]
    assert (e.angular_velocities_body[:, locked] == 0).all() and (e.inertia[:, locked] == 0).all()
    e.inertia = [2, 3, 4]  # unlocks
    e.step(0.01)
    assert (e.angular_velocities_body != 0).all()


def test_wrong_axes_of_an_ensemble_change_nothing():
    e = quatint.Ensemble(3, inertia=[np.diag([2.0, 3, 4]), PLATE, PLATE], angular_velocities=OMEGA)
    rows = e.rows()
    with pytest.raises(quatint.ArgumentError, match="body axis y is no principal axis") as info:
        e.lock_axes(["xz", "", "y"])
    assert (info.value.body, info.value.status) == (2, quatint.Status.QI_ERR_INERTIA)
    with pytest.raises(quatint.ArgumentError, match=f"body 1: {TWO_MOMENTS}") as info:
        e.lock_axes(["xz", "z", "y"])
    assert (info.value.body, info.value.status) == (1, quatint.Status.QI_ERR_INVALID)
    with pytest.raises(quatint.ArgumentError, match="body 1: `axes` must be a sum of 1 for x, 2 for y and 4 for z"):
        e.lock_axes([0, 8, 0])
    with pytest.raises(quatint.ArgumentError, match='`axes` must be of the letters "x", "y" and "z", not "a"'):
        e.lock_axes("a")
    with pytest.raises(ValueError, match="`axes` has 2 elements, but must have 3"):
        e.lock_axes(["x", "y"])
    for wrong in (4, [0.5, 1, 2], [True, False, True], [None] * 3):
        with pytest.raises(TypeError):
            e.lock_axes(wrong)
    assert same_bits(e.rows(), rows)
    quatint.Ensemble(0).lock_axes([])
