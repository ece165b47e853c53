//! One body with error control.

use super::prelude::*;
use super::torque::{BodyTorque, with_torque};
use crate::solve::{EndTime, Goal, Monitor, Rows, Solution};
use crate::{Record, body::record_of, kernel::State, simd::clear_upper_halves};

/// Event function of qi_solve_until(): an event is where its value becomes zero or changes its
/// sign. The function is called at many times within each step, which are not in order, on the
/// thread that solves.
/// @return the value; if it is NaN or infinite, the solution ends with QI_ERR_NON_FINITE
pub type qi_event_fn = Option<
    unsafe extern "C" fn(
        time: f64,
        orientation: *const f64,
        angular_velocity: *const f64,
        user_data: *mut c_void,
    ) -> f64,
>;

/// Advance the body to a time, in steps whose lengths follow from a tolerance. The body's clock
/// then shows `end_time`.
///
/// The steps do not depend on qi_set_method(): they are those of a Runge-Kutta method of order 8
/// (DOP853, for the quaternion and the angular velocity in the body frame), with 12 torque
/// evaluations each. A drag set by qi_set_drag() is part of the torque. If it is stiff, the steps
/// are small, unless qi_set_solve_method() has chosen QI_SOLVE_STIFF. With QI_SOLVE_SPLITTING,
/// torques of orientation and time take fewer evaluations. A body without torque and drag takes one
/// step, which is exact.
///
/// Unlike a failed qi_step(), a failed call leaves the body where its last accepted step ended, and
/// the clock shows the time of that state. A NULL pointer, or an argument that is out of range,
/// changes nothing.
///
/// ```c
/// uint64_t evaluations;
/// status = qi_solve(body, 10.0, 1e-9, &evaluations);
/// ```
///
/// @param end_time     the time to reach, before or after that of the body
/// @param tolerance    local error of a step, from 1e-15 to 0.1: in radians of orientation, and
///                     relative to the greatest angular velocity since the start (where the inertia
///                     changes, to the greatest angular momentum). The errors of the steps add up.
///                     For a body that hardly moves, the allowed error of the angular velocity is
///                     that which turns it by this angle until `end_time`
/// @param evaluations  receives the number of torque evaluations, also on failure; NULL: not wanted
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (tolerance), QI_ERR_CALLBACK, QI_ERR_STEP
///         (no step is short enough, because the torque or the motion is singular; or the limit of
///         qi_set_solve_most_evaluations() is reached)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_solve(
    body: *mut qi_body,
    end_time: f64,
    tolerance: f64,
    evaluations: *mut u64,
) -> qi_status {
    counted(
        "qi_solve",
        body,
        evaluations,
        "evaluations",
        |TorquedBody { body, torque }, evaluations| {
            let outcome = with_torque!(torque, torque => body.solve(end_time, tolerance, torque));
            *evaluations = body.solve_statistics().evaluations;
            outcome?;
            Ok(())
        },
    )
}

/// As qi_solve() to the last of several times, with a row for each of them, which is as exact as
/// the steps.
///
/// A row has the form of those of qi_record(). The rows come from dense output of order 7. It takes
/// five more torque evaluations in a step that contains any of the times. Where it would not follow
/// the motion, as under a drag that decides the length of the steps, or of a body at rest on a
/// stiff spring, the step is computed once more in shorter ones: 17 more for each, at least 68. The
/// steps do not depend on the times. The body ends at the last time, with the bits of qi_solve().
/// If the call fails, the rows before the failure remain.
///
/// ```c
/// const double times[3] = {1, 2, 5};
/// double rows[3][8];
/// status = qi_solve_record(body, times, 3, 1e-9, rows[0], NULL);
/// ```
///
/// @param times    `count` times that ascend from that of the body, which may be the first, or
///                 descend from it. They must not overlap `records`
/// @param count    number of times; 0: the body stays, whatever acts on it, and `times` and
///                 `records` may be NULL
/// @param records  receives `count` rows
/// @param written  receives the number of rows written, also on failure; NULL: not wanted
/// @return as qi_solve(), or QI_ERR_INVALID (times)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_solve_record(
    body: *mut qi_body,
    times: *const f64,
    count: usize,
    tolerance: f64,
    records: *mut f64,
    written: *mut usize,
) -> qi_status {
    counted(
        "qi_solve_record",
        body,
        written,
        "written",
        |body, written| {
            if count > 0 {
                arg!(usable(times));
                arg!(usable(records));
            }
            write_rows(body, times, count, tolerance, records, None, written)
        },
    )
}

