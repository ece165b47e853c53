# locks.jl: a square plate that cannot spin about its normal; its panels fold at once, and unfold in ten seconds.
# `keep = :angular_velocity` is the default. `set_inertia_function!(body, nothing)` makes the
# inertia constant again. See docs/inertia.md.
using Quatint, Printf

plate = Body([2, 2, 4]; angular_velocity = (0.3, 0.4, 0.5))
lock_axes!(plate, "z")
kick!(plate, 2, (0.1, 0, 1); frame = :body)
@printf("locked: %.3f %.3f %.3f rad/s\n", angular_velocity_body(plate)...)
set_inertia!(plate, [1, 2, 3]; keep = :angular_momentum)
@printf("folded: %.3f %.3f %.3f rad/s, ", angular_velocity_body(plate)...)
@printf("momentum %.3f %.3f %.3f\n", angular_momentum(plate)...)
set_inertia_function!(plate, t -> [1 + 0.1t, 2, 3 + 0.1t])
solve!(plate, 10; tolerance = 1e-10)
@printf("unfolded: %.3f %.3f %.3f rad/s\n", angular_velocity_body(plate)...)

discs = set_inertias!(Ensemble(3), [1, 1, 2])
set_angular_velocities!(discs, (0.3, 0.4, 0.5))
lock_axes!(discs, ["z", "", "xy"])
println(angular_velocities(discs))

# It prints:
# locked: 0.400 0.400 0.000 rad/s
# folded: 0.800 0.400 0.000 rad/s, momentum 0.800 0.800 0.000
# unfolded: 0.280 -0.427 -0.122 rad/s
# [0.3 0.3 0.0; 0.4 0.4 0.0; 0.0 0.5 0.5]
