"""Threads, signals, processes and memory."""

import contextlib
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numba
import numpy as np
import pytest
import quatint
from conftest import same_bits

MANY = 2**62


def has_lock():
    """Whether only one thread of the interpreter runs at a time."""
    return getattr(sys, "_is_gil_enabled", lambda: True)()


@numba.cfunc(quatint.BODY_SIGNATURE)
def no_torque(t, q, omega, torque, user_data):
    return 0


def in_background(call):
    """Runs a call that never ends by itself until the test is over; returns a function that ends it."""
    stop, ended = threading.Event(), []

    def run():
        while not stop.is_set():
            with contextlib.suppress(quatint.BusyError):  # if the test was faster
                call()
        ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()

    def end():
        stop.set()
        thread.join(20)
        assert ended

    return end


@pytest.mark.parametrize(
    "make",
    [
        lambda: quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1]),
        lambda: quatint.Ensemble(1000, inertia=[1, 2, 3], angular_velocities=[1, 1, 1]),
    ],
)
def test_a_second_thread_that_uses_an_object_gets_an_error(make):
    body, steps = make(), 2_000_000 if isinstance(make(), quatint.Body) else 20_000
    end = in_background(lambda: body.advance(1e-3, steps))
    errors, deadline = [], time.monotonic() + 20
    while not errors and time.monotonic() < deadline:
        for use in (lambda: body.time, lambda: body.step(0), lambda: repr(body)):
            try:
                use()
            except quatint.BusyError as error:
                errors.append(error)
    end()
    assert errors
    assert "in use" in str(errors[0])
    assert errors[0].status.name == "QI_ERR_BUSY"


# a small drag: velocities below 1e-308 take a processor a hundred times as long
@pytest.mark.parametrize("torque", [None, quatint.compiled(no_torque), quatint.LinearDrag([1e-3, 1e-3, 1e-3])])
def test_python_runs_while_a_body_steps(torque):
    body = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1], torque=torque)
    end = in_background(lambda: body.advance(1e-3, 10_000_000))
    ticks, deadline = 0, time.monotonic() + 15
    while ticks < 1000 and time.monotonic() < deadline:
        time.sleep(0.001)
        ticks += 1
    end()
    # with the lock held, this thread would wait for the end of a portion, some 30 ms, each time
    assert ticks == 1000


def test_different_objects_step_on_different_threads():
    bodies = [quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1 + i], torque=lambda t, q, w: 0.1 * w) for i in range(4)]
    alone = [quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1 + i], torque=lambda t, q, w: 0.1 * w) for i in range(4)]
    threads = [threading.Thread(target=body.advance, args=(1e-3, 2000)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, b in zip(bodies, alone, strict=True):
        b.advance(1e-3, 2000)
        assert same_bits(a.orientation, b.orientation)


PROGRAM = """if True:
    import os, signal, sys, threading, time
    import numpy as np
    import quatint

    def pull(t, q, omega):
        return 0.0, 0.0, 0.0

    if "never" in 'CALL':
        import numba
        never = quatint.compiled(numba.cfunc(quatint.EVENT_SIGNATURE)(lambda t, q, omega, user_data: 1.0))
    body = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1])
    top = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1], torque=quatint.UniformField([0, 0, 1], [0, 0, -1]))
    slow = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1], torque=pull)
    wheeled = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1])
    wheeled.rotor_momentum = [0.1, 0.2, 0.3]
    driven = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1])
    driven.rotor_torque = [1e-6, 0, 0]
    few = quatint.Ensemble(10, angular_velocities=[1, 1, 1])
    many = quatint.Ensemble(100_000, angular_velocities=[1, 1, 1])
    sent = []

    def is_used():
        try:
            OBJECT.time
            return False
        except quatint.BusyError:
            return True

    def interrupt():
        while not is_used():
            time.sleep(0.001)
        time.sleep(0.4)  # the first portions are shorter
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    try:
        threading.Thread(target=interrupt).start()
        CALL
    except KeyboardInterrupt:
        print(time.process_time() - sent[0])
"""


@pytest.mark.parametrize(
    "call",
    [
        "body.advance(1e-3, 2**62)",
        "top.advance(1e-3, 2**62)",
        "slow.advance(1e-3, 2**62)",
        "few.advance(1e-3, 2**62)",
        "many.advance(1e-3, 2**62)",
        "top.solve(1e12)",
        "top.solve([1e12])",
        "wheeled.solve(1e12)",
        "driven.solve(1e12)",
        "body.record(1e-9, 10**9, 10**8)",
        "top.solve_until(lambda t, q, w: 1.0, 1e12)",
        "top.solve_until(never, 1e12)",
        "body.solve_until(never, 1e12)",
        "many.record(1e-3, 10**7, 10**7)",
    ],
)
def test_ctrl_c_ends_a_call_within_a_tenth_of_a_second(call):
    # of its processor's time, since another program may have the processor; the least of three, since what it shares may be slow
    program = PROGRAM.replace("CALL", call).replace("OBJECT", call.split(".")[0])
    delays = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        delays.append(float(done.stdout))
        if delays[-1] < 0.1:
            return
    raise AssertionError(delays)


class Interrupted(Exception):
    pass


@pytest.mark.parametrize(
    "make",
    [
        lambda: quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1], torque=quatint.UniformField([0, 0, 1], [0, 0, -1])),
        lambda: quatint.Ensemble(
            500, inertia=[1, 2, 3], angular_velocities=[1, 1, 1], torque=quatint.UniformField([0, 0, 1], [0, 0, -1])
        ),
        lambda: quatint.Ensemble(500, inertia=[1, 2, 3], angular_velocities=[1, 1, 1], torque=lambda t, q, w: 0.1 * w),
    ],
)
def test_a_signal_leaves_whole_steps_and_the_bits_do_not_depend_on_it(make):
    def handler(number, frame):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    try:
        a, b = make(), make()
        while a.time == 0:  # at most once, unless the signal comes before the first step
            with pytest.raises(Interrupted):
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                a.advance(2.0**-10, MANY)
        ticks = []
        signal.signal(signal.SIGALRM, lambda number, frame: ticks.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)  # signals that do nothing, in the middle of the other run
        steps = a.time * 2**10
        assert steps == int(steps) > 0
        b.advance(2.0**-10, int(steps))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ticks
    if isinstance(a, quatint.Body):
        assert same_bits(a.orientation, b.orientation)
    else:
        assert same_bits(a.rows(), b.rows())


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_after_fork_steps_alone_with_the_same_bits():
    e = quatint.Ensemble(5000, inertia=[1, 2, 3], angular_velocities=[1, 1, 1], threads=2)
    e.advance(0.01, 20)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        e.advance(0.01, 20)
        other = quatint.Ensemble(5000, inertia=[1, 2, 3], angular_velocities=[1, 1, 1], threads=2)
        other.advance(0.01, 40)
        same = same_bits(e.orientations, other.orientations)
        os.write(writer, e.orientations[::1000].tobytes() if same else b"")
        os._exit(0)
    os.close(writer)
    e.advance(0.01, 20)
    with os.fdopen(reader, "rb") as pipe:
        received = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert received == e.orientations[::1000].tobytes()


