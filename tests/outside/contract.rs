//! What the header says of all functions at once: arguments that cannot be are refused with the status
//! that it gives, and a refused call changes nothing. `tests/contract/calls.c` makes the calls; the
//! functions and their parameters come from the header, so a new function is called too, and a
//! parameter of which nothing is known here fails this test.

use crate::common::{Library, link, root, scratch, success};
use header::{Function, Header, Number, Parameter, Type};
use std::fmt::Write;
use std::fs;
use std::process::Command;

#[allow(dead_code)]
#[path = "../../tools/bindings/src/header.rs"]
mod header;

/// Numbers that an argument may have: those of one body of an array with strides, all of others. A
/// row with a function goes before one without.
const VALUES: &[(&str, &str, &str)] = &[
    ("", "orientation", "0.5, 0.5, -0.5, 0.5"),
    ("", "a", "0.5, 0.5, -0.5, 0.5"),
    ("", "b", "0.5, -0.5, 0.5, 0.5"),
    ("", "v_body", "1, 2, 3"),
    ("", "v_world", "1, 2, 3"),
    ("", "axis", "0.3, 0.4, 0.5"),
    ("", "angle", "0.3"),
    ("", "start", "0.1"),
    ("", "end", "0.5"),
    ("", "samples", "3"),
    ("", "angular_velocities", "0.1, 0.2, 0.3"),
    ("", "t", "0.3"),
    ("", "rotation_vector", "0.3, 0.4, 0.5"),
    ("", "matrix", "1, 0, 0, 0, 1, 0, 0, 0, 1"),
    ("", "angles", "0.1, 0.2, 0.3"),
    ("", "rates", "0.1, 0.2, 0.3"),
    ("", "parameters", "0.1, 0.2, 0.3"),
    ("", "mass", "1.5"),
    ("", "density", "1.5"),
    ("", "radius", "0.5"),
    ("", "length", "0.5"),
    ("", "height", "0.5"),
    ("", "position", "1, 2, 3"),
    ("", "point", "1, 2, 3"),
    ("", "semi_axes", "0.5, 0.6, 0.7"),
    ("", "edges", "0.5, 0.6, 0.7"),
    ("", "triangles", "4"),
    (
        "",
        "corners",
        "0,0,0, 0,1,0, 1,0,0,  0,0,0, 1,0,0, 0,0,1,  0,0,0, 0,0,1, 0,1,0,  1,0,0, 0,1,0, 0,0,1",
    ),
    (
        "qi_get_mass_properties",
        "sum",
        "3, 0, 0, 0, 1, 1, 1, 0, 0, 0",
    ),
    (
        "qi_get_inertia_about",
        "sum",
        "3, 0, 0, 0, 1, 1, 1, 0, 0, 0",
    ),
    ("", "inertia", "1, 0, 0, 0, 2, 0, 0, 0, 2.5"),
    ("", "moments", "1, 2, 2.5"),
    ("", "angular_velocity", "0.3, -0.2, 0.7"),
    ("", "angular_velocity_body", "0.3, -0.2, 0.7"),
    ("", "angular_momentum", "0.3, -0.2, 0.7"),
    ("", "method", "QI_METHOD_PCDM"),
    ("qi_set_solve_method", "method", "QI_SOLVE_STIFF"),
    ("", "dt", "0.01"),
    ("", "steps", "3"),
    ("", "every", "1"),
    ("", "capacity", "10"),
    ("", "time", "0.5"),
    ("", "end_time", "0.6"),
    ("", "tolerance", "1e-6"),
    ("", "times", "0.6, 0.7, 0.8"),
    ("", "count", "3"),
    ("qi_set_points", "count", "4"),
    ("", "torque", "0.1, 0.2, 0.3"),
    (
        "qi_supply_ensemble_torque",
        "torque",
        "0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3",
    ),
    (
        "qi_continue_ensemble_step",
        "torque",
        "0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3",
    ),
    ("", "torques", "0.1, 0.2, 0.3"),
    ("", "torque_body", "0.1, 0.2, 0.3"),
    ("", "frame", "QI_FRAME_BODY"),
    ("", "layout", "QI_LAYOUT_AOS"),
    ("", "order", "QI_SCALAR_LAST"),
    ("", "kind", "QI_OMEGA_WORLD"),
    ("", "direction", "0"),
    ("", "keep", "QI_KEEP_ANGULAR_MOMENTUM"),
    ("", "axes", "QI_AXIS_X | QI_AXIS_Y | QI_AXIS_Z"),
    ("", "vector_body", "0.1, 0.2, 0.3"),
    ("", "vectors_body", "0.1, 0.2, 0.3"),
    ("", "field_world", "0.1, 0.2, 0.3"),
    ("", "direction_world", "0.1, 0.2, 0.3"),
    ("", "gradient", "0.7"),
    (
        "qi_set_ensemble_gravity_gradient_torque",
        "gradients",
        "0.7",
    ),
    ("", "gradients", "0, 1, 0, 0, 0, 0, 0.5, 0, 0"),
    ("", "velocity_gradient", "0, 1, 0, 0, 0, 0, 0.5, 0, 0"),
    ("", "viscosity", "0.01"),
    ("", "coefficients", "0.1, 0.2, 0.3"),
    ("", "flow", "0.1, 0.2, 0.3"),
    ("", "resistances", "0.1, 0.2, 0.3, 0.1, 0.2, 0.3"),
    ("", "longest", "0.5"),
    ("", "most", "1000000"),
    ("", "indices", "0, 1, 2"),
    ("", "bodies", "0, 1, 2"),
    ("qi_set_points", "bodies", "0, 0, 1, 2"),
    ("", "from", "0, 1, 2"),
    ("", "threads", "2"),
    ("qi_set_orientations", "data", "0.5, 0.5, -0.5, 0.5"),
    ("", "data", "0.3, -0.2, 0.7"),
    ("qi_bind_orientation_rows", "rows", "2, 0, 1"),
    ("qi_bind_angular_velocity_rows", "rows", "2, 0, 1"),
    (
        "",
        "parts",
        "QI_PART_STATE | QI_PART_INERTIA | QI_PART_BOUND",
    ),
    (
        "",
        "rows",
        "0.5, 0.5, -0.5, 0.5, 0.1, 0.2, 0.3, 1, 2, 2.5, 1, 0, 0, 0, 0.1, 0.2, 0.3",
    ),
    (
        "",
        "row",
        "0.5, 0.5, -0.5, 0.5, 0.1, 0.2, 0.3, 1, 2, 2.5, 1, 0, 0, 0, 0.1, 0.2, 0.3",
    ),
    ("", "clock", "0.5, 1e-17"),
    ("", "sum", "0"),
    ("", "values", "1, 2, 3"),
    ("", "duration", "0.02"),
    ("", "kick", "0.02"),
    ("", "drift", "0.02"),
    ("", "ahead", "0.02"),
    ("", "momentum", "0.1, 0.2, 0.3"),
    ("", "rotor", "0.1, 0.2, 0.3"),
    ("", "arms", "0.1, 0.2, 0.3"),
    ("", "centres", "1, 2, 3"),
    ("", "centre_velocities", "1, 2, 3"),
    ("", "predicted", "0"),
    ("", "forces", "0.1, 0.2, 0.3"),
    ("", "kt", "0.3"),
    ("", "seed", "5"),
    ("", "id", "6"),
    ("", "draws", "7"),
    ("", "ids", "5, 6, 7"),
    ("", "factor", "1.1"),
    ("", "status", "QI_ERR_NULL"),
];

