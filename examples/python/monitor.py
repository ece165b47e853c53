# monitor.py: the steps of a solution, which a monitor ends: here after 50 of them, elsewhere after some seconds.
# A monitor is called after each step, and ends the solution by an exception. Rows of
# `solve(times)` are then lost: keep those that you need in the monitor.
import quatint

weight = quatint.UniformField([0, 0, 1], [0, 0, -1])
top = quatint.Body([1, 1.5, 0.7], [0.6, 0.8, 0, 0], [0.3, 0.1, 5], torque=weight)
times = []


def watch(t, q, omega):
    times.append(t)
    if len(times) == 50:
        raise StopIteration("stopped")


try:
    top.solve(10, monitor=watch)
except StopIteration as stop:
    print(f"after {len(times)} steps t = {top.time:.6f}; {stop}")
top.solve(10)
print(f"gone on to t = {top.time:g}")

# It prints:
# after 50 steps t = 4.014903; stopped
# gone on to t = 10
