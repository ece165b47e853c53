// eigen_types.cpp: particles with Eigen's types, bound in place.
// docs/cpp.md lists the types of Eigen that a view may be of. eigen.cpp is a larger example.
#include <Eigen/Geometry>
#include <cstdio>
#include <quatint.hpp>

struct Particle {
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity(); // stored as (x, y, z, w): scalar last
    Eigen::Vector3d angular_velocity = {0, 0, 1};
    double radius = 0.5;
};

int main()
{
    std::vector<Particle> particles(1000);
    quatint::Ensemble e(particles.size());
    const auto bound = e.bind(particles, &Particle::orientation, &Particle::angular_velocity);
    e.set_torque([](double, std::size_t, const quatint::Quaternion &q, const quatint::Vector &omega) -> Eigen::Vector3d {
        const Eigen::Quaterniond orientation(q[0], q[1], q[2], q[3]);
        return orientation * Eigen::Vector3d(0.1, 0, 0) - 0.1 * Eigen::Vector3d(omega.data());
    });
    e.advance(1e-3, 5000);

    const Eigen::Vector3d x = particles[999].orientation * Eigen::Vector3d::UnitX();
    std::printf("the x axis of the last particle: (%+.4f, %+.4f, %+.4f)\n", x[0], x[1], x[2]);
}

// It prints:
// the x axis of the last particle: (-0.5234, -0.6196, +0.5849)