/// Arrays that are read and then written, or bound: they have numbers too.
const IN_AND_OUT: &[(&str, &str, &str)] = &[
    ("qi_add_", "sum", "3, 0, 0, 0, 1, 1, 1, 0, 0, 0"),
    ("qi_add_to_sum", "sum", "0"),
    ("qi_add_", "torque", "0.1, 0.2, 0.3"),
    ("qi_turn_", "orientation", "0.5, 0.5, -0.5, 0.5"),
    ("qi_integrate", "orientation", "0.5, 0.5, -0.5, 0.5"),
    ("qi_integrate", "angular_velocity", "0.3, -0.2, 0.7"),
    ("qi_bind_orientation", "data", "0.5, 0.5, -0.5, 0.5"),
    ("qi_bind_angular", "data", "0.3, -0.2, 0.7"),
];

/// How many numbers of a body an output with strides has.
const WIDTHS: &[(&str, &str, usize)] = &[
    ("qi_get_orientations", "data", 4),
    ("", "data", 3),
    ("", "energy", 1),
    ("", "positions", 3),
    ("", "velocities", 3),
    ("", "body_forces", 3),
    ("", "body_torques", 3),
];

/// The count that may be greater than what is there: the room for what is written.
const ANY_COUNT: (&str, &str) = ("qi_record", "capacity");