def advanced(e):
    e.advance(0.01, 20)
    return e


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_ensembles_go_to_other_processes_and_back(start):
    e = quatint.Ensemble(
        3000, angular_velocities=[1, 2, 3], threads=2, torque=quatint.UniformField([0, 0, 1], [0, 0, -1])
    )
    e.step(0.01)
    with multiprocessing.get_context(start).Pool(2) as pool:
        results = pool.map(advanced, [e, e])
    advanced(e)
    for each in results:
        assert same_bits(each.orientations, e.orientations)


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_torques_that_raise_many_times_do_not_grow_the_process():
    def torque(t, q, omega):
        raise KeyError(t)

    body, e = quatint.Body([1, 1, 1], torque=torque), quatint.Ensemble(10, torque=torque)
    nan = quatint.Body([1, 1, 1], torque=lambda t, q, omega: (float("nan"), 0, 0))

    def fail(times):
        for _ in range(times):
            for each in (body, e, nan):
                try:
                    each.step(0.1)
                except (KeyError, quatint.MotionError):
                    pass
                else:
                    raise AssertionError("it has not raised")

    fail(10_000)
    gc.collect()
    before = resident()
    fail(100_000)
    gc.collect()
    assert resident() - before < 1 << 20


def test_steps_and_objects_do_not_grow_the_process():
    def use():
        body = quatint.Body(
            [1, 1, 1],
            angular_velocity=[0, 0, 1],
            torque=lambda t, q, omega: (q[1], q[2], body.time if body is None else 0),
        )
        body.advance(0.01, 10)
        body.record(0.01, 10)
        e = quatint.Ensemble(100, torque=lambda t, q, omega: -omega)
        e.bind_orientations(np.tile([1.0, 0, 0, 0], (100, 1)))
        e.advance(0.01, 5)
        for _ in e.stages(0.01):
            break
        e.rows()

    def growth(uses):
        before = resident()
        for _ in range(uses):
            use()
        gc.collect()
        return resident() - before

    growth(300)
    # 130 bytes each would show; a free-threaded interpreter needs some rounds until its heap is as large as it gets
    assert min(growth(8000) for _ in range(1 if has_lock() else 3)) < 1 << 20


def test_a_torque_that_refers_to_its_own_body_is_collected():
    class Torque:
        def __call__(self, t, q, omega):
            return 0, 0, 0

    gone = []
    for make in (
        lambda torque: quatint.Body([1, 1, 1], torque=torque),
        lambda torque: quatint.Ensemble(3, torque=torque),
    ):
        torque = Torque()
        torque.body = make(torque)
        torque.body.step(0.1) if isinstance(torque.body, quatint.Body) else None
        gone += [weakref.ref(torque), weakref.ref(torque.body)]
        del torque
    gc.collect()
    assert [reference() for reference in gone] == [None] * 4


@pytest.mark.parametrize("keeps", [False, True])
def test_the_lock_is_released_in_a_stage_unless_a_torque_has_kept_its_arrays(keeps):
    """Else another thread could read the arrays while they are written."""
    kept, turns, stop = [], [0], threading.Event()
    ensemble = quatint.Ensemble(100_000, inertia=[3, 5, 7], angular_velocities=[1, 2, 3])
    torques = np.zeros((100_000, 3))

    def torque(t, q, omega):
        if keeps:
            kept.append(omega[:1])
        return torques

    def count():
        while not stop.is_set():
            turns[0] += 1
            time.sleep(0)

    ensemble.torque = torque
    ensemble.step(1e-3)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # another thread runs only where the lock is released
    thread = threading.Thread(target=count)
    try:
        thread.start()
        before = turns[0]
        ensemble.advance(1e-3, 50)
        during = turns[0] - before
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join(20)
    if has_lock():
        assert (during == 0) == keeps
    else:
        assert during > 0