/// Monitor of qi_solve_monitored(). It is called on the thread that solves, between steps, with the
/// time and the state at the end of the step before. It must not use the body.
/// @param orientation       4 doubles (w, x, y, z), body to world
/// @param angular_velocity  3 doubles, world frame, rad/s
/// @param user_data         from qi_solve_monitored()
/// @return 0; any other value ends the solution with QI_ERR_CALLBACK
pub type qi_monitor_fn = Option<
    unsafe extern "C" fn(
        time: f64,
        orientation: *const f64,
        angular_velocity: *const f64,
        user_data: *mut c_void,
    ) -> i32,
>;

/// As qi_solve_record(), and call a function after the steps that the solution takes: to show how
/// far a long solution is, to keep the states at the integrator's own steps, or to end it, as after
/// Ctrl-C or a limit of time.
///
/// The steps and all bits are those of qi_solve() to the last of the times. The rows of a step are
/// written before the monitor is called. If the monitor ends the solution, the body stays where the
/// step has ended, and another call goes on from there; the steps are then those of a solution that
/// starts there. A body without torque and drag takes one step.
///
/// @param times      as in qi_solve_record()
/// @param count      number of times; 0: the body stays
/// @param tolerance  as in qi_solve()
/// @param records    as in qi_solve_record(); NULL: no rows are wanted, and only the last time
///                   counts
/// @param written    receives the number of rows written, also on failure; NULL: not wanted
/// @param every      call the monitor, if there is one, after every so many steps, at least 1. A
///                   call takes as long as a fifth of a step under a ready-made torque
/// @param monitor    the function; NULL: none
/// @param user_data  passed to the function
/// @return as qi_solve_record(), or QI_ERR_CALLBACK (the monitor)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_solve_monitored(
    body: *mut qi_body,
    times: *const f64,
    count: usize,
    tolerance: f64,
    records: *mut f64,
    written: *mut usize,
    every: u64,
    monitor: qi_monitor_fn,
    user_data: *mut c_void,
) -> qi_status {
    counted(
        "qi_solve_monitored",
        body,
        written,
        "written",
        |body, written| {
            if count > 0 {
                arg!(usable(times));
                if !records.is_null() {
                    arg!(usable(records));
                }
            }
            let mut asked = monitor.map(|function| {
                move |time: f64, state: &State<f64>| ask(function, time, state, user_data)
            });
            let monitor = asked.as_mut().map(|function| Monitor { every, function });
            if count == 0 || !records.is_null() {
                return write_rows(body, times, count, tolerance, records, monitor, written);
            }
            // SAFETY: usable, so valid for `count` times.
            let time = unsafe { times.add(count - 1).read() };
            let solution = Solution {
                goal: Goal::End(EndTime::at("times", time)),
                tolerance,
                monitor,
            };
            let TorquedBody { body, torque } = body;
            with_torque!(torque, torque => body.run(solution, torque))?;
            Ok(())
        },
    )
}

/// Goes to the last of the times, with a row for each; counts the rows in `written`. The pointers
/// are usable, or `count` is 0.
unsafe fn write_rows(
    TorquedBody { body, torque }: &mut TorquedBody,
    times: *const f64,
    count: usize,
    tolerance: f64,
    records: *mut f64,
    monitor: Option<Monitor>,
    written: &mut usize,
) -> Result<(), Fault> {
    check(
        count <= isize::MAX as usize / size_of::<Record>(),
        "count",
        "must be less than what memory holds",
    )?;
    // No slices: the torque callback, or the caller by mistake, may change the arrays.
    // SAFETY: usable, so valid for `count` times; asked for `i < count` only.
    let time = |i: usize| unsafe { times.add(i).read() };
    // SAFETY: usable, so valid for `count` rows; asked for `i < count` only.
    let mut put = |i: usize, time: f64, state: &State<f64>| unsafe {
        let row = record_of(time, state);
        records.cast::<Record>().add(i).write(row)
    };
    let goal = Goal::Rows(Rows {
        now: body.time(),
        count,
        written,
        time: &time,
        put: &mut put,
    });
    let solution = Solution {
        goal,
        tolerance,
        monitor,
    };
    with_torque!(torque, torque => body.run(solution, torque))?;
    Ok(())
}

