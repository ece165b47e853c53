// eigen.cpp: a DEM loop over particles with members of Eigen's types, in which the ensemble works without a copy.
//
// Ten thousand rods in a viscous fluid and a uniform field along z. Eigen stores a quaternion as (x, y, z, w), which its type
// tells quatint. At the end every rod is aligned with the field. Exit status 0: the rods are aligned, and no
// other member has changed.
#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <quatint.hpp>

using Eigen::Quaterniond, Eigen::Vector3d;

struct Particle {
    Vector3d position = Vector3d::Zero();
    Quaterniond orientation;
    Vector3d angular_velocity = Vector3d::Zero(); // world frame
    double radius = 0.5;
};

int main()
try {
    std::vector<Particle> particles(10000);
    for (std::size_t i = 0; i < particles.size(); i++) {
        const double x = static_cast<double>(i);
        particles[i].orientation = Eigen::AngleAxisd(0.001 * x, Vector3d(std::sin(1 + x), std::cos(3 * x), 0.3).normalized());
    }

    quatint::Ensemble rods(particles.size());
    rods.set_inertias(quatint::diagonal(0.1, 1, 1)); // rods along x
    const auto bound = rods.bind(particles, &Particle::orientation, &Particle::angular_velocity);
    rods.set_torque([](double, std::size_t, const quatint::Quaternion &q, const quatint::Vector &omega) -> Vector3d {
        const Vector3d long_axis = Quaterniond(q[0], q[1], q[2], q[3]) * Vector3d::UnitX();
        return long_axis.cross(Vector3d::UnitZ()) - 0.8 * Vector3d(omega.data());
    });

    for (int step = 0; step <= 2000; step++) {
        if (step % 500 == 0) {
            Vector3d mean = Vector3d::Zero();
            for (const Particle &p : particles) mean += p.orientation * Vector3d::UnitX() / 10000;
            std::printf("t = %4.1f   mean of the long axes along the field: %+.4f\n", 0.02 * step, mean.z());
            if (step == 2000 && mean.z() < 0.999) return 1;
        }
        rods.step(0.02);
    }
    for (const Particle &p : particles)
        if (p.position != Vector3d::Zero() || p.radius != 0.5) return 1;
    return 0;
} catch (const quatint::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
