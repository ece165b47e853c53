"""numpy's arrays as arguments, of any order, type and class, and those that are returned."""

import gc
import pickle
import sys
import tracemalloc

import numpy as np
import pytest
import quatint
from conftest import same_bits

N = 7


class Named(np.ndarray):
    """A class of a user."""


class Shortened(np.ndarray):
    """One that does not keep what numpy promises."""

    def ravel(self, order="C"):
        return np.zeros(1)


def unaligned(a):
    copy = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    copy[...] = a
    return copy


FORMS = {
    "itself": lambda a: a,
    "Fortran": np.asfortranarray,
    "backwards": lambda a: a[::-1].copy()[::-1],
    "every other": lambda a: np.repeat(np.repeat(a, 2, axis=0), 3, axis=1)[::2, ::3],
    "big-endian": lambda a: a.astype(">f8"),
    "little-endian": lambda a: a.astype("<f8"),
    "of the machine's order, said": lambda a: a.view(a.dtype.newbyteorder("<" if sys.byteorder == "little" else ">")),
    "unpickled": lambda a: pickle.loads(pickle.dumps(a)),
    "longer": lambda a: a.astype(np.longdouble),
    "unaligned": unaligned,
    "matrix": lambda a: a.view(np.matrix),
    "of a user": lambda a: a.view(Named),
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
    "list": lambda a: a.tolist(),
}


def spinning(count=N):
    e = quatint.Ensemble(count, inertia=[1, 2, 3], torque=quatint.ConstantTorque([0.1, 0.2, 0.3], "body"))
    e.angular_velocities = np.arange(3.0 * count).reshape(count, 3)
    e.advance(0.01, 10)
    return e


@pytest.mark.parametrize("form", FORMS)
def test_an_array_of_any_order_type_and_class_gives_its_numbers(form):
    a, formed = spinning(), FORMS[form]
    b = quatint.Ensemble(N, inertia=[1, 2, 3], torque=a.torque)
    b.set_rows(formed(np.array(a.rows())))
    assert same_bits(a.rows(), b.rows())
    b.angular_velocities = formed(np.ones((N, 3)))
    b.angular_velocities = formed(np.array(a.angular_velocities))
    assert np.allclose(b.angular_velocities, a.angular_velocities, rtol=1e-13, atol=1e-13)
    c = quatint.Ensemble(N)
    c.inertia = formed(np.array(a.rows(parts="inertia")[:, :3]))
    assert same_bits(c.rows(parts="inertia"), a.rows(parts="inertia"))
    angles = quatint.orientation_angle(formed(np.array(a.orientations)), a.orientations)
    assert angles.shape == (N,) and (angles < 1e-7).all()


@pytest.mark.parametrize("kind", ["=u8", ">u8", "<u8", "=i8", "=u4", "ulonglong"])
def test_ids_of_any_type_of_whole_numbers_are_taken(kind):
    e = spinning()
    e.ids = np.arange(10, 10 + N, dtype=kind)
    assert e.ids.dtype == np.uint64 and e.ids.tolist() == list(range(10, 10 + N))


def test_ids_have_all_their_64_bits():
    e = spinning(2)
    e.ids = np.array([2**64 - 1, 2**63], dtype=np.uint64)
    assert e.ids.tolist() == [2**64 - 1, 2**63]


