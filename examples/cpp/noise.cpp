// noise.cpp: dipoles with the energy -2 kT cos(theta) in a field along z, at the energy kT = 1.
// In rows, `parts::all` leaves out `parts::id`, the bits of the id of a body. See docs/random.md.
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using namespace quatint;

static const std::size_t n = 1000;

static Ensemble dipoles()
{
    Ensemble gas(n);
    gas.set_inertias(diagonal(1, 2, 3));
    gas.set_uniform_field_torque(Vector{0, 0, 1}, {0, 0, 2});
    gas.set_method(Method::splitting);
    gas.set_langevin(Vector{1, 1, 6}, 1, 42); // drag, kT, seed
    return gas;
}

int main()
{
    Ensemble gas = dipoles();
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < n; i++) ids.push_back(1001 + i);
    gas.set_ids(ids); // which noise belongs to which dipole

    gas.advance(0.2, 100);
    const int times = 200;
    std::vector<double> each(n); // cos(theta) of each dipole, its mean over time
    for (int k = 0; k < times; k++) {
        gas.advance(0.2, 5);
        const std::vector<Quaternion> q = gas.orientations();
        for (std::size_t i = 0; i < n; i++) each[i] += (1 - 2 * (q[i][1] * q[i][1] + q[i][2] * q[i][2])) / times;
    }
    double mean = 0, squares = 0;
    for (const double x : each) mean += x / n;
    for (const double x : each) squares += (x - mean) * (x - mean);
    const double error = std::sqrt(squares / n / (n - 1)), exact = 1 / std::tanh(2) - 0.5; // the dipoles are independent
    std::printf("mean of cos(theta): %.3f, standard error %.4f, exact %.3f\n", mean, error, exact);
    std::printf("within three standard errors: %s\n", std::fabs(mean - exact) < 3 * error ? "yes" : "no");

    const auto rows = gas.rows(parts::all | parts::id); // save: rows, clock, draws
    const auto clock = gas.clock();
    const auto draws = gas.noise_draws();
    gas.advance(0.2, 50);

    Ensemble again = dipoles(); // restart
    again.set_clock(clock);
    again.set_rows(parts::all | parts::id, rows);
    again.set_noise_draws(draws);
    again.advance(0.2, 50);
    std::printf("restarted after %d draws, the same bits: %s\n", int(draws), again.orientations() == gas.orientations() ? "yes" : "no");
}

// It prints:
// mean of cos(theta): 0.537, standard error 0.0014, exact 0.537
// within three standard errors: yes
// restarted after 1100 draws, the same bits: yes
