// satellite.cpp: a satellite turns by its reaction wheels to a target attitude, and holds it for an orbit.
//
// Gravity on a circular orbit pulls at the satellite; the direction to the Earth turns with the orbit. Once a second a
// controller measures attitude and angular velocity, and commands a torque u about the three body axes. The wheels give it: they
// lose the momentum that the body gains, dh/dt = -u.
//
// set_rotor_torque() gives u to the library once per sample: it acts on the body while time passes, and -u on the wheels. The momentum
// of a wheel is its whole axial momentum, J (W + omega), with its speed W relative to the body.
//
// The check: the angular momentum of body and wheels, in the world frame, changes by the integral of the torque of gravity alone.
// Exit status 0: it does, to 1e-9 N m s, and the attitude is held to 0.1 degrees.
//
//     c++ -std=c++17 satellite.cpp $(pkg-config --cflags --libs quatint)
//     ./a.out satellite.svg        # also draws the first five minutes
#include <cmath>
#include <cstdio>
#include <quatint.hpp>
#include <vector>

using quatint::Quaternion, quatint::Vector;

// kg m^2. Gravity pulls at the whole satellite. What a motor turns against is the satellite without the wheel's own moment about
// its axis: as u is the torque of the motors, the inertia of the body is less by that.
static const Vector whole{120, 100, 80};
static const double wheel = 0.05;
static const Vector moments{whole[0] - wheel, whole[1] - wheel, whole[2] - wheel};
static const quatint::Matrix inertia = quatint::diagonal(moments[0], moments[1], moments[2]);
static const int orbit = 5700;                                   // s
static const double orbital_rate = 2 * std::acos(-1.0) / orbit;
static const double sample = 1;                                  // s, between two commands
static const double bandwidth = 0.03, damping = 0.8;             // of the controller: rad/s, and of critical damping

static Vector cross(const Vector &a, const Vector &b)
{
    return {a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]};
}

static Vector sum(const Vector &a, double factor, const Vector &b)
{
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

static double length(const Vector &a) { return std::sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]); }

static Vector gravity(double time, const Quaternion &q)
{
    const Vector to_earth{std::cos(orbital_rate * time), std::sin(orbital_rate * time), 0};
    Vector torque{};
    quatint::add_gravity_gradient_torque(q, quatint::diagonal(whole[0], whole[1], whole[2]), to_earth, orbital_rate * orbital_rate, torque);
    return torque;
}

// Quaternion feedback: a spring and a damper toward the target, and the gyroscopic torque of body and wheels taken away.
static Vector commanded_torque(const Quaternion &target, const quatint::Body &satellite)
{
    const Quaternion error = quatint::orientation_product(quatint::orientation_inverse(target), satellite.orientation());
    const Vector omega = satellite.angular_velocity_body();
    const double nearer = error[0] < 0 ? -1 : 1;                 // of the two ways round
    Vector momentum = satellite.rotor_momentum(), feedback{};
    for (std::size_t i = 0; i < 3; i++) {
        momentum[i] += moments[i] * omega[i];
        feedback[i] = -2 * bandwidth * moments[i] * (bandwidth * nearer * error[i + 1] + damping * omega[i]);
    }
    return sum(feedback, 1, cross(omega, momentum));
}

struct Sample {
    double time, error; // s, degrees
    Vector wheels;      // N m s
};

