/* quatint_mex.c: the C library as one MEX function, for MATLAB and Octave. Users call it through the package +quatint.
 *
 *     [...] = quatint_mex(command, ...)
 *
 * The commands are in the table below. M code refers to a body or an ensemble by a number that is looked up in objects.c,
 * never by a pointer; an outdated or invented number raises an error. The library never calls the interpreter. M code evaluates a
 * torque that is an M function between 'begin' and 'supply': for an ensemble by the stage protocol, for a body see body.c. No
 * frame of the library is on the stack then, so an error or Ctrl-C in the torque unwinds M code only.
 *
 * A command is a function of the file that treats its subject, declared in quatint_mex.h, and a row here. Those that only pass
 * numbers on share a function, to which the row says which function of the library. A command may have a row for bodies and
 * another for ensembles.
 */
#include "quatint_mex.h"

#define ROTATION .run = rotations
#define ORIENTATION {"orientation", 4}

static const command COMMANDS[] = {
    {"supply", supply, 1, EITHER, .always = true},
    {"supply_in_place", supply_in_place, 3, EITHER, .always = true},
    {"advance", advance, 3, EITHER},
    {"begin", begin, 2, EITHER},
    {"begin_to_ask", begin_to_ask, 0, EITHER},
    {"cancel", cancel, 1},
    {"kick", kick, 3, EITHER},
    {"kick_drift", kick_drift, 5, ENSEMBLE},
    {"write_one", write_one, 1},
    // ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml: do not edit
    {"get_time", get_of_body, 0, BODY, .always = true, .width = 1, .body.get = qi_get_time},
    {"set_time", set_number_of_body, 1, BODY, .body.set_number = qi_set_time, .in = {{"time", 1}}},
    {"get_clock", get_of_body, 0, BODY, .always = true, .width = 2, .body.get = qi_get_clock},
    {"set_clock", set_numbers_of_body, 1, BODY, .body.set_numbers = qi_set_clock, .in = {{"clock", 2}}},
    {"get_angular_momentum", get_of_body, 0, BODY, .always = true, .width = 3, .body.get = qi_get_angular_momentum},
    {"set_angular_momentum", set_numbers_of_body, 1, BODY, .body.set_numbers = qi_set_angular_momentum,
     .in = {{"angularMomentum", 3}}},
    {"get_kinetic_energy", get_of_body, 0, BODY, .always = true, .width = 1, .body.get = qi_get_kinetic_energy},
    {"thermalize", set_number_of_body, 1, BODY, .body.set_number = qi_thermalize, .in = {{"duration", 1}}},
    {"get_noise_draws", get_whole_of_body, 0, BODY, .always = true, .body.whole = qi_get_noise},
    {"set_noise_draws", set_whole_of_body, 1, BODY, .body.set_whole = qi_set_noise, .in = {{"noiseDraws", 1}}},
    {"get_rotor_momentum", get_of_body, 0, BODY, .always = true, .width = 3, .body.get = qi_get_rotor_momentum},
    {"set_rotor_momentum", set_numbers_of_body, 1, BODY, .body.set_numbers = qi_set_rotor_momentum, .may_be_nothing = true,
     .in = {{"rotorMomentum", 3}}},
    {"get_rotor_torque", get_of_body, 0, BODY, .always = true, .width = 3, .body.get = qi_get_rotor_torque},
    {"set_rotor_torque", set_numbers_of_body, 1, BODY, .body.set_numbers = qi_set_rotor_torque, .may_be_nothing = true,
     .in = {{"rotorTorque", 3}}},
    {"drift", set_number_of_body, 1, BODY, .body.set_number = qi_drift, .in = {{"duration", 1}}},
    {"forget_torque", do_with_body, 0, BODY, .body.do_it = qi_forget_torque},
    {"get_acting_torque", ask_of_body, 0, BODY, .body.ask = qi_get_torque},
    {"get_angular_acceleration", ask_of_body, 0, BODY, .body.ask = qi_get_angular_acceleration},
    {"get_time", get_totals, 0, ENSEMBLE, .width = 1, .total = qi_get_ensemble_time},
    {"set_time", set_number, 1, ENSEMBLE, .set_number = qi_set_ensemble_time, .in = {{"time", 1}}},
    {"get_clock", get_totals, 0, ENSEMBLE, .width = 2, .total = qi_get_ensemble_clock},
    {"set_clock", set_numbers, 1, ENSEMBLE, .set_numbers = qi_set_ensemble_clock, .in = {{"clock", 2}}},
    {"get_orientation", get_rows, 0, ENSEMBLE, .width = 4, .get = qi_get_orientations},
    {"set_orientation", set_rows, 1, ENSEMBLE, .width = 4, .set = qi_set_orientations, .in = {{"orientation", 4}}},
    {"get_angular_velocity", get_rows, 0, ENSEMBLE, .width = 3, .get = qi_get_angular_velocities},
    {"set_angular_velocity", set_rows, 1, ENSEMBLE, .width = 3, .set = qi_set_angular_velocities,
     .in = {{"angularVelocity", 3}}},
    {"get_angular_momentum", get_rows, 0, ENSEMBLE, .width = 3, .get = qi_get_angular_momenta},
    {"set_angular_momentum", set_rows, 1, ENSEMBLE, .width = 3, .set = qi_set_angular_momenta, .in = {{"angularMomentum", 3}}},
    {"get_kinetic_energy", get_list, 0, ENSEMBLE, .list = qi_get_kinetic_energies},
    {"get_total_kinetic_energy", get_totals, 0, ENSEMBLE, .width = 1, .total = qi_get_total_kinetic_energy},
    {"get_total_angular_momentum", get_totals, 0, ENSEMBLE, .width = 3, .total = qi_get_total_angular_momentum},
    {"scale_angular_momenta", set_number, 1, ENSEMBLE, .set_number = qi_scale_angular_momenta, .in = {{"factor", 1}}},
    {"thermalize", set_number, 1, ENSEMBLE, .set_number = qi_thermalize_ensemble, .in = {{"duration", 1}}},
    {"get_noise_draws", get_whole, 0, ENSEMBLE, .whole = qi_get_ensemble_noise},
    {"set_noise_draws", set_whole, 1, ENSEMBLE, .set_whole = qi_set_ensemble_noise, .in = {{"noiseDraws", 1}}},
    {"drift", set_number, 1, ENSEMBLE, .set_number = qi_drift_ensemble, .in = {{"duration", 1}}},
    {"forget_torque", do_it, 0, ENSEMBLE, .do_it = qi_forget_ensemble_torques},
    // ---- end of what `make bindings` writes
    {"get_orientation", get_of_body, 0, BODY, .always = true, .width = 4, .body.get = qi_get_orientation},
    {"set_orientation", set_numbers_of_body, 1, BODY, .body.set_numbers = set_orientation_of_body, .in = {{"orientation", 4}}},
    {"get_angular_velocity", get_of_body, 0, BODY, .always = true, .width = 3, .body.get = qi_get_angular_velocity},
    {"set_angular_velocity", set_numbers_of_body, 1, BODY, .body.set_numbers = set_velocity_of_body, .in = {{"angularVelocity", 3}}},
    {"get_angular_velocity_body", get_of_body, 0, BODY, .always = true, .width = 3, .body.get = qi_get_angular_velocity_body},
    {"set_angular_velocity_body", set_numbers_of_body, 1, BODY, .body.set_numbers = set_velocity_body_of_body,
     .in = {{"angularVelocityBody", 3}}},
    {"solve", solve, 3, BODY},
    {"solved_rows", solved_rows, 0, BODY},
    {"solve_until", solve_until, 3, BODY},
    {"solved_event", solved_event, 0, BODY},
    {"solve_statistics", solve_statistics, 0, BODY},
    {"set_longest_step", set_longest_step, 1, BODY},
    {"set_most_evaluations", set_most_evaluations, 1, BODY},
    {"set_solve_method", set_solve_method, 1, BODY},
    {"set_inertia", set_inertia, 2, BODY},
    {"set_inertia_function", set_inertia_function, 0, BODY},
    {"end_inertia_function", end_inertia_function, 0, BODY},
    {"set_inertia", set_inertias, 1, ENSEMBLE},
    {"set_rotor_momentum", set_rotors, 1, ENSEMBLE},
    {"get_rotor_momentum", get_rotors, 0, ENSEMBLE},
    {"get_angular_velocity_body", get_rows, 0, ENSEMBLE, .width = 3, .get = get_omega_body},
    {"set_angular_velocity_body", set_rows, 1, ENSEMBLE, .width = 3, .set = set_omega_body, .in = {{"angularVelocityBody", 3}}},
    {"row_size", row_size, 1, EITHER, .always = true},
    {"get_body_rows", get_body_rows, 2, EITHER, .always = true},
    {"set_body_rows", set_body_rows, 3, EITHER},
    {"resize", resize, 1, ENSEMBLE},
    {"select_bodies", select_bodies, 1, ENSEMBLE},
    {"set_principal_inertias", set_rows, 1, ENSEMBLE, .width = 3, .set = qi_set_principal_inertias,
     .in = {{"moments", 3}}},
    {"get_kinetic_energy_sums", energy_sums, 0, ENSEMBLE},
    {"get_angular_momentum_sums", momentum_sums, 0, ENSEMBLE},
    {"add_to_sums", add_to_sums, 2},
    {"values_of_sums", values_of_sums, 1},
    {"lock_axes", lock_axes, 1, EITHER},
    {"set_threads", set_threads, 1, ENSEMBLE},
    {"set_active", set_active, 1, ENSEMBLE},
    {"set_method", set_method, 1, EITHER},
    {"get_method", get_method, 0, EITHER, .always = true},
    {"no_torque", no_torque, 0, EITHER},
    {"function_torque", function_torque, 0, EITHER},
    {"constant_torque", constant_torque, 2, EITHER},
    {"uniform_field", uniform_field, 2, EITHER},
    {"gravity_gradient", gravity_gradient, 2, EITHER},
    {"linear_drag", linear_drag, 1, EITHER},
    {"shear_flow", shear_flow, 3, EITHER},
    {"set_drag", set_drag, 2, EITHER},
    {"set_flow_gradients", set_flow_gradients, 1, ENSEMBLE},
    {"set_points", set_points, 2, ENSEMBLE},
    {"point_count", point_count, 0, ENSEMBLE},
    {"point_positions", point_positions, 1, ENSEMBLE},
    {"point_velocities", point_velocities, 2, ENSEMBLE},
    {"sum_point_forces", sum_point_forces, 1, ENSEMBLE},
    {"set_langevin", set_langevin, 5, EITHER},
    {"set_ids", set_ids, 1, ENSEMBLE},
    {"get_ids", get_ids, 0, ENSEMBLE},
    {"get_degrees", get_degrees, 0, ENSEMBLE},
    {"create", create, 1},
    {"create_body", create_body, 1},
    {"destroy", destroy, 1},
    {"alive", count_alive, 0},
    {"version", version, 0},
    {"rotate", ROTATION, 2, .convert = rotate, .in = {ORIENTATION, {"vectorBody", 3}}, .out = {3}},
    {"rotate_inverse", ROTATION, 2, .convert = rotate_inverse, .in = {ORIENTATION, {"vectorWorld", 3}}, .out = {3}},
    {"body_torque", ROTATION, 2, .convert = body_torque, .in = {ORIENTATION, {"torqueBody", 3}}, .out = {3}},
    {"uniform_field_torque", ROTATION, 3, .convert = uniform_field_torque,
     .in = {ORIENTATION, {"vectorBody", 3}, {"fieldWorld", 3}}, .out = {3}},
    {"gravity_gradient_torque", ROTATION, 4, .convert = gravity_gradient_torque,
     .in = {ORIENTATION, {"inertia", 9}, {"directionWorld", 3}, {"gradient", 1}}, .out = {3}},
    {"linear_drag_torque", ROTATION, 4, .convert = linear_drag_torque,
     .in = {ORIENTATION, {"angularVelocity", 3}, {"coefficients", 3}, {"flow", 3}}, .out = {3}},
    {"shear_flow_resistances", ROTATION, 2, .convert = shear_flow_resistances,
     .in = {{"semiAxes", 3}, {"viscosity", 1}}, .out = {6}},
    {"shear_flow_torque", ROTATION, 4, .convert = shear_flow_torque,
     .in = {ORIENTATION, {"angularVelocity", 3}, {"resistances", 6}, {"velocityGradient", 9}}, .out = {3}},
    {"from_axis_angle", ROTATION, 2, .convert = from_axis_angle, .in = {{"axis", 3}, {"angle", 1}}, .out = {4}},
    {"to_axis_angle", ROTATION, 1, .convert = to_axis_angle, .in = {ORIENTATION}, .out = {3, 1}},
    {"from_rotation_vector", ROTATION, 1, .convert = from_rotation_vector, .in = {{"rotationVector", 3}}, .out = {4}},
    {"to_rotation_vector", ROTATION, 1, .convert = to_rotation_vector, .in = {ORIENTATION}, .out = {3}},
    {"from_matrix", ROTATION, 1, .convert = from_matrix, .in = {{"matrix", 9}}, .out = {4}},
    {"to_matrix", ROTATION, 1, .convert = to_matrix, .in = {ORIENTATION}, .out = {9}},
    {"from_euler", ROTATION, 2, .convert = from_euler, .in = {{"angles", 3}}, .out = {4}, .sequence = true},
    {"to_euler", ROTATION, 2, .convert = to_euler, .in = {ORIENTATION}, .out = {3}, .sequence = true},
    {"from_euler_rates", ROTATION, 3, .convert = from_euler_rates, .in = {{"angles", 3}, {"rates", 3}}, .out = {3}, .sequence = true},
    {"to_euler_rates", ROTATION, 3, .convert = to_euler_rates, .in = {{"angles", 3}, {"angularVelocity", 3}}, .out = {3},
     .sequence = true},
    {"from_mrp", ROTATION, 1, .convert = from_mrp, .in = {{"parameters", 3}}, .out = {4}},
    {"to_mrp", ROTATION, 1, .convert = to_mrp, .in = {ORIENTATION}, .out = {3}},
    {"principal_axes", ROTATION, 1, .convert = principal_axes, .in = {{"inertia", 9}}, .out = {3, 4}},
    {"product", ROTATION, 2, .convert = product, .in = {{"a", 4}, {"b", 4}}, .out = {4}},
    {"inverse", ROTATION, 1, .convert = inverse, .in = {ORIENTATION}, .out = {4}},
    {"slerp", ROTATION, 3, .convert = slerp, .in = {{"a", 4}, {"b", 4}, {"t", 1}}, .out = {4}},
    {"orientation_rate", ROTATION, 2, .convert = orientation_rate, .in = {ORIENTATION, {"angularVelocity", 3}}, .out = {4}},
    {"turn_times", turn_times, 3},
    {"turn_orientation", turn_orientation, 6},
    {"turn_by_samples", turn_by_samples, 4},
    {"angle", ROTATION, 2, .convert = angle, .in = {{"a", 4}, {"b", 4}}, .out = {1}},
    {"add_point_mass", add_point_mass, 3},
    {"add_sphere_mass", add_sphere_mass, 4},
    {"add_ellipsoid_mass", add_ellipsoid_mass, 5},
    {"add_box_mass", add_box_mass, 5},
    {"add_cylinder_mass", add_cylinder_mass, 6},
    {"add_capsule_mass", add_capsule_mass, 6},
    {"add_hemisphere_mass", add_hemisphere_mass, 5},
    {"add_cone_mass", add_cone_mass, 6},
    {"add_mesh_mass", add_mesh_mass, 3},
    {"add_inertia_mass", add_inertia_mass, 5},
    {"mass_properties", mass_properties, 1},
    {"inertia_about", inertia_about, 2},
};

