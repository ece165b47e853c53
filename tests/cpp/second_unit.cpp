// second_unit.cpp: linked with every C++ test, so that two translation units include the header.
#include <quatint.hpp>

quatint::Body made_elsewhere();

quatint::Body made_elsewhere()
{
    quatint::Body body(quatint::diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body.set_torque([](double, const double *q, const double *, double *torque) {
        torque[0] = -2*(q[2]*q[3] - q[0]*q[1]);
        torque[1] = 2*(q[1]*q[3] + q[0]*q[2]);
    });
    return body;
}
