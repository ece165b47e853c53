"""Mass properties of assemblies, beside closed formulas, and principal axes."""

import copy
import pickle

import numpy as np
import pytest
import quatint
from scipy.spatial.transform import Rotation

A, B, C, D = [0.1, 0.2, -0.3], [1.3, 0.1, 0.2], [0.4, 1.5, 0.1], [0.2, 0.3, 1.1]
PLACE = [0.1, 0.2, -0.3]
INERTIA = np.array(
    [
        [11.600948941891815, 0.30560892760832625, 1.0400209969838572],
        [0.30560892760832625, 10.07999641799384, 1.1330076497875956],
        [1.0400209969838572, 1.1330076497875956, 11.69820579132151],
    ]
)


def assembly():
    """The assembly that the tests of every language build. Nothing in it lies along an axis."""
    known = np.array([[0.11, 0.012, -0.009], [0.012, 0.13, 0.007], [-0.009, 0.007, 0.12]])
    m = quatint.Mass()
    m.add_point(0.7, [0.4, -0.3, 0.9])
    m.add_sphere(2.5, 0.35, [-0.8, 0.6, 0.2])
    m.add_ellipsoid(1.9, [0.3, 0.5, 0.7], [0.2, -0.9, -0.4], [0.5, -0.1, 0.7, 0.5])
    m.add_box(3.1, [0.6, 0.9, 1.3], [0.7, 0.8, -0.5], Rotation.from_quat([0.7, -0.5, 0.5, 0.1]))
    m.add_cylinder(1.3, 0.25, 1.7, [-0.3, -0.4, 1.1], orientation=[0.7, 0.5, 0.1, -0.5])
    m.add_capsule(0.9, 0.3, 0.8, [0.6, -0.7, 0.3], [0.1, -0.5, 0.7, 0.5])
    m.add_hemisphere(1.7, 0.6, [-0.5, 0.3, -0.8], [0.7, -0.1, 0.5, 0.5])
    m.add_cone(1.1, 0.4, 1.2, [-0.2, 0.9, 0.5], [0.5, 0.7, 0.5, -0.1])
    m.add_mesh(6.4, [[A, C, B], [A, B, D], [B, C, D], [C, A, D]])
    m.add_inertia(-0.4, -known, [0.5, 0.7, -0.6], [0.5, 0.5, -0.7, 0.1])
    return m


def test_an_assembly_has_the_mass_properties_of_closed_formulas():
    mass, centre, inertia = assembly().properties()
    assert mass == pytest.approx(15.0656, rel=1e-14)
    assert np.allclose(centre, [0.07906090696686491, 0.21905798640611726, 0.039709005947323704], rtol=1e-14, atol=0)
    assert np.allclose(inertia, INERTIA, rtol=0, atol=4e-14)
    assert quatint.Body(inertia).time == 0

    about = [
        [16.202272386666667, 1.70047696, -0.1592364],
        [1.70047696, 12.77106938, 3.4076544],
        [-0.1592364, 3.4076544, 15.079283166666666],
    ]
    assert np.allclose(assembly().inertia_about([0.3, -0.2, 0.4]), about, rtol=0, atol=4e-14)


def test_sums_add_up_and_their_numbers_make_them():
    point = quatint.Mass()
    point.add_point(4, [0.5, -0.25, 2])
    assert point.numbers.tolist() == [4, 2, -1, 8, 1, 0.25, 16, -0.5, 4, -2] + [0] * 10
    assert repr(point) == "Mass(of 4.0)"
    both = assembly() + point
    one = assembly()
    one.add_point(4, [0.5, -0.25, 2])
    added = quatint.Mass(assembly().numbers + point.numbers)
    for same in (both, added, quatint.Mass(one.numbers), copy.copy(one), pickle.loads(pickle.dumps(one))):
        for a, b in zip(same.properties(), one.properties(), strict=True):
            assert np.allclose(a, b, rtol=1e-15, atol=1e-15)
    assert repr(one) == f"Mass(of {one.properties().mass})"
    with pytest.raises(TypeError):
        point + 1
    with pytest.raises(ValueError, match="read-only"):
        point.numbers[0] = 1
    with pytest.raises(ValueError, match="shape"):
        quatint.Mass([1, 2, 3])


