//! A body without torque, with error control: the exact rotation, over any distance.

use super::solving::{Checked, Rows};
use super::{Body, stepping::is_finite};
use crate::kernel::{State, free_rotation};
use crate::solve::{Crossing, Watch};
use crate::{clock::Clock, error::Error, torque::Torque};

/// The most that a drift of a body with rotors may turn it, rad: beyond this it would take seconds, or for ever.
const MOST_TURN: f64 = 1e6;

impl Body {
    pub(super) fn state_after(&self, duration: f64) -> Result<State<f64>, Error> {
        let State { q, omega_body } = self.state.get();
        let free = free_rotation(self.inertia.principal(), omega_body, duration);
        let state = State { q: q.turned_freely(free.rotation, free.motion), omega_body: omega_body + free.gained };
        if is_finite(state.q, state.omega_body) {
            Ok(state)
        } else {
            Err(Error::Overflow { time: self.time(), size: None })
        }
    }

    /// A drift of a body without rotors, which is exact.
    pub(super) fn drift_freely(&mut self, duration: f64) -> Result<(), Error> {
        let end = self.state_after(duration)?;
        self.arrive(&end, duration)?;
        self.forget_torque();
        Ok(())
    }

    /// A drift of a body with rotors: the clock stands still, so that its rounding does not matter.
    pub(super) fn drift_with_rotor<T>(&mut self, duration: f64, stop: &mut T) -> Result<(), Error>
    where
        T: Torque<Error: Into<Error>>,
    {
        let (least, [x, y, z]) = (self.inertia.principal_moments().min(), self.state.get().omega_body.0);
        let spin = self.rotor.map_or(0.0, |rotor| rotor.dot(rotor).sqrt() / least);
        if ((x * x + y * y + z * z).sqrt() + spin) * duration.abs() >= MOST_TURN {
            return Err(Error::Invalid { name: "duration", must: "must turn a body with rotors by less than 1e6 rad" });
        }
        let mut ahead = Body { drag: None, clock: Clock::at(0.0), ..self.clone() };
        ahead.solve(duration, 1e-14, stop)?;
        self.arrive(&ahead.state.get(), duration)?;
        self.forget_torque();
        Ok(())
    }

    pub(super) fn drift_to(&mut self, end: f64) -> Result<(), Error> {
        if end != self.time() {
            let state = self.state_after(end - self.time())?;
            self.settle(&state, end);
            self.statistics.accepted = 1;
        }
        Ok(())
    }

    pub(super) fn record_free(&mut self, end: f64, rows: &mut Rows) -> Result<(), Error> {
        let start = self.time();
        rows.write_start(self);
        while let Some(time) = rows.next_until(start, end) {
            rows.write(time, &self.state_after(time - start)?);
        }
        self.drift_to(end)
    }

    /// Searches in stretches of at most a radian, 1000 or more.
    pub(super) fn find_free(&mut self, end: f64, event: &mut Checked, kind: Crossing) -> Result<Option<f64>, Error> {
        let (start, span) = (self.time(), end - self.time());
        let mut watch = Watch::new(kind, event(start, &self.state.get())?);
        if span == 0.0 {
            return Ok(None);
        }
        // |ω|² is at most twice the energy over the least moment
        let (least, energy) = (self.inertia.principal_moments().min(), self.kinetic_energy());
        let stretch = (1.0 / (2.0 * energy / least).sqrt()).min(1e-3 * span.abs()).copysign(span);
        let (mut here, mut time) = (self.clone(), start);
        while time != end {
            let next = if (end - time).abs() <= stretch.abs() || time + stretch == time { end } else { time + stretch };
            let within = |part: f64| if part < 1.0 { time + part * (next - time) } else { next };
            let value = &mut |part: f64| event(within(part), &here.state_after(within(part) - time)?);
            let resolution = f64::EPSILON * time.abs().max(next.abs()) / (next - time).abs();
            let found = watch.search(resolution, value)?;
            let found = found.or((next == end && watch.is_on_event()).then_some(1.0));
            if let Some(part) = found {
                let (state, at) = (here.state_after(within(part) - time)?, within(part));
                self.settle(&state, at);
                self.statistics.accepted = 1;
                return Ok(Some(at));
            }
            here.settle(&here.state_after(next - time)?, next);
            time = next;
        }
        self.drift_to(end)?;
        Ok(None)
    }
}
