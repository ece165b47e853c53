// panel.cpp: a satellite with one panel, tilted by 0.4 rad.
// Sums are added by `+=`, or over ranks by their `numbers`: docs/inertia.md.
#include <cstdio>
#include <quatint.hpp>

int main()
{
    quatint::Mass satellite;
    satellite.add_box(120, {1.0, 0.8, 1.2}, {0, 0, 0}); // kg, edges, centre
    satellite.add_box(9, {0.02, 2.4, 0.8}, {0.1, 1.6, 0.3}, quatint::orientation_from_axis_angle({0, 1, 0}, 0.4));
    const auto [mass, centre, inertia] = satellite.properties();
    std::printf("mass %.1f kg, centre of mass (%.4f, %.4f, %.4f) m\n", mass, centre[0], centre[1], centre[2]);
    for (std::size_t i = 0; i < 9; i += 3) std::printf("%9.4f %9.4f %9.4f\n", inertia[i], inertia[i + 1], inertia[i + 2]);
}

// It prints:
// mass 129.0 kg, centre of mass (0.0070, 0.1116, 0.0209) m
//   47.7133   -1.3395   -0.4232
//   -1.3395   25.7175   -4.0186
//   -0.4232   -4.0186   42.3093
