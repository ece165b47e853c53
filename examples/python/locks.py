# locks.py: a square plate that cannot spin about its normal; its panels fold at once, and unfold in ten seconds.
# `body.inertia = ...` keeps the angular velocity. `set_inertia_function(None)` makes the inertia
# constant again. See docs/inertia.md.
import quatint

plate = quatint.Body([2, 2, 4], angular_velocity=[0.3, 0.4, 0.5])
plate.lock_axes("z")
plate.kick(2, [0.1, 0, 1], frame="body")
print("locked:", plate.angular_velocity_body.round(6), "rad/s, momentum", plate.angular_momentum.round(6))
plate.set_inertia([1, 2, 3], keep="angular_momentum")
print("folded:", plate.angular_velocity_body.round(6), "rad/s, momentum", plate.angular_momentum.round(6))
plate.set_inertia_function(lambda t: [1 + 0.1 * t, 2, 3 + 0.1 * t])
plate.solve(10, tolerance=1e-10)
print("unfolded:", plate.angular_velocity_body.round(6), "rad/s")

discs = quatint.Ensemble(3, inertia=[1, 1, 2], angular_velocities=[0.3, 0.4, 0.5])
discs.lock_axes(["z", "", "xy"])
print(discs.angular_velocities)

# It prints:
# locked: [0.4 0.4 0. ] rad/s, momentum [0.8 0.8 0. ]
# folded: [0.8 0.4 0. ] rad/s, momentum [0.8 0.8 0. ]
# unfolded: [ 0.280272 -0.426958 -0.121609] rad/s
# [[0.3 0.4 0. ]
#  [0.3 0.4 0.5]
#  [0.  0.  0.5]]