/// Functions of the caller.
const CALLBACKS: &[(&str, &str, &str)] = &[
    ("qi_set_ensemble_torque", "torque", "ensemble_fn"),
    ("", "torque", "torque_fn"),
    ("", "inertia", "inertia_fn"),
    ("", "monitor", "monitor_fn"),
    ("", "event", "event_fn"),
    ("", "rate", "rate_fn"),
];

/// What has to be so before a call.
const PREPARED: &[(&str, &str)] = &[
    (
        "qi_next_ensemble_stage",
        "MUST(qi_begin_ensemble_step(e, 0.01));",
    ),
    ("qi_supply_ensemble_torque", STAGE),
    ("qi_continue_ensemble_step", STAGE),
    (
        "qi_thermalize",
        "MUST(qi_set_langevin(b, three, NULL, 1, 2, 3));",
    ),
    (
        "qi_thermalize_ensemble",
        "MUST(qi_set_ensemble_langevin(e, three, 0, NULL, 0, 1, 2));",
    ),
    (
        "qi_set_rotor_torque",
        "MUST(qi_set_rotor_momentum(b, three));",
    ),
];
const STAGE: &str = "double t, q[4 * BODIES], w[3 * BODIES]; MUST(qi_begin_ensemble_step(e, 0.01)); \
                     must(qi_next_ensemble_stage(e, &t, q, w) == QI_NEED_TORQUE, \"a stage\");";

/// The row of a table for a parameter.
fn row<T: Copy>(table: &[(&str, &str, T)], function: &str, parameter: &str) -> Option<T> {
    let of = |whose: &dyn Fn(&str) -> bool| {
        table
            .iter()
            .find(|(f, p, _)| *p == parameter && whose(f))
            .map(|row| row.2)
    };
    of(&|f| f == function)
        .or_else(|| of(&|f| !f.is_empty() && function.starts_with(f)))
        .or_else(|| of(&|f| f.is_empty()))
}