static bool fits(const command *c, const entry *e)
{
    return c->on == NO_OBJECT || e == NULL || c->on == EITHER || (c->on == BODY) == (e->body != NULL);
}

static void run(const command *c, entry *e, int outputs, mxArray **out, int inputs, const mxArray **in)
{
    const int before = c->on == NO_OBJECT ? 1 : 2;
    if (c->on != NO_OBJECT && e == NULL) mexErrMsgIdAndTxt("quatint:Deleted", "this object has been deleted");
    if (inputs != before + c->inputs)
        mexErrMsgIdAndTxt("quatint:Command", "%s takes %d arguments, not %d", c->name, c->inputs, inputs - before);
    if (c->on != NO_OBJECT && e->body != NULL && e->asking && !c->always)
        mexErrMsgIdAndTxt("quatint:Order", "the body is in use: its own torque or event function cannot change it");
    c->run((call){c, e, outputs, c->inputs, out, in + before});
}

void mexFunction(int outputs, mxArray *out[], int inputs, const mxArray *in[])
{
    static bool first = true;
    char name[32];
    if (first) mexAtExit(destroy_all);
    first = false;
    if (inputs < 1 || !mxIsChar(in[0]) || mxGetString(in[0], name, sizeof name) != 0)
        mexErrMsgIdAndTxt("quatint:Command", "quatint_mex is internal to the package quatint: see `help quatint.Body`");
    entry *e = inputs > 1 ? find_entry(in[1]) : NULL;
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        if (strcmp(name, COMMANDS[i].name) != 0 || !fits(&COMMANDS[i], e)) continue;
        run(&COMMANDS[i], e, outputs, out, inputs, in);
        return;
    }
    mexErrMsgIdAndTxt("quatint:Command", "there is no command %s for this object", name);
}
