# ivp.py: a damped pendulum until it has turned three times, with the names of scipy.
# `quatint.solve_ivp` has the arguments and the result of `scipy.integrate.solve_ivp`, and needs
# no scipy: docs/python.md.
import numpy as np
import quatint


def torque(t, q, omega):
    return np.cross(quatint.rotate(q, [0, 0, -1]), [0, 0, -1]) - 0.1 * omega


def turn(t, q, omega):
    return omega[0]


turn.terminal = 3  # ends at the third
start = quatint.orientation_from_axis_angle([1, 0, 0], 2)
result = quatint.solve_ivp([1, 1, 1], (0, 100), [*start, 0, 0, 0], t_eval=[0, 5, 10], events=turn, torque=torque)
print(result.message)
print("turns at", result.t_events[0].round(6))
print("angles there:", quatint.orientation_to_rotation_vector(result.y_events[0][:, :4])[:, 0].round(6))
print(result.y.shape, result.orientation.shape, result.success)

# It prints:
# event 0 ended the solution, at 11.019937079847391
# turns at [ 3.959378  7.573214 11.019937]
# angles there: [-1.571279  1.282244 -1.064554]
# (7, 3) (3, 4) True