def test_a_distant_origin_costs_no_digits():
    m, part = quatint.Mass(), quatint.Mass()
    m.add_box(1, [1, 1, 1], [1e5, 2e5, 3e5])
    part.add_box(1, [1, 1, 1], [1e5, 2e5, 3e5 + 1])
    for both in (m + part, quatint.Mass(m.numbers + part.numbers)):
        assert np.allclose(both.properties().inertia, np.diag([5, 5, 2]) / 6, rtol=0, atol=4e-14)


def test_without_an_orientation_the_axes_are_those_of_the_assembly():
    sums = []
    for turn in ([], [[1, 0, 0, 0]], [None]):
        m = quatint.Mass()
        m.add_ellipsoid(2, [0.4, 0.5, 0.7], PLACE, *turn)
        m.add_box(2, [0.4, 0.5, 0.7], PLACE, *turn)
        m.add_cylinder(2, 0.3, 1.1, PLACE, *turn)
        m.add_capsule(2, 0.3, 1.1, PLACE, *turn)
        m.add_hemisphere(2, 0.3, PLACE, *turn)
        m.add_cone(2, 0.3, 1.1, PLACE, *turn)
        m.add_inertia(2, [1, 2, 2.5], PLACE, *turn)
        sums.append(m.numbers.tolist())
    assert sums[0] == sums[1] == sums[2]


def test_what_cannot_be_added_leaves_the_sum_as_it_was():
    m = assembly()
    for call, text in (
        (lambda: m.add_point(np.nan, PLACE), "mass"),
        (lambda: m.add_sphere(1, -1, PLACE), "radius"),
        (lambda: m.add_ellipsoid(1, [1, -2, 3], PLACE), "semi_axes"),
        (lambda: m.add_box(1, [1, -2, 3], PLACE), "edges"),
        (lambda: m.add_cylinder(1, 1, 1, PLACE, [2, 0, 0, 0]), "orientation"),
        (lambda: m.add_capsule(1, 1, -1, PLACE), "length"),
        (lambda: m.add_hemisphere(1, -1, PLACE), "radius"),
        (lambda: m.add_cone(1, 1, np.inf, PLACE), "height"),
        (lambda: m.add_inertia(1, [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]], PLACE), "inertia"),
        (lambda: m.add_mesh(1, [[A, B, C]]), "closed surface"),
        (lambda: m.add_mesh(np.nan, []), "corners"),
        (lambda: m.add_mesh(1, [A, B, C]), "shape"),
        (lambda: m.add_point(1, [1, 2]), "shape"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    m.add_mesh(1, np.zeros((0, 3, 3)))
    assert m.numbers.tolist() == assembly().numbers.tolist()
    with pytest.raises(quatint.ArgumentError, match="positive mass"):
        quatint.Mass().properties()
    with pytest.raises(quatint.ArgumentError, match="positive mass"):
        quatint.Mass().inertia_about(PLACE)
    with pytest.raises(quatint.ArgumentError, match="point"):
        m.inertia_about([0, np.nan, 0])


def test_a_mesh_may_lie_in_memory_in_any_order():
    corners = np.array([[A, C, B], [A, B, D], [B, C, D], [C, A, D]])
    sums = []
    for given in (corners, np.asfortranarray(corners), np.repeat(corners, 2, axis=2)[:, :, ::2]):
        m = quatint.Mass()
        m.add_mesh(6.4, given)
        sums.append(m.numbers.tolist())
    assert sums[0] == sums[1] == sums[2]


def test_the_principal_axes_are_those_of_the_tensor():
    moments, orientation = quatint.principal_axes(INERTIA)
    r = quatint.orientation_to_matrix(orientation)
    assert np.allclose(r @ np.diag(moments) @ r.T, INERTIA, rtol=0, atol=4e-14)
    assert np.allclose(np.sort(moments), [9.472672911802718, 10.843628033272779, 13.062850206131667], rtol=1e-14, atol=0)
    assert quatint.principal_axes([3, 5, 7]).moments.tolist() == [3, 5, 7]
    with pytest.raises(quatint.ArgumentError, match="inertia"):
        quatint.principal_axes(-INERTIA)
