//! One body as a row of numbers, for a file or a message.

use crate::arrays::{as_tuple, elements_of, float_array, shape_of, wrong_shape};
use crate::body::{Body, quaternion};
use crate::errors::{Outcome, refused};
use crate::names::one_or_several;
use crate::new_arrays::NewArray;
use pyo3::prelude::*;
use quatint::rotation::components;

/// The parts of a row in their order, with their lengths. What a method has not kept is NaN.
const PARTS: [(&str, usize); 4] = [("state", 7), ("clock", 2), ("rotor", 3), ("memory", 7)];

/// Which parts are wanted: the name of one, or several names; `None` and "all": each.
fn wanted(py: Python<'_>, given: Option<&Bound<'_, PyAny>>) -> PyResult<[bool; 4]> {
    let Some(given) = given else {
        return Ok([true; 4]);
    };
    let names = one_or_several(given)?;
    if let Some(other) = names
        .iter()
        .find(|name| *name != "all" && PARTS.iter().all(|part| part.0 != *name))
    {
        let message = "of a body must be of \"state\", \"clock\", \"rotor\", \"memory\" or \"all\"";
        return Err(refused(py, &format!("`parts` {message}, not {other:?}")));
    }
    Ok(PARTS.map(|(part, _)| names.iter().any(|name| name == part || name == "all")))
}

#[pymethods]
impl Body {
    /// The data of the body as plain numbers, a new array: with the same inertia, torque, motors,
    /// drag and method, a body that gets them by set_rows goes on with the same bits.
    ///
    /// parts: "state" (orientation, angular velocity in the body frame: 7 numbers, as in the rows
    /// of an ensemble), "clock" (2), "rotor" (rotor_momentum: 3), "memory" (what the method keeps
    /// from step to step: 7, NaN if nothing), several of these, or "all", which are 19 numbers.
    /// Whatever their order, the numbers have this one.
    #[pyo3(signature = (parts=None))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        parts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let wanted = wanted(py, parts)?;
        let body = &self.lock(py)?.body;
        let [q, omega] = [
            components(body.orientation()).to_vec(),
            body.angular_velocity_body().as_slice().to_vec(),
        ];
        let rotor = body
            .rotor_momentum()
            .unwrap_or_default()
            .as_slice()
            .to_vec();
        let memory = body.memory().unwrap_or([f64::NAN; 7]).to_vec();
        let parts = [[q, omega].concat(), body.clock().to_vec(), rotor, memory];
        let kept = parts
            .into_iter()
            .zip(wanted)
            .filter(|(_, is_wanted)| *is_wanted);
        let numbers: Vec<f64> = kept.flat_map(|(numbers, _)| numbers).collect();
        NewArray::of(py, &numbers, &[numbers.len()]).map(NewArray::writeable)
    }

    /// Set the data of the body from ``rows`` of this or of another one. All numbers are checked
    /// before the body changes.
    #[pyo3(signature = (rows, parts=None))]
    fn set_rows(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        parts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let wanted = wanted(py, parts)?;
        let array = float_array(py, rows, "rows")?;
        let width: usize = PARTS
            .iter()
            .zip(wanted)
            .map(|(part, is_wanted)| part.1 * usize::from(is_wanted))
            .sum();
        if shape_of(&array) != [width] {
            return Err(wrong_shape("rows", &as_tuple(&[width]), &shape_of(&array)));
        }
        let numbers = elements_of(&array)?;
        let mut rest = numbers.as_slice();
        let inner = &mut *self.lock(py)?;
        let mut body = inner.body.clone(); // all of it, or nothing
        for ((part, width), _) in PARTS.iter().zip(wanted).filter(|(_, is_wanted)| *is_wanted) {
            let (numbers, more) = rest.split_at(*width);
            rest = more;
            match (*part, numbers) {
                ("state", &[w, x, y, z, a, b, c]) => {
                    body.set_state_body(quaternion([w, x, y, z]), [a, b, c].into())
                        .raise(py)?;
                }
                ("clock", &[now, left]) => body
                    .set_clock([now, left])
                    .map_err(|error| inner.explained(py, error))?,
                ("rotor", &[a, b, c]) => {
                    body.set_rotor_momentum(Some([a, b, c].into())).raise(py)?
                }
                (_, numbers) => {
                    let is_kept = !numbers.iter().all(|number| number.is_nan());
                    let memory = <[f64; 7]>::try_from(numbers).ok().filter(|_| is_kept);
                    // last: the others make the method forget
                    body.set_memory(memory).raise(py)?;
                }
            }
        }
        inner.body = body;
        Ok(())
    }
}
