//! How many steps a call takes before Python handles signals again. The clock is read elsewhere, so
//! that a test can tell any time.

use std::time::Duration;

/// How long a portion is to take.
pub(crate) const PORTION: Duration = Duration::from_millis(30);

/// The steps of a portion: few at first, since the machine may be slow, then as many as the time of
/// the portion before lets expect, but at most eight times as many, since steps may become slower.
pub(crate) struct Portions {
    steps: u64,
    most: u64,
}

impl Portions {
    /// `usual`: so many steps take some 5 to 20 ms on a usual machine. A portion has at most sixteen
    /// times as many, also where the clock stands still.
    pub(crate) fn new(usual: u64) -> Self {
        Portions {
            steps: (usual / 64).max(1),
            most: usual.max(1).saturating_mul(16),
        }
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The portion took so long.
    pub(crate) fn took(&mut self, elapsed: Duration) {
        let growth = PORTION.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
        let fitting = self.steps as f64 * growth.min(8.0);
        self.steps = (fitting as u64).clamp(1, self.most);
    }
}
