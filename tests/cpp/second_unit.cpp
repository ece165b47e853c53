// second_unit.cpp: linked with every C++ test, so that two translation units include the header.
#include <quatint.hpp>

quatint::Body made_elsewhere();

quatint::Body made_elsewhere()
{
    const quatint::Matrix inertia{5.72, 0.768, -0.576, 0.768, 5.0992, -1.5744, -0.576, -1.5744, 4.1808};
    quatint::Body body(inertia, {0.5, -0.1, 0.7, 0.5}, {0.3, -0.7, 1.1});
    body.set_torque([](double, const double *q, const double *, double *torque) {
        torque[0] = -2*(q[2]*q[3] - q[0]*q[1]);
        torque[1] = 2*(q[1]*q[3] + q[0]*q[2]);
    });
    return body;
}
