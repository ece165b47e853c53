//! Reproducible random numbers.

pub struct Random(pub u64);

impl Random {
    /// Other numbers for each value of QUATINT_SEED: `QUATINT_SEED=5 make test-cuda`.
    pub fn of(seed: u64) -> Self {
        let given = std::env::var("QUATINT_SEED").ok();
        let other: u64 = given.map_or(0, |text| text.parse().expect("a number"));
        Random(seed.wrapping_add(other.wrapping_mul(0x2545_f491_4f6c_dd1d)))
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// From 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From −1 to 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }

    pub fn vector<const K: usize>(&mut self, size: f64) -> [f64; K] {
        std::array::from_fn(|_| size * self.signed())
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}
