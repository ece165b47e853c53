/**
 * @file quatint.hpp
 * The C++17 interface of quatint: classes around the functions of quatint.h. Errors are exceptions;
 * any callable can be a torque. Header-only.
 *
 * A program:
 *
 *     using namespace quatint;
 *     Body top(diagonal(1, 1, 0.5), orientation_from_axis_angle({1, 0, 0}, 0.3), {0, -6, 19});
 *     const Vector weight{0, 0, -9.81};
 *     top.set_torque([weight](double, const Quaternion &q, const Vector &) -> Vector {
 *         const Vector arm = rotate(q, {0, 0, 1});
 *         return {arm[1] * weight[2], -arm[0] * weight[2], 0};
 *     });
 *     top.advance(1e-3, 5000);
 *
 * quatint.h documents the units, the frames, the reproducibility and every function. All of that
 * applies here. This header documents only what differs.
 *
 * Counts      A count, a seed or an id given as a floating-point number does not compile: such
 *             overloads are deleted.
 * Errors      A negative status is thrown as a quatint::Error, with that status(), the index of the
 *             body() concerned and the text of qi_last_error(). A call that throws has changed
 *             nothing, except that advance(), record() and solve() keep the steps completed before
 *             the failure.
 * Torques     If a torque throws, the step rethrows that exception, and the bodies are as they were
 *             before the step. If several threads step an ensemble, the exception is the one from
 *             the failing body with the lowest index.
 * Events      If an event throws, solve_until() rethrows that exception, and the body is at the
 *             start of the step in which it happened.
 * Inertia     If the function of set_inertia_function() throws, so does the call that moves the
 *             body. A step has then changed nothing.
 * Ownership   A Body or an Ensemble can be moved but not copied. It owns its torque. After a move,
 *             every use of the old object throws an Error with status QI_ERR_NULL; you may still
 *             assign to it or destroy it.
 * Eigen       Where a Body or a Mass takes a Vector, a Quaternion or a Matrix, it takes Eigen's types, too.
 *             A getter returns the type asked for: body.angular_velocity<Eigen::Vector3d>(), and of
 *             all bodies ensemble.angular_velocities<Eigen::Matrix3Xd>(). This header includes
 *             nothing of Eigen.
 * Threads     Several threads may call const members of one object at the same time. All other
 *             members need exclusive access.
 * Callables   A torque is called as an lvalue, on the thread that takes the step. An ensemble with
 *             several threads calls it from several threads at once. A torque or an event must not
 *             use the object it acts on.
 * Memory      A step allocates nothing, but for the first of an ensemble after a change of it.
 *             step_with() allocates its arrays on the first call.
 */
#ifndef QUATINT_HPP
#define QUATINT_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "quatint.hpp needs C++17: compile with -std=c++17 or later, or use quatint.h"
#else

#include "quatint.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

#include "quatint/basics.hpp"
#include "quatint/callbacks.hpp"
#include "quatint/eigen.hpp"
#include "quatint/rotations.hpp"
#include "quatint/mass.hpp"
#include "quatint/torque_sums.hpp"
#include "quatint/body.hpp"
#include "quatint/views.hpp"
#include "quatint/attitude.hpp"
#include "quatint/bound_arrays.hpp"
#include "quatint/ensemble.hpp"

#endif // C++17
#endif