/// The parameter as an initialiser of `parameter` in C. `stride`: that of packed numbers.
fn parameter(function: &Function, at: usize, stride: usize, arrays: &mut String) -> String {
    let Parameter { name, kind, .. } = &function.parameters[at];
    let (f, own) = (&*function.name, &function.parameters[at]);
    let unknown = || -> ! {
        panic!("{f}: no argument is known for `{name}`: add a row to tests/outside/contract.rs")
    };
    let value = match kind {
        Type::Numbers {
            constant: false, ..
        } => row(IN_AND_OUT, f, name),
        _ => row(VALUES, f, name),
    };
    let mut value_name = "NULL".to_owned();
    let mut width = 0;
    if let Some(value) = value {
        value_name = format!("{f}_{name}");
        width = value.split(',').count();
        writeln!(arrays, "static const double {value_name}[] = {{{value}}};").unwrap();
    }
    let mut kind_name = "ADDRESS";
    let (mut size, mut constant, mut double) = (0, false, false);
    let mut text = "NULL";
    let mut callback = "NULL".to_owned();
    match kind {
        Type::Handle { .. } => kind_name = if name == "body" { "BODY" } else { "ENSEMBLE" },
        Type::Numbers {
            number,
            constant: is_const,
        } => {
            kind_name = "NUMBERS";
            constant = *is_const;
            double = *number == Number::Double;
            size = match number {
                Number::Int32 | Number::Uint32 | Number::Status => 4,
                _ => 8,
            };
            if constant && width == 0 {
                unknown();
            }
        }
        Type::Text => {
            kind_name = "TEXT";
            text = "\"zyx\"";
        }
        Type::Address => {}
        Type::Callback => {
            kind_name = "CALLBACK";
            let function = row(CALLBACKS, f, name).unwrap_or_else(|| unknown());
            callback = format!("(void (*)(void)){function}");
        }
        Type::Value(Number::Ptrdiff) => kind_name = "STRIDE",
        Type::Value(number) => {
            kind_name = match number {
                Number::Double => "DOUBLE",
                Number::Size => "COUNT",
                Number::Uint64 => "STEPS",
                _ => "CHOICE",
            };
            if width != 1 {
                unknown();
            }
        }
        Type::Void => unknown(),
    }
    let is_status = matches!(
        kind,
        Type::Numbers {
            number: Number::Status,
            ..
        }
    );
    let is_written = is_status || own.comment.contains("also on failure");
    let is_checked = !own.comment.contains("not checked") && (f, &**name) != ANY_COUNT;
    format!(
        "{{\"{name}\", {kind_name}, {size}, {}, {}, {}, {}, {}, {value_name}, {width}, {stride}, {text}, {callback}}}",
        i32::from(constant),
        i32::from(double),
        i32::from(own.may_be_null()),
        i32::from(is_written),
        i32::from(is_checked),
    )
}

/// The strides of packed numbers, for each parameter: `K` and 1 behind an array of `K` numbers a
/// body.
fn strides(function: &Function) -> Vec<usize> {
    let mut strides = vec![];
    let mut width = 0;
    for (i, parameter) in function.parameters.iter().enumerate() {
        let is_stride = parameter.kind == Type::Value(Number::Ptrdiff);
        let is_first = i > 0
            && !matches!(
                function.parameters[i - 1].kind,
                Type::Value(Number::Ptrdiff)
            );
        if let Type::Numbers { constant, .. } = parameter.kind {
            let (f, name) = (&*function.name, &*parameter.name);
            let value = if constant {
                row(VALUES, f, name)
            } else {
                row(IN_AND_OUT, f, name)
            };
            width = match value {
                Some(value) => value.split(',').count(),
                None => row(WIDTHS, f, name).unwrap_or(0),
            };
        }
        if is_stride && is_first && width == 0 {
            panic!(
                "{}: how many numbers has a body before `{}`? Add a row to WIDTHS",
                function.name, parameter.name
            );
        }
        strides.push(match (is_stride, is_first) {
            (false, _) => 0,
            _ if parameter.name == "row_stride" => 3,
            (true, true) => width,
            (true, false) => 1,
        });
    }
    strides
}

/// How an argument is passed on.
fn passed(parameter: &Parameter, i: usize) -> String {
    let number = |number: &Number| match number {
        Number::Double => "double",
        Number::Int32 => "int32_t",
        Number::Status => "qi_status",
        Number::Uint32 => "uint32_t",
        Number::Int64 => "int64_t",
        Number::Uint64 => "uint64_t",
        Number::Size => "size_t",
        Number::Ptrdiff => "ptrdiff_t",
    };
    match &parameter.kind {
        Type::Value(Number::Double) => format!("a[{i}].number"),
        Type::Value(Number::Size) => format!("a[{i}].count"),
        Type::Value(kind) => format!("({})a[{i}].integer", number(kind)),
        Type::Numbers { number: kind, .. } => format!("({} *)a[{i}].pointer", number(kind)),
        Type::Callback => format!("(qi_{}_of)a[{i}].callback", parameter.name),
        _ => format!("a[{i}].pointer"),
    }
}