/// Calls the caller's monitor.
fn ask(
    monitor: unsafe extern "C" fn(f64, *const f64, *const f64, *mut c_void) -> i32,
    time: f64,
    state: &State<f64>,
    user_data: *mut c_void,
) -> Result<(), Error> {
    let omega_world = state.q.to_world(state.omega_body).0;
    // SAFETY: the caller's function, called as the header says; the arrays live until it returns.
    let result = unsafe { monitor(time, state.q.0.as_ptr(), omega_world.as_ptr(), user_data) };
    clear_upper_halves::<true>();
    if result == 0 {
        Ok(())
    } else {
        Err(Error::Monitor { result, time })
    }
}

/// As qi_solve(), but stop at an event, if there is one before `end_time`.
///
/// An event is where the event function, coming from values of one sign, becomes 0 or changes to
/// the other sign; a stretch of zeros is one event, at its beginning, and to leave 0 is none. This
/// holds for smooth functions as for flags, clamped depths, slack springs and other functions that
/// jump or stay at 0. Where calls end does not matter: the next call finds the next event, and each
/// is found once, also by calls that go on in slices of time; only where calls end less than some
/// 1e-13 of the time from it, the next ones may find it again, in either direction. The time that
/// the function is given is rounded, so a function of time and state together must pass 0 by what
/// the time changes it in some 30 ulp, and at a thirtieth of the rate of this change at least; so
/// must one of the angular velocity under an inertia function. What passes 0 and turns back must go
/// 1e-12 of the function's size beyond 0, and so must what leaves 0 after an event and comes back:
/// end a loop of bounces before. Where the function only touches 0, between values of one sign,
/// there is none, unless the call ends there.
///
/// The body stops where the function is 0 or has just changed its sign, within some units in the
/// last place of the clock. That is a time of the computed motion, which has the error of the
/// solution: see `tolerance`, and for a body without torque qi_drift(). A value counts as zero if
/// rounding of the state cannot tell it from 0; to find out, the function is called at states that
/// are some 16 ulp apart. It is called at times within the call alone, and so are torque and
/// inertia.
///
/// Every step is searched in 16 to 256 parts, until cubics through the values of the function
/// predict the values between them to 2 % of their range. Where the function comes near zero and
/// turns back, its extremum is searched too, so that a crossing there and back is found. Features
/// of the function that are shorter than a part may be missed: see qi_set_solve_longest_step(). One
/// is a short stretch of zeros, such as that of a depth that is clamped at 0; of the same depth
/// without the clamp the crossings are found. A body without torque is searched in stretches of a
/// radian at most, and a thousandth of the call.
///
/// ```c
/// static double height(double time, const double *q, const double *omega, void *data)
/// {
///     double axis[3];
///     const double z[3] = {0, 0, 1};
///     (void)time, (void)omega, (void)data;
///     return qi_rotate(q, z, axis) == QI_OK ? axis[2] : NAN;
/// }
///
/// status = qi_solve_until(body, 10.0, 1e-9, height, QI_FALLING, NULL);
/// if (status == QI_EVENT) puts("the axis has passed through the horizontal plane");
/// ```
///
/// @param event      the event function
/// @param direction  QI_RISING: events that come from negative values; QI_FALLING: those that come
///                   from positive values; QI_ANY_CROSSING: both. They count in the direction of
///                   the solution, which runs backwards if `end_time` lies before the body's time
/// @return QI_EVENT (positive, not an error) with the body at the event, QI_OK with the body at
///         `end_time`, or an error as qi_solve(). If the event function is not finite
///         (QI_ERR_NON_FINITE), the body is at the start of the step in which this happened
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_solve_until(
    body: *mut qi_body,
    end_time: f64,
    tolerance: f64,
    event: qi_event_fn,
    direction: i32,
    user_data: *mut c_void,
) -> qi_status {
    boundary_of_status("qi_solve_until", || {
        let (_busy, TorquedBody { body, torque }) = exclusive(body)?;
        let Some(event) = event else {
            return Err(Fault::Pointer("event", &PointerProblem::NULL));
        };
        let crossing = crossing_of(direction)?;
        let mut value = |time: f64, state: &State<f64>| {
            let omega_world = state.q.to_world(state.omega_body).0;
            // SAFETY: the caller's function, called as the header says; the arrays live until it
            // returns.
            let value = unsafe { event(time, state.q.0.as_ptr(), omega_world.as_ptr(), user_data) };
            clear_upper_halves::<true>();
            value
        };
        let goal = Goal::Event {
            end: EndTime::at("end_time", end_time),
            function: &mut value,
            crossing,
        };
        let solution = Solution {
            goal,
            tolerance,
            monitor: None,
        };
        let found = with_torque!(torque, torque => body.run(solution, torque))?;
        match found {
            Some(_) => Ok(QI_EVENT),
            None => Ok(QI_OK),
        }
    })
}