// Two panels over time, the attitude error and the momenta of the wheels.
static bool draw(const char *file, const std::vector<Sample> &samples)
{
    std::FILE *svg = std::fopen(file, "w");
    if (svg == nullptr) return false;
    const char *const colours[] = {"#1b6ca8", "#c8553d", "#3a7d44"};
    const auto x = [](double time) { return 70 + 2 * time; };
    const auto curve = [&](const char *colour, double bottom, double per_unit, auto value) {
        std::fprintf(svg, "<polyline fill='none' stroke='%s' stroke-width='1.5' points='", colour);
        for (const Sample &s : samples) std::fprintf(svg, "%.1f,%.2f ", x(s.time), bottom - per_unit * value(s));
        std::fprintf(svg, "'/>\n");
    };
    const auto level = [&](double y, const char *text) {
        std::fprintf(svg, "<path d='M70,%gH670' stroke='#ddd'/><text x='62' y='%g' text-anchor='end'>%s</text>\n", y, y + 4, text);
    };
    std::fprintf(svg, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 720 460' font-family='sans-serif' font-size='12'>\n"
                      "<rect width='720' height='460' fill='white'/>\n"
                      "<text x='70' y='24'>Attitude error, degrees</text><text x='70' y='234'>Wheels, N m s</text>\n");
    level(40, "120"), level(80, "90"), level(120, "60"), level(160, "30"), level(200, "0");
    level(250, "2"), level(290, "1"), level(330, "0"), level(370, "-1"), level(410, "-2");
    for (int time = 0; time <= 300; time += 60)
        std::fprintf(svg, "<text x='%g' y='435' text-anchor='middle'>%d s</text>\n", x(time), time);
    curve("#222", 200, 160 / 120.0, [](const Sample &s) { return s.error; });
    for (std::size_t i = 0; i < 3; i++) {
        curve(colours[i], 330, 40, [i](const Sample &s) { return s.wheels[i]; });
        std::fprintf(svg, "<text x='%zu' y='234' fill='%s'>%c</text>\n", 180 + 20 * i, colours[i], "xyz"[i]);
    }
    std::fprintf(svg, "</svg>\n");
    return std::fclose(svg) == 0;
}

int main(int count, char **arguments)
try {
    const double degree = std::acos(-1.0) / 180;
    const Quaternion target = quatint::orientation_from_axis_angle({1, 2, -1}, 120 * degree);
    quatint::Body satellite(inertia, {1, 0, 0, 0}, {0.002, -0.001, 0.0015}); // tumbles slowly
    satellite.set_rotor_momentum({0.5, -0.3, 0.2});

    satellite.set_torque([](double time, const Quaternion &q, const Vector &) { return gravity(time, q); });

    const Vector initial = satellite.angular_momentum();
    Vector impulse{};                                            // integral of the torque of gravity
    double mismatch = 0, error = 0;
    std::vector<Sample> drawn;
    std::printf("         error            wheels, N m s        momentum change   impulse of gravity\n");
    std::printf("   s    degrees        x        y        z          N m s              N m s\n");
    for (int second = 0;; second++) {
        const Vector change = sum(satellite.angular_momentum(), -1, initial);
        mismatch = std::fmax(mismatch, length(sum(change, -1, impulse)));
        error = quatint::orientation_angle(satellite.orientation(), target) / degree;
        if (second <= 300) drawn.push_back({satellite.time(), error, satellite.rotor_momentum()});
        if ((second <= 300 && second % 30 == 0) || second % 950 == 0) {
            const Vector h = satellite.rotor_momentum();
            std::printf("%4d %10.5f %8.4f %8.4f %8.4f       %.8f         %.8f\n", second, error, h[0], h[1], h[2], length(change),
                        length(impulse));
        }
        if (second == orbit) break;

        const double now = satellite.time();
        satellite.set_rotor_torque(commanded_torque(target, satellite));
        const auto rows = satellite.solve_record({now, now + sample / 2, now + sample}, 1e-10);

        const double simpson[3] = {sample / 6, 4 * sample / 6, sample / 6};
        for (std::size_t i = 0; i < 3; i++) impulse = sum(impulse, simpson[i], gravity(rows[i].time, rows[i].orientation));
    }

    if (count > 1 && !draw(arguments[1], drawn)) return 1;
    const bool conserved = mismatch < 1e-9, held = error < 0.1;
    std::printf("the momentum changes by the impulse of gravity, to 1e-9 N m s: %s\n", conserved ? "yes" : "no");
    return conserved && held ? 0 : 1;
} catch (const quatint::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
