// odeint_many.cpp: the contender Boost.odeint with many bodies, in lots, so that the compiler can vectorise the loops.
//
// peers.mk lets it use registers of 512 bits, which slow down the programs for one body.
#include "equations.h"
#include <array>
#include <boost/numeric/odeint.hpp>
#include <boost/version.hpp>
#include <string>

namespace odeint = boost::numeric::odeint;

// Component c of body i of a lot is y[c*LOT + i]. Of lots of 8, 16, 32, 64 and 128 bodies, these are the fastest.
#ifdef __AVX512F__
enum { LOT = 16, LOTS = 4096 / LOT };
#define AT_A_TIME "16"
#else
enum { LOT = 8, LOTS = 4096 / LOT };
#define AT_A_TIME "8"
#endif
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

/* TORQUED: as in the problem */
template <int TORQUED> static void advance_lots(lots *s)
{
    const double h = s->p->end / s->steps;
    odeint::runge_kutta4<lot> stepper;
    const auto rate = [p = *s->p](const lot &y, lot &out, double time) {
        for (int i = 0; i < LOT; i++) {
            equations e = {&p, 0};
            double one[EQUATIONS], its[EQUATIONS];
            for (int c = 0; c < EQUATIONS; c++) one[c] = y[c*LOT + i];
            equations_rate_if(0, TORQUED, &e, time, one, its);
            for (int c = 0; c < EQUATIONS; c++) out[c*LOT + i] = its[c];
        }
    };
    for (int n = 0; n < s->steps; n++)
        for (lot &l : s->y) stepper.do_step(rate, l, n * h, h);
}

static void run_lots(void *of)
{
    lots *s = static_cast<lots *>(of);
    if (s->p->torqued)
        advance_lots<1>(s);
    else
        advance_lots<0>(s);
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

const peer *peers(int *count)
{
    static std::string library = "Boost " BOOST_LIB_VERSION;
    for (char &c : library)
        if (c == '_') c = '.';
    static const peer all[] = {
        {"odeint rk4, 4096 bodies", library.c_str(),
         "Runge-Kutta 4, " AT_A_TIME " bodies at a time, vectorised by the compiler, one thread",
         "every stage, body", "drifts", "double", 4, STEPS, LOT * LOTS,
         start_lots, run_lots, finish_lots},
    };
    *count = sizeof all / sizeof *all;
    return all;
}
