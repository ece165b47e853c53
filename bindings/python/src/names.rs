//! Choices by name.

use crate::errors::refused;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use quatint::{Crossing, Frame, Keep, Layout, Method, Parts, SolveMethod, VelocityKind};

const METHODS: [(&str, Method); 7] = [
    ("pcdm", Method::Pcdm),
    ("splitting", Method::Splitting),
    ("splitting_4", Method::Splitting4),
    ("splitting_6", Method::Splitting6),
    ("force_gradient", Method::ForceGradient),
    ("cf4", Method::Cf4),
    ("brownian", Method::Brownian),
];
const FRAMES: [(&str, Frame); 2] = [("world", Frame::World), ("body", Frame::Body)];
const LAYOUTS: [(&str, Layout); 2] = [("aos", Layout::Aos), ("soa", Layout::Soa)];
const SOLVE_METHODS: [(&str, SolveMethod); 3] = [
    ("nonstiff", SolveMethod::Nonstiff),
    ("stiff", SolveMethod::Stiff),
    ("splitting", SolveMethod::Splitting),
];
const CROSSINGS: [(&str, Crossing); 3] = [
    ("any", Crossing::Any),
    ("rising", Crossing::Rising),
    ("falling", Crossing::Falling),
];
const KEEPS: [(&str, Keep); 2] = [
    ("angular_velocity", Keep::AngularVelocity),
    ("angular_momentum", Keep::AngularMomentum),
];
const KINDS: [(&str, VelocityKind); 4] = [
    ("omega_world", VelocityKind::OmegaWorld),
    ("omega_body", VelocityKind::OmegaBody),
    ("angmom_world", VelocityKind::AngularMomentumWorld),
    ("angmom_body", VelocityKind::AngularMomentumBody),
];

/// What `name` stands for in a table; the error lists the table.
fn find<T: Copy>(py: Python<'_>, what: &str, table: &[(&str, T)], name: &str) -> PyResult<T> {
    table
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let known: Vec<_> = table
                .iter()
                .map(|(known, _)| format!("{known:?}"))
                .collect();
            refused(
                py,
                &format!("`{what}` must be one of {}, not {name:?}", known.join(", ")),
            )
        })
}

/// The name of a value in a table.
fn name_in<T: PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    let row = table.iter().find(|(_, known)| *known == value);
    row.map_or("", |(name, _)| name)
}

pub(crate) fn method_of(py: Python<'_>, name: &str) -> PyResult<Method> {
    find(py, "method", &METHODS, name)
}

pub(crate) fn name_of_method(method: Method) -> &'static str {
    name_in(&METHODS, method)
}

pub(crate) fn solve_method_of(py: Python<'_>, name: &str) -> PyResult<SolveMethod> {
    find(py, "solve_method", &SOLVE_METHODS, name)
}

pub(crate) fn name_of_solve_method(method: SolveMethod) -> &'static str {
    name_in(&SOLVE_METHODS, method)
}

pub(crate) fn frame_of(py: Python<'_>, name: &str) -> PyResult<Frame> {
    find(py, "frame", &FRAMES, name)
}

pub(crate) fn name_of_frame(frame: Frame) -> &'static str {
    name_in(&FRAMES, frame)
}

pub(crate) fn layout_of(py: Python<'_>, name: &str) -> PyResult<Layout> {
    find(py, "layout", &LAYOUTS, name)
}

pub(crate) fn name_of_layout(layout: Layout) -> &'static str {
    name_in(&LAYOUTS, layout)
}

pub(crate) fn crossing_of(py: Python<'_>, name: &str) -> PyResult<Crossing> {
    find(py, "crossing", &CROSSINGS, name)
}

pub(crate) fn kind_of(py: Python<'_>, name: &str) -> PyResult<VelocityKind> {
    find(py, "kind", &KINDS, name)
}

pub(crate) fn name_of_kind(kind: VelocityKind) -> &'static str {
    name_in(&KINDS, kind)
}

pub(crate) fn keep_of(py: Python<'_>, name: &str) -> PyResult<Keep> {
    find(py, "keep", &KEEPS, name)
}

/// Body axes by their letters, as a sum: 1 for x, 2 for y, 4 for z.
pub(crate) fn axes_of(py: Python<'_>, letters: &str) -> PyResult<i32> {
    let mut axes = 0;
    for letter in letters.chars() {
        axes |= match letter {
            'x' => 1,
            'y' => 2,
            'z' => 4,
            _ => {
                let must = "must be of the letters \"x\", \"y\" and \"z\"";
                return Err(refused(py, &format!("`axes` {must}, not {letters:?}")));
            }
        };
    }
    Ok(axes)
}

/// The names of parts: one, or several.
pub(crate) fn one_or_several(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(name) = given.extract::<String>() {
        return Ok(vec![name]);
    }
    given.extract().map_err(|_| {
        let kind = given.get_type();
        let must = "must be the name of a part, such as \"state\", or several names";
        PyTypeError::new_err(format!("`parts` {must}, not {kind}"))
    })
}

/// The parts of rows: the name of one, or several names; `None`: all.
pub(crate) fn parts_of(py: Python<'_>, given: Option<&Bound<'_, PyAny>>) -> PyResult<Parts> {
    let all = Parts {
        state: true,
        inertia: true,
        torque: true,
        memory: true,
        id: false,
        bound: true,
    };
    let Some(given) = given else { return Ok(all) };
    let mut parts = Parts::default();
    for name in one_or_several(given)? {
        match name.as_str() {
            "all" => {
                parts = Parts {
                    id: parts.id,
                    ..all
                }
            }
            "state" => parts.state = true,
            "inertia" => parts.inertia = true,
            "torque" => parts.torque = true,
            "memory" => parts.memory = true,
            "id" => parts.id = true,
            "bound" => parts.bound = true,
            other => {
                let message = format!(
                    "`parts` must be of \"state\", \"inertia\", \"torque\", \"memory\", \"id\", \"bound\" or \"all\", not {other:?}"
                );
                return Err(refused(py, &message));
            }
        }
    }
    Ok(parts)
}
