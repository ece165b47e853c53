//! A body without torque, with error control: the exact rotation, over any distance.

use super::solving::{Checked, Recording};
use super::{Body, acting::is_finite};
use crate::clock::{Clock, Span};
use crate::error::Error;
use crate::inertia::least_moment;
use crate::kernel::{State, Vec3, free_rotation};
use crate::method::{Rotor, drifted_with_rotors, length};
use crate::solve::{Crossing, Watch};

impl Body {
    fn state_after(&self, duration: f64) -> Result<State<f64>, Error> {
        self.rotated(&self.state.get(), duration)
    }

    fn rotated(&self, &State { q, omega_body }: &State<f64>, duration: f64) -> Result<State<f64>, Error> {
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

    /// A drift of a body with rotors.
    pub(super) fn drift_with_rotor(&mut self, rotor: &Rotor<f64>, duration: f64) -> Result<(), Error> {
        let (inertia, composition) = (self.inertia.principal(), self.method.gyrostat());
        let end = drifted_with_rotors(composition, inertia, rotor, &self.state.get(), duration)?;
        self.arrive(&end, duration)?;
        self.forget_torque();
        Ok(())
    }

    pub(super) fn drift_to(&mut self, end: f64) -> Result<(), Error> {
        if end != self.time() {
            let span = Span::new(self.clock, end);
            let state = self.state_after(span.end - span.start)?;
            self.settle(&state, Clock::at(end));
            self.statistics.accepted = 1;
        }
        Ok(())
    }

    pub(super) fn record_free(&mut self, end: f64, rows: &mut Recording) -> Result<(), Error> {
        let span = Span::new(self.clock, end);
        rows.write_start(self);
        while let Some((elapsed, time)) = rows.next_until(&span, span.end) {
            rows.write(time, &self.state_after(elapsed - span.start)?);
        }
        self.drift_to(end)
    }

    /// Searches in stretches of at most a radian, 1000 or more. An error leaves the body at the start of a stretch.
    pub(super) fn find_free(&mut self, end: f64, event: &mut Checked, kind: Crossing) -> Result<Option<f64>, Error> {
        let (span, limits, mut asked) = (Span::new(self.clock, end), self.limits, 0);
        let mut watch = Watch::new(kind, event(self.time(), &self.state.get())?);
        let stretch = (1.0 / self.fastest().max(f64::MIN_POSITIVE)).min(1e-3 * span.end.abs()).min(limits.longest);
        let (mut here, mut elapsed) = (self.state.get(), span.start);
        while elapsed != span.end {
            let last = (span.end - elapsed).abs() <= stretch || elapsed + stretch == elapsed;
            let next = if last { span.end } else { elapsed + stretch.copysign(span.end) };
            let within = |part: f64| if part < 1.0 { elapsed + part * (next - elapsed) } else { next };
            let at = |part: f64| self.rotated(&here, within(part) - elapsed);
            let value = &mut |part: f64| {
                limits.count(&mut asked, &|| span.time(elapsed))?;
                event(span.time(within(part)), &at(part)?)
            };
            let resolution = f64::EPSILON * elapsed.abs().max(next.abs()) / (next - elapsed).abs();
            let found =
                watch.search(resolution, value).map(|found| found.or((last && watch.is_on_event()).then_some(1.0)));
            let stop = match found {
                Ok(None) => {
                    (here, elapsed) = (at(1.0)?, next);
                    continue;
                }
                Ok(Some(part)) => Ok((at(part)?, within(part))),
                Err(_) if elapsed == span.start => return found,
                Err(cause) => Err(cause),
            };
            let (state, elapsed) = *stop.as_ref().unwrap_or(&(here, elapsed));
            self.settle(&state, span.clock(elapsed));
            self.statistics.accepted = 1;
            return stop.map(|_| Some(self.time()));
        }
        self.drift_to(end)?;
        Ok(None)
    }

    /// No rotation with the energy of this body is faster, rad/s: |ω|² is at most twice the energy over the least moment.
    fn fastest(&self) -> f64 {
        let (moments, omega) = (self.inertia.principal().moments, self.state.get().omega_body);
        let least = least_moment(moments.0);
        length(Vec3(std::array::from_fn(|axis| (moments.0[axis] / least).sqrt() * omega.0[axis])))
    }
}
