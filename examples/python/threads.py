# threads.py: bodies on two threads, Ctrl-C, and a body that is in use.
# docs/python.md says what releases the lock of the interpreter.
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import quatint

weight = quatint.UniformField([0, 0, 1], [0, 0, -9.81])


def energy_after_10_s(spin):
    top = quatint.Body([1, 1, 0.5], quatint.orientation_from_axis_angle([1, 0, 0], 0.3), [0, 0, spin], torque=weight)
    top.solve(10)  # without the lock of the interpreter
    return top.kinetic_energy


with ThreadPoolExecutor(2) as pool:
    print("energies:", [f"{energy:.4f}" for energy in pool.map(energy_after_10_s, [10, 20, 30])])

body = quatint.Body([1, 2, 3], angular_velocity=[1, 1, 1])
try:
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()  # as Ctrl-C does
    body.advance(2**-10, 10**15)
except KeyboardInterrupt:
    steps = body.time * 2**10
    print("stopped after a whole number of steps:", steps == int(steps) > 0)


def torque(t, q, omega):
    return -body.angular_velocity  # wrong: the step uses the body; take omega


body.torque = torque
try:
    body.step(0.1)
except quatint.BusyError as error:
    print(f"{type(error).__name__}: {error}")

# It prints:
# energies: ['28.2504', '109.2805', '247.5106']
# stopped after a whole number of steps: True
# BusyError: the body is in use: by another thread, or by a call whose torque uses it again
