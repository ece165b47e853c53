# panel.py: a satellite with one panel, tilted by 0.4 rad.
# `a + b` is the sum of the parts of both: docs/inertia.md.
import quatint

satellite = quatint.Mass()
satellite.add_box(120, [1.0, 0.8, 1.2], [0, 0, 0])  # kg, edges, centre
satellite.add_box(9, [0.02, 2.4, 0.8], [0.1, 1.6, 0.3], quatint.orientation_from_axis_angle([0, 1, 0], 0.4))
mass, centre, inertia = satellite.properties()
print("mass {:.1f} kg, centre of mass ({:.4f}, {:.4f}, {:.4f}) m".format(mass, *centre))
for row in inertia:
    print("{:9.4f} {:9.4f} {:9.4f}".format(*row))

# It prints:
# mass 129.0 kg, centre of mass (0.0070, 0.1116, 0.0209) m
#   47.7133   -1.3395   -0.4232
#   -1.3395   25.7175   -4.0186
#   -0.4232   -4.0186   42.3093
