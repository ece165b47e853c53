# panel.jl: a satellite with one panel, tilted by 0.4 rad.
# `a + b` is the sum of the parts of both: docs/inertia.md.
using Quatint, Printf

satellite = Mass()
add_box!(satellite, 120, (1.0, 0.8, 1.2), (0, 0, 0)) # kg, edges, centre
add_box!(satellite, 9, (0.02, 2.4, 0.8), (0.1, 1.6, 0.3), orientation((0, 1, 0), 0.4))
mass, centre, inertia = mass_properties(satellite)
@printf("mass %.1f kg, centre of mass (%.4f, %.4f, %.4f) m\n", mass, centre...)
for row in eachrow(inertia)
    @printf("%9.4f %9.4f %9.4f\n", row...)
end

# It prints:
# mass 129.0 kg, centre of mass (0.0070, 0.1116, 0.0209) m
#   47.7133   -1.3395   -0.4232
#   -1.3395   25.7175   -4.0186
#   -0.4232   -4.0186   42.3093
