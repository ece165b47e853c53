# top_by_methods.py: by how many radians a heavy top is off after 5 seconds, by method and step.
# docs/methods.md says which method to take.
import quatint

weight = quatint.UniformField([0, 0, 1], [0, 0, -9.81])  # centre of mass, body frame; force, world frame
leaning = quatint.orientation_from_axis_angle([1, 0, 0], 0.3)


def orientation_after_5_s(method, dt):
    top = quatint.Body([1, 1, 0.5], leaning, [0, -6, 19], torque=weight, method=method)
    top.advance(dt, round(5 / dt))
    return top.orientation


exact = orientation_after_5_s("splitting_6", 0.005)
methods = "pcdm", "cf4", "splitting", "splitting_4", "splitting_6"
print("dt    ", *(f"{method:>13}" for method in methods), sep="")
for dt in 0.05, 0.025, 0.0125:
    errors = [quatint.orientation_angle(orientation_after_5_s(method, dt), exact) for method in methods]
    print(f"{dt:.4f}", *(f"{error:13.1e}" for error in errors), sep="")

# It prints:
# dt             pcdm          cf4    splitting  splitting_4  splitting_6
# 0.0500      9.5e-01      1.4e-02      3.8e-03      2.1e-08      2.7e-10
# 0.0250      2.2e-01      8.7e-04      9.5e-04      1.8e-09      4.3e-12
# 0.0125      5.0e-02      5.4e-05      2.4e-04      1.2e-10      9.2e-14