def test_returned_arrays_are_plain_arrays_that_outlive_the_object_and_are_released():
    e, body = spinning(), quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3])
    arrays = [
        (lambda: e.orientations, (N, 4)),
        (lambda: e.angular_momenta, (N, 3)),
        (lambda: e.inertia, (N, 3, 3)),
        (lambda: e.ids, (N,)),
        (lambda: e.kinetic_energies, (N,)),
        (lambda: e.rows(), (N, e.row_size())),
        (lambda: e.record(0.01, 4, 2).q, (3, N, 4)),
        (lambda: e.kinetic_energy_sum().limbs, (68,)),
        (lambda: body.angular_velocity, (3,)),
        (lambda: body.inertia, (3, 3)),
        (lambda: body.record(0.01, 4, 2).omega, (3, 3)),
        (lambda: quatint.orientation_to_matrix(e.orientations), (N, 3, 3)),
    ]
    kept = [(get(), shape) for get, shape in arrays]
    copies = [array.copy() for array, _ in kept]
    del e, body, arrays
    gc.collect()
    others = [spinning() for _ in range(20)]  # would use memory that was freed
    for (array, shape), copy in zip(kept, copies):
        assert type(array) is np.ndarray and array.shape == shape and array.dtype.isnative
        assert array.flags.c_contiguous and array.flags.aligned
        assert np.array_equal(array, copy)
    assert len(others) == 20


def test_the_memory_of_returned_arrays_is_given_back():
    e = quatint.Ensemble(1000)
    tracemalloc.start()
    try:
        kept = [e.orientations, e.rows(), e.ids]
        held = tracemalloc.get_traced_memory()[0]
        assert held > sum(array.nbytes for array in kept)
        for _ in range(100):
            _ = e.orientations, e.rows(), e.ids
        del _
        assert tracemalloc.get_traced_memory()[0] < held + 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["orientations", "angular_momenta", "inertia", "ids"])
def test_a_copy_that_a_property_returned_can_be_made_writeable(name):
    e = spinning()
    copy = getattr(e, name)
    with pytest.raises(ValueError, match="read-only"):
        copy[0] = 1
    copy.setflags(write=True)
    copy[0] = 1
    assert not np.array_equal(copy, getattr(e, name))


def test_an_array_whose_class_loses_numbers_is_refused():
    e, body = spinning(), quatint.Body([1, 2, 3])
    for thing in (e, body):
        with pytest.raises(TypeError):
            thing.set_rows(np.array(thing.rows()).view(Shortened))


def test_an_ensemble_without_bodies_has_arrays_without_rows():
    e = quatint.Ensemble(0)
    e.advance(0.1, 3)
    assert e.orientations.shape == (0, 4) and e.inertia.shape == (0, 3, 3) and e.ids.shape == (0,)
    assert e.rows().shape == (0, e.row_size()) and e.record(0.1, 2).omega.shape == (3, 0, 3)
    e.set_rows(np.zeros((0, e.row_size())))
    e.ids = np.zeros(9, np.uint8)[1:].view(np.uint64)[:0]  # not where integers of 8 bytes may be
    e.angular_velocities = unaligned(np.zeros((0, 3)))
    assert quatint.rotate(np.zeros((0, 4)), np.zeros((0, 3))).shape == (0, 3)


def test_a_function_may_change_the_header_of_its_arguments():
    shapes = []

    def changing(t, q, omega):
        shapes.append((q.shape, omega.shape, q.flags.writeable))
        q.shape = (2, 2)
        omega.setflags(write=False)
        return np.array([0.1, 0.2, 0.3])

    a = quatint.Body([1, 2, 3], torque=changing)
    b = quatint.Body([1, 2, 3], torque=lambda t, q, omega: (0.1, 0.2, 0.3))
    for body in (a, b):
        body.advance(0.01, 10)
    assert set(shapes) == {((4,), (3,), True)}
    assert same_bits(a.orientation, b.orientation)


@pytest.mark.parametrize("layout", ["aos", "soa"])
def test_the_memory_that_a_function_reads_cannot_be_taken_away(layout):
    refused = []

    def resizing(t, q, omega):
        for array in (q, omega, q.base, omega.base):
            while array is not None:
                try:
                    array.resize(100_000, refcheck=False)
                except ValueError as error:
                    refused.append(str(error))
                array = array.base
        return np.zeros((N, 3))

    e = spinning()
    e.set_torque(resizing, layout=layout)
    e.advance(0.01, 5)
    assert len(refused) >= 4 * 5
    assert np.allclose(np.linalg.norm(e.orientations, axis=1), 1)