fn table(header: &Header) -> String {
    let mut out =
        String::from("/* written by tests/outside/contract.rs from include/quatint.h */\n");
    let mut functions = String::new();
    for function in &header.functions {
        let name = &function.name;
        let mut arrays = String::new();
        let strides = strides(function);
        let mut parameters = vec![];
        let mut arguments = vec![];
        for (i, stride) in strides.into_iter().enumerate() {
            parameters.push(parameter(function, i, stride, &mut arrays));
            let mut argument = passed(&function.parameters[i], i);
            if function.parameters[i].kind == Type::Callback {
                let of = row(CALLBACKS, name, &function.parameters[i].name).unwrap();
                let kind = match of {
                    "ensemble_fn" => "qi_ensemble_torque_fn".to_owned(),
                    of => format!("qi_{of}"),
                };
                argument = format!("({kind})a[{i}].callback");
            }
            arguments.push(argument);
        }
        let call = format!("{name}({})", arguments.join(", "));
        let (body, gives) = match function.result {
            Type::Value(Number::Status) => (format!("return {call};"), 1),
            Type::Handle { .. } => (
                format!("return {call} != NULL ? QI_OK : QI_ERR_INVALID;"),
                2,
            ),
            _ => (format!("(void){call}; return QI_OK;"), 0),
        };
        out += &arrays;
        let count = parameters.len();
        if count > 0 {
            writeln!(
                out,
                "static const parameter of_{name}[] = {{{}}};",
                parameters.join(",\n    ")
            )
            .unwrap();
        }
        writeln!(
            out,
            "static qi_status call_{name}(const argument *a) {{ (void)a; {body} }}"
        )
        .unwrap();
        let prepared = PREPARED.iter().find(|(function, _)| function == name);
        if let Some((_, code)) = prepared {
            writeln!(
                out,
                "static void prepare_{name}(qi_body *b, qi_ensemble *e) {{ static const double three[3] = {{0.1, 0.2, 0.3}}; \
                 (void)three, (void)b, (void)e; {code} }}"
            )
            .unwrap();
        }
        writeln!(
            functions,
            "    {{\"{name}\", {gives}, {count}, {}, call_{name}, {}}},",
            if count > 0 {
                format!("of_{name}")
            } else {
                "NULL".to_owned()
            },
            if prepared.is_some() {
                format!("prepare_{name}")
            } else {
                "NULL".to_owned()
            },
        )
        .unwrap();
    }
    write!(
        out,
        "static const function FUNCTIONS[] = {{\n{functions}}};\n"
    )
    .unwrap();
    out
}

#[test]
fn arguments_that_cannot_be_are_refused_by_every_function_and_change_nothing() {
    let text = fs::read_to_string(root().join("include/quatint.h")).expect("committed");
    let header = Header::parse(&text).expect("a header");
    let folder = scratch("contract");
    fs::write(folder.join("table.h"), table(&header)).expect("writable");
    let binary = folder.join("calls");
    let mut compile = Command::new("cc");
    compile
        .args([
            "-std=c99",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-function",
        ])
        .arg(root().join("tests/contract/calls.c"))
        .arg("-I")
        .arg(root().join("include"))
        .arg("-I")
        .arg(&folder)
        .arg("-o")
        .arg(&binary);
    success(link(&mut compile, Library::Shared));
    let output = success(&mut Command::new(&binary));
    let said = String::from_utf8_lossy(&output.stdout);
    let expected = format!("ok {} functions\n", header.functions.len());
    assert_eq!(said, expected);
}
