// check.hpp: shared by the C++ tests. A test is a function named after what it checks. The first failed check ends the program.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <quatint.hpp>

using namespace quatint;

#define CHECK(...) \
    do { \
        if (!(__VA_ARGS__)) { \
            std::fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #__VA_ARGS__, qi_last_error()); \
            std::exit(1); \
        } \
    } while (0)

// The expression must throw a quatint::Error with this status, and its text must contain `detail`.
#define CHECK_REFUSED(expression, code, detail) \
    do { \
        qi_status got_ = QI_OK; \
        std::string text_ = "nothing was thrown"; \
        try { \
            static_cast<void>(expression); \
        } catch (const Error &error_) { \
            got_ = static_cast<qi_status>(error_.status()); \
            text_ = error_.what(); \
        } \
        if (got_ != (code) || text_.find(detail) == std::string::npos) { \
            std::fprintf(stderr, "%s:%d: %s gave %s: %s\n", __FILE__, __LINE__, #expression, qi_status_name(got_), \
                         text_.c_str()); \
            std::exit(1); \
        } \
    } while (0)

#define RUN(test) \
    do { \
        test(); \
        std::printf("ok %s\n", #test); \
    } while (0)

inline const double NaN = std::nan("");

// The whole state of a body, for bitwise comparison.
struct Snapshot {
    Quaternion orientation;
    Vector omega;
    double time;
};

inline Snapshot take(const Body &body) { return {body.orientation(), body.angular_velocity_body(), body.time()}; }

inline bool same(const Snapshot &a, const Snapshot &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class T>
bool same(const std::vector<T> &a, const std::vector<T> &b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// The moments 3, 5 and 7 about axes that are turned in the body. Nothing in it or its state lies along an axis.
inline const Matrix GENERIC{5.72, 0.768, -0.576, 0.768, 5.0992, -1.5744, -0.576, -1.5744, 4.1808};

inline Body top() { return Body(GENERIC, {0.5, -0.1, 0.7, 0.5}, {0.3, -0.7, 1.1}); }

// The weight of a heavy top. All variants in the tests evaluate the same expressions and so give the same bits.
inline Vector weight(double, const Quaternion &q, const Vector &)
{
    return {-2*(q[2]*q[3] - q[0]*q[1]), 2*(q[1]*q[3] + q[0]*q[2]), 0};
}

inline void write_weight(double, const double *q, const double *, double *torque)
{
    torque[0] = -2*(q[2]*q[3] - q[0]*q[1]);
    torque[1] = 2*(q[1]*q[3] + q[0]*q[2]);
}

// The same as a C function.
extern "C" inline std::int32_t c_weight(double t, const double *q, const double *omega, double *torque, void *)
{
    write_weight(t, q, omega, torque);
    return 0;
}

// The state of a body after a hundred steps.
inline Snapshot after_hundred(Body body)
{
    for (int i = 0; i < 100; i++) body.step(1e-2);
    return take(body);
}

// An exception that is not derived from std::exception.
struct Collision {
    std::size_t body;
    double time;
};

#endif
