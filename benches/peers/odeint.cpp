// odeint.cpp: the contenders of Boost.odeint.
#include "equations.h"
#include <array>
#include <boost/numeric/odeint.hpp>
#include <boost/version.hpp>
#include <string>

namespace odeint = boost::numeric::odeint;
using vector = std::array<double, EQUATIONS>;

struct state {
    equations e;
    vector y;
    double setting, steps;
};

static void *start(const problem *p, double setting)
{
    state *s = new state{{p, 0}, {}, setting, setting};
    equations_start(p, s->y.data());
    return s;
}

static auto right_hand_side(state *s)
{
    return [s](const vector &y, vector &rate, double) { equations_rate(&s->e, y.data(), rate.data()); };
}

static void run_rk4(void *of)
{
    state *s = static_cast<state *>(of);
    odeint::integrate_n_steps(odeint::runge_kutta4<vector>(), right_hand_side(s), s->y, 0.0, s->e.p->end / s->setting,
                              static_cast<std::size_t>(s->setting));
}

static void run_dopri5(void *of)
{
    state *s = static_cast<state *>(of);
    const auto stepper = odeint::make_controlled<odeint::runge_kutta_dopri5<vector>>(s->setting, s->setting);
    s->steps = static_cast<double>(
        odeint::integrate_adaptive(stepper, right_hand_side(s), s->y, 0.0, s->e.p->end, 1e-3 * s->e.p->end));
}

// Many bodies in lots of 64, so that the compiler can vectorise the loops: component c of body i of a lot is y[c*LOT + i].
enum { LOT = 64, LOTS = 64 };
using lot = std::array<double, EQUATIONS * LOT>;

struct lots {
    const problem *p;
    int steps;
    std::array<lot, LOTS> y;
};

static void *start_lots(const problem *p, double steps)
{
    lots *s = new lots{p, static_cast<int>(steps), {}};
    double y[EQUATIONS];
    equations_start(p, y);
    for (lot &l : s->y)
        for (int c = 0; c < EQUATIONS; c++)
            for (int i = 0; i < LOT; i++) l[c*LOT + i] = y[c];
    return s;
}

static void run_lots(void *of)
{
    lots *s = static_cast<lots *>(of);
    const double h = s->p->end / s->steps;
    odeint::runge_kutta4<lot> stepper;
    const auto rate = [p = *s->p](const lot &y, lot &out, double) {
        for (int i = 0; i < LOT; i++) {
            equations e = {&p, 0};
            double one[EQUATIONS], its[EQUATIONS];
            for (int c = 0; c < EQUATIONS; c++) one[c] = y[c*LOT + i];
            equations_rate(&e, one, its);
            for (int c = 0; c < EQUATIONS; c++) out[c*LOT + i] = its[c];
        }
    };
    for (int n = 0; n < s->steps; n++)
        for (lot &l : s->y) stepper.do_step(rate, l, n * h, h);
}

static void finish_lots(void *of, outcome *result)
{
    lots *s = static_cast<lots *>(of);
    double y[EQUATIONS];
    for (int c = 0; c < EQUATIONS; c++) y[c] = s->y.back()[c*LOT + LOT - 1];
    equations_finish(y, result);
    result->steps = s->steps;
    result->evaluations = 4.0 * s->steps;
    delete s;
}

static void finish(void *of, outcome *result)
{
    state *s = static_cast<state *>(of);
    equations_finish(s->y.data(), result);
    result->steps = s->steps;
    result->evaluations = s->e.evaluations;
    delete s;
}

const peer *peers(int *count)
{
    static std::string library = "Boost " BOOST_LIB_VERSION;
    for (char &c : library)
        if (c == '_') c = '.';
    static const peer all[] = {
        {"odeint rk4", library.c_str(), "Runge-Kutta 4",
         "every stage, body", "drifts", "double", 4, 0, 1,
         start, run_rk4, finish},
        {"odeint rk4, 4096 bodies", library.c_str(),
         "Runge-Kutta 4, 64 bodies at a time, vectorised by the compiler, one thread",
         "every stage, body", "drifts", "double", 4, 0, LOT * LOTS,
         start_lots, run_lots, finish_lots},
        {"odeint dopri5", library.c_str(), "Dormand-Prince 5(4), adaptive",
         "every stage, body", "drifts", "double", 5, 1, 1,
         start, run_dopri5, finish},
    };
    *count = sizeof all / sizeof *all;
    return all;
}
