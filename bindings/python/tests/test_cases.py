"""The cases of tests/data/cases.txt, played: tests/rust/cases.rs says what their words mean."""

import numpy as np
import pytest
import quatint
from conftest import ROOT, same_bits

# the properties that are numbers, with the shape that one body has
PROPERTIES = {
    "time": (),
    "clock": (2,),
    "angular_momentum": (3,),
    "rotor_momentum": (3,),
    "rotor_torque": (3,),
    "orientations": (4,),
    "angular_velocities": (3,),
    "angular_momenta": (3,),
}


def cases():
    """Each case by its name: its lines, split into words."""
    found = {}
    for line in (ROOT / "tests/data/cases.txt").read_text().splitlines():
        if line.startswith("case "):
            lines = found.setdefault(line[5:], [])
        elif line and not line.startswith("#"):
            lines.append(line.split())
    return found


CASES = cases()


def numbers_of(words):
    """The numbers at the beginning, up to a word that is none."""
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            break
    return np.array(numbers)


def rows(numbers, *shape):
    """Numbers of one body, or a row for each of many."""
    return numbers.reshape(shape if numbers.size == np.prod(shape) else (-1, *shape))


def made(word, words):
    """A body, or an ensemble as created."""
    if word == "ensemble":
        return quatint.Ensemble(int(words[0]))
    a = numbers_of(words)
    return quatint.Body(a[:9].reshape(3, 3), a[9:13], a[13:])


def torque_of(word, words):
    """A ready-made torque, or None if the word names none."""
    a = numbers_of(words)
    if word == "constant_torque":
        return quatint.ConstantTorque(rows(a, 3), frame=words[-1])
    if word == "uniform_field_torque":
        return quatint.UniformField(rows(a[:-3], 3), a[-3:])
    if word == "gravity_gradient_torque":
        return quatint.GravityGradient(a[:3], rows(a[3:]))
    if word == "linear_drag_torque":
        return quatint.LinearDrag(rows(a, 3))
    if word == "shear_flow_torque":
        return quatint.ShearFlow(rows(a[:-10], 3), a[-10], a[-9:].reshape(3, 3))
    return None


def langevin_of(words, *, is_of_body):
    """A bath; that of a body ends with an id, with which it is a noise of its own."""
    words, end = (words[:-1], {"id": int(words[-1])}) if is_of_body else (words, {})
    *coefficients, x, y, z, kt, _ = numbers_of(words)
    return quatint.Langevin(rows(np.array(coefficients), 3), kt, int(words[-1]), flow=[x, y, z], **end)


def set_inertia(subject, word, words):
    """The inertia of a body, or those of an ensemble."""
    if word == "inertia":
        subject.set_inertia(numbers_of(words).reshape(3, 3), keep=words[-1])
    else:
        subject.inertia = rows(numbers_of(words), *((3, 3) if word == "inertias" else (3,)))


def move(subject, word, words):
    """Calls a method that moves bodies, or sets more than one property."""
    a = numbers_of(words)
    if word == "advance":
        subject.advance(a[0], int(words[1]))
    elif word in ("drift", "thermalize", "scale_angular_momenta"):
        getattr(subject, word)(a[0])
    elif word == "kick":
        subject.kick(a[0], rows(a[1:], 3), frame=words[-1])
    elif word == "kick_drift":
        subject.kick_drift(a[0], a[1], rows(a[2:], 3), frame=words[-1])
    elif word == "solve":
        subject.solve(a[0], tolerance=a[1])
    elif word == "lock_axes":
        subject.lock_axes(words[0])
    elif word in ("state", "state_body"):
        getattr(subject, f"set_{word}")(a[:4], a[4:])
    else:
        raise ValueError(f"no such word: {word}")


def play(subject, word, words):
    """Does to a body or an ensemble what a line of the table says."""
    torque, a = torque_of(word, words), numbers_of(words)
    if torque is not None:
        subject.torque = torque
    elif word in ("inertia", "inertias", "principal_inertias"):
        set_inertia(subject, word, words)
    elif word in ("method", "solve_method"):
        setattr(subject, word, words[0])
    elif word == "noise_draws":
        subject.noise_draws = int(words[0])
    elif word == "drag":
        subject.drag = quatint.LinearDrag(rows(a[:-3], 3), flow=a[-3:])
    elif word == "langevin":
        subject.langevin = langevin_of(words, is_of_body=isinstance(subject, quatint.Body))
    elif word == "ids":
        subject.ids = [int(word) for word in words]
    elif word == "active":
        subject.active = [int(word) for word in words]
    elif word in PROPERTIES:
        setattr(subject, word, rows(a, *PROPERTIES[word]))
    else:
        move(subject, word, words)


@pytest.mark.parametrize("name", CASES)
def test_a_case_comes_out_to_the_bit(name):
    subject = None
    for word, *words in CASES[name]:
        if word in ("body", "ensemble"):
            subject = made(word, words)
        elif word == "expect":
            got = getattr(subject, words[0])
            got = np.ravel(got() if callable(got) else got)
            assert same_bits(got, numbers_of(words[1:])), (words[0], got)
        else:
            play(subject, word, words)


def test_the_table_has_its_cases():
    assert len(CASES) > 70
