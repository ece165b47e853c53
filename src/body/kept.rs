//! What a method keeps from step to step.

use super::Body;
use crate::error::{Error, finite};
use crate::kernel::SavedNumbers;
use crate::method::Scheme;

impl Body {
    /// What the method keeps from step to step, as numbers for a file; `None`: nothing, or nothing yet. See
    /// [`Method::keeps_torque`](crate::Method::keeps_torque).
    pub fn memory(&self) -> Option<[f64; 8]> {
        self.kept.as_numbers()
    }

    /// Restores [`Body::memory`], so that the body goes on with the same bits. State, clock, method, drag and rotors may be set before or
    /// after it: the memory stays until the next step, kick, drift or solution. Errors: [`Error::NotFinite`].
    pub fn set_memory(&mut self, memory: Option<[f64; 8]>) -> Result<(), Error> {
        self.kept = match memory {
            Some(numbers) => LastTorque::of_numbers(finite("memory", numbers)?),
            None => LastTorque::default(),
        };
        Ok(())
    }
}

/// What a method keeps from step to step, if it keeps the last torque.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastTorque {
    pub(super) is_known: bool,
    /// Whether [`Body::set_memory`] has brought it, and no step has been taken since.
    pub(super) is_restored: bool,
    /// Whether a scheme with implicit drag has kept it: an acceleration then, not a torque.
    is_damped: bool,
    /// 16 bytes apart, as in [`SpacedState`](super::states::SpacedState). Beside the last one the last time step, for methods with implicit drag.
    numbers: [[f64; 2]; 3 * MOST_KEPT],
}

impl LastTorque {
    /// All of it, for [`Body::memory`].
    pub(super) fn as_numbers(&self) -> Option<[f64; 8]> {
        let [[a, _], [b, _], [c, _], [d, _], [e, _], [f, dt]] = self.numbers;
        self.is_known.then_some([a, b, c, d, e, f, dt, f64::from(self.is_damped)])
    }

    pub(super) fn of_numbers([a, b, c, d, e, f, dt, is_damped]: [f64; 8]) -> Self {
        let numbers = [[a, 0.0], [b, 0.0], [c, 0.0], [d, 0.0], [e, 0.0], [f, dt]];
        LastTorque { is_known: true, is_restored: true, is_damped: is_damped != 0.0, numbers }
    }
}

/// The most vectors that a method keeps from step to step.
const MOST_KEPT: usize = 2;

impl LastTorque {
    pub(super) fn dt(&mut self) -> &mut f64 {
        &mut self.numbers[3 * MOST_KEPT - 1][1]
    }

    #[inline(always)]
    pub(super) fn get<S: Scheme>(&self) -> Option<S::Saved<f64>> {
        (S::KEEPS_TORQUE && self.is_known && self.is_damped == S::IS_DAMPED)
            .then(|| S::Saved::of_numbers(|k| self.numbers[k][0]))
    }

    #[inline(always)]
    pub(super) fn put<S: Scheme>(&mut self, saved: &Option<S::Saved<f64>>) {
        if let (true, Some(saved)) = (S::KEEPS_TORQUE, saved) {
            for k in 0..<S::Saved<f64> as SavedNumbers<f64>>::COUNT {
                self.numbers[k][0] = saved.number(k);
            }
            (self.is_known, self.is_damped) = (true, S::IS_DAMPED);
        }
    }
}
