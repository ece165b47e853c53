// odeint.cpp: the contenders of Boost.odeint for one body.
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

// DRIVEN as in the problem: a constant, for the equations are inlined into the steps.
template <int DRIVEN> static auto right_hand_side(state *s)
{
    return [s](const vector &y, vector &rate, double time) {
        equations_rate_if(DRIVEN, s->e.p->torqued, &s->e, time, y.data(), rate.data());
    };
}

static void run_rk4(void *of)
{
    state *s = static_cast<state *>(of);
    odeint::integrate_n_steps(odeint::runge_kutta4<vector>(), right_hand_side<0>(s), s->y, 0.0, s->e.p->end / s->setting,
                              static_cast<std::size_t>(s->setting));
}

template <int DRIVEN> static void run_controlled(state *s)
{
    const auto stepper = odeint::make_controlled<odeint::runge_kutta_dopri5<vector>>(s->setting, s->setting);
    s->steps = static_cast<double>(odeint::integrate_adaptive(stepper, right_hand_side<DRIVEN>(s), s->y, 0.0,
                                                              s->e.p->end, 1e-3 * s->e.p->end));
}

static void run_dopri5(void *of)
{
    state *s = static_cast<state *>(of);
    s->e.p->driven ? run_controlled<1>(s) : run_controlled<0>(s);
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
         "every stage, body", "drifts", "double", 4, STEPS, 1,
         start, run_rk4, finish},
        {"odeint dopri5", library.c_str(), "Dormand-Prince 5(4), adaptive",
         "every stage, body", "drifts", "double", 5, TOLERANCE, 1,
         start, run_dopri5, finish},
    };
    *count = sizeof all / sizeof *all;
    return all;
}