/// Set the longest step of solutions of this body, by qi_solve() and so on. A torque that acts for
/// a short time, such as the pulse of a thruster, is not seen if it falls between two evaluations;
/// so let no step be longer than the pulse. Events are searched in steps of at most this length
/// too, each in 16 parts or more. qi_solve() of a body without torque still takes one exact step.
/// @param longest  length of time, not negative, for both directions; 0 (the default): any length
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_solve_longest_step(body: *mut qi_body, longest: f64) -> qi_status {
    change("qi_set_solve_longest_step", body, |b| {
        Ok(b.body.set_solve_longest_step(longest)?)
    })
}

/// Limit the number of evaluations in a solution of this body, by qi_solve() and so on. A call that
/// needs more returns QI_ERR_STEP, with the body where its last accepted step ended; another call
/// goes on from there, if the limit is above the cost of a step. Some solutions do not end in any
/// useful time: those with stiff or growing torques, with the dry friction of a body that sticks,
/// or with events of a thin rod that spins fast.
/// @param most  number of torque evaluations; in qi_solve_until() of a body without torque, of
///              evaluations of the event function. 0 (the default): no limit
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_solve_most_evaluations(body: *mut qi_body, most: u64) -> qi_status {
    change("qi_set_solve_most_evaluations", body, |b| {
        b.body.set_solve_most_evaluations(most);
        Ok(())
    })
}

/// Choose the steps of solutions of this body, by qi_solve() and so on. A torque is stiff if it
/// changes much faster than the body moves. Under such a torque, the steps of QI_SOLVE_NONSTIFF are
/// short although the motion is smooth; if qi_set_solve_most_evaluations() ends the solution,
/// qi_last_error() says that the torque looks stiff.
///
/// The steps of QI_SOLVE_STIFF have order 4 and take 13 torque evaluations each, from which the
/// derivatives of the torque are computed by differences. Rows and events within such a step are of
/// order 3. Where nothing is stiff, QI_SOLVE_STIFF takes the steps of QI_SOLVE_NONSTIFF, with a few
/// more torque evaluations. Tolerance and limits have the same meaning.
///
/// QI_SOLVE_SPLITTING is for torques of orientation and time that are costly, as those of callbacks
/// in Python, Julia or MATLAB and those from a field; where a torque takes some nanoseconds,
/// QI_SOLVE_NONSTIFF takes less time. It takes rotors, their motors and a drag of qi_set_drag()
/// that is not stiff. Rows and events come from a polynomial through each step that has any; it
/// takes four more evaluations or, where it would not follow the motion, some shorter steps.
/// Solutions with it return QI_ERR_INVALID with qi_set_inertia_function() and under a ready-made
/// torque that depends on the angular velocity, and QI_ERR_NON_FINITE under a callback that reads it.
/// @param method  QI_SOLVE_NONSTIFF, the default, QI_SOLVE_STIFF or QI_SOLVE_SPLITTING
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_solve_method(body: *mut qi_body, method: i32) -> qi_status {
    change("qi_set_solve_method", body, |b| {
        b.body.set_solve_method(solve_method_of(method)?);
        Ok(())
    })
}

/// Get the cost of the last solution of this body, by qi_solve() and so on, also if it failed. All
/// numbers are 0 before the first call.
/// @param evaluations  receives the number of torque evaluations; NULL: not wanted
/// @param accepted     receives the number of steps taken; NULL: not wanted
/// @param rejected     receives the number of steps tried and not taken, because their error was
///                     too large; NULL: not wanted
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_solve_statistics(
    body: *const qi_body,
    evaluations: *mut u64,
    accepted: *mut u64,
    rejected: *mut u64,
) -> qi_status {
    read("qi_get_solve_statistics", body, |b| {
        let evaluations = optional!(output(evaluations));
        let accepted = optional!(output(accepted));
        let rejected = optional!(output(rejected));
        let cost = b.body.solve_statistics();
        if let Some(place) = evaluations {
            place.put(cost.evaluations);
        }
        if let Some(place) = accepted {
            place.put(cost.accepted);
        }
        if let Some(place) = rejected {
            place.put(cost.rejected);
        }
        Ok(())
    })
}
