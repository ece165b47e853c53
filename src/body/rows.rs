//! The data of a body as a row of plain numbers: the row of an ensemble of this one body.

use super::{Body, states::LastTorque};
use crate::error::{Error, check_room};
use crate::inertia::Inertia;
use crate::method::Plan;
use crate::rows::{
    Parts, Row, RowMut, Widths, checked_state, clear_rate_beyond_range, state_numbers,
};
use crate::torque::{Torque, not_negative};

/// How many numbers of a row a drag has, and so have random torques: its coefficients and the
/// fluid's rotation.
const OF_DRAG: usize = 6;
/// How many numbers rotors have: their angular momentum.
const OF_ROTORS: usize = 3;

impl Body {
    /// How the body takes its steps under a torque.
    pub(crate) fn plan_under<T: Torque + ?Sized>(&self, torque: &T) -> &'static Plan {
        self.method.plan(self.what_acts(self.resists(torque)))
    }

    /// The numbers of a row. The parts of a row depend on what acts: of a torque that is a
    /// [`ReadyMade`](crate::torque::ReadyMade), it has the numbers.
    pub fn row_size<T: Torque + ?Sized>(&self, parts: Parts, torque: &T) -> usize {
        self.row_widths(parts, torque).total()
    }

    fn row_widths<T: Torque + ?Sized>(&self, parts: Parts, torque: &T) -> Widths {
        let mut of_torque = torque.numbers().as_slice().len();
        if self.drag().is_some() {
            of_torque += OF_DRAG;
        }
        if self.rotor().is_some() {
            of_torque += OF_ROTORS;
        }
        if self.random().is_some() {
            of_torque += OF_DRAG;
        }
        Widths::of(parts, of_torque, self.plan_under(torque).kept())
    }

    /// Writes the row that an ensemble of this one body under this torque would give: see
    /// [`Ensemble::rows`](crate::Ensemble::rows). With the clock and, for random torques,
    /// [`Body::noise`] it is all that a restart with the same bits needs. Errors:
    /// [`Error::Capacity`] if `row` has another size than [`Body::row_size`].
    ///
    /// ```
    /// use quatint::nalgebra::{UnitQuaternion, Vector3};
    /// use quatint::torque::{ReadyMade, UniformField};
    /// use quatint::{Body, Inertia, Parts};
    ///
    /// let parts = Parts { state: true, inertia: true, torque: true, memory: true, ..Parts::default() };
    /// let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5))?;
    /// let mut left = Body::new(inertia, UnitQuaternion::identity(), Vector3::x())?;
    /// let mut top = ReadyMade::from(UniformField::new([0.0, 0.0, 0.1], [0.0, 0.0, -9.81])?);
    /// left.advance(0.01, 100, &mut top)?;
    /// let mut row = vec![0.0; left.row_size(parts, &top)];
    /// left.row(parts, &top, &mut row)?;
    ///
    /// let mut right = Body::new(inertia, UnitQuaternion::identity(), Vector3::zeros())?;
    /// let mut other = ReadyMade::from(UniformField::new([0.0; 3], [0.0, 0.0, -9.81])?);
    /// right.set_clock(left.clock())?;
    /// right.set_row(parts, &mut other, &row)?;
    /// assert_eq!(right.orientation(), left.orientation());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row<T: Torque + ?Sized>(
        &self,
        parts: Parts,
        torque: &T,
        row: &mut [f64],
    ) -> Result<(), Error> {
        let widths = self.row_widths(parts, torque);
        check_size(&widths, row)?;
        let plan = self.plan_under(torque);
        let row = RowMut::new(&widths, row);
        if let Some(to) = row.state {
            *to = state_numbers(&self.state.get());
        }
        if let Some(to) = row.inertia {
            *to = self.inertia.numbers();
        }
        if !row.torque.is_empty() {
            self.read_parameters(torque.numbers().as_slice(), row.torque);
        }
        if !row.memory.is_empty() {
            self.kept.read(plan, row.memory);
            clear_rate_beyond_range(row.memory);
        }
        if let Some(to) = row.id {
            let id = match self.langevin() {
                Some(langevin) => langevin.id,
                None => 0,
            };
            *to = f64::from_bits(id);
        }
        if let Some(to) = row.bound {
            *to = self.state.get().omega_body.0;
        }
        Ok(())
    }

    fn read_parameters(&self, own: &[f64], mut to: &mut [f64]) {
        put(&mut to, own);
        if let Some(drag) = self.drag() {
            put(&mut to, &drag.coefficients.0);
            put(&mut to, &drag.flow.0);
        }
        if let Some(rotor) = self.rotor() {
            put(&mut to, &rotor.momentum.0);
        }
        if let Some(random) = self.langevin() {
            put(&mut to, &random.drag.coefficients.0);
            put(&mut to, &random.drag.flow.0);
        }
    }

    /// Sets the body, and the numbers of the torque, from a row of a body or of an ensemble. Set
    /// all else before it: see `qi_set_body_row`. Errors: [`Error::Capacity`] if `row` has another
    /// size than [`Body::row_size`]; as the setters of what it has; a coefficient of random torques
    /// is negative. Then nothing has changed.
    pub fn set_row<T: Torque + ?Sized>(
        &mut self,
        parts: Parts,
        torque: &mut T,
        row: &[f64],
    ) -> Result<(), Error> {
        let widths = self.row_widths(parts, torque);
        check_size(&widths, row)?;
        let plan = self.plan_under(torque);
        let row = &Row::new("row", &widths, row);
        let own = torque.numbers().as_slice().len();
        self.set_checked_row(plan, own, row)?;
        if parts.torque {
            torque.set_numbers(&row.torque[..own]);
        }
        Ok(())
    }

    /// Sets all of a row but the `own` numbers of the torque.
    fn set_checked_row(&mut self, plan: &Plan, own: usize, row: &Row) -> Result<(), Error> {
        row.check()?;
        let mut state = self.state.get();
        if let Some(numbers) = row.state {
            state = checked_state(row.name, numbers)?;
        }
        let mut inertia = self.inertia;
        if let Some(numbers) = row.inertia
            && *numbers != inertia.numbers()
            && self.changing_inertia().is_none()
        {
            // not where they are the same: its axes may be turned by the identity
            inertia = Inertia::of_numbers(row.name, numbers)?;
        }
        let parameters = row.torque.get(own..).unwrap_or_default();
        if self.random().is_some()
            && let Some(&[a, b, c, ..]) = parameters.last_chunk::<OF_DRAG>()
        {
            not_negative(row.name, [a, b, c])?;
        }

        // nothing fails from here on
        self.inertia = inertia;
        self.place(state.q, state.omega_body);
        self.set_parameters(parameters, row.id);
        if !row.memory.is_empty() {
            self.kept = LastTorque::of_row(plan, row.memory);
        }
        Ok(())
    }
}

fn check_size(widths: &Widths, row: &[f64]) -> Result<(), Error> {
    let size = widths.total();
    check_room(row.len() == size, "row", size, row.len())
}

/// Writes numbers to the front of `to`, which becomes the rest.
fn put(to: &mut &mut [f64], numbers: &[f64]) {
    let place = to.split_off_mut(..numbers.len());
    place.expect("room for it").copy_from_slice(numbers);
}
