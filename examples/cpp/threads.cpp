// threads.cpp: two ensembles, each stepped by its own std::thread.
// See docs/ensembles.md.
#include <cstdio>
#include <quatint.hpp>
#include <thread>

int main()
{
    std::vector<quatint::Quaternion> q(20000, {1, 0, 0, 0});
    std::vector<std::thread> threads;
    for (std::size_t part = 0; part < 2; part++) {
        threads.emplace_back([&q, part] {
            quatint::Ensemble half(10000);
            half.bind_orientations(quatint::View{q[10000 * part].data(), 4});
            half.set_inertias(quatint::diagonal(1, 2, 3));
            half.set_angular_velocities(quatint::Vector{1, 1, 1});
            half.advance(1e-3, 100);
        });
    }
    for (std::thread &thread : threads) thread.join();

    quatint::Ensemble all(20000); // or threads of the library
    all.set_threads(2);
    all.set_inertias(quatint::diagonal(1, 2, 3));
    all.set_angular_velocities(quatint::Vector{1, 1, 1});
    all.advance(1e-3, 100);
    std::printf("the bits are the same: %s\n", all.orientations() == q ? "yes" : "no");
}

// It prints:
// the bits are the same: yes
