//! The vector types of all architectures have one shape: a register, and an intrinsic for each operation of a [`Number`].

pub(super) use crate::kernel::{Number, RareWork};
pub(super) use std::ops::{Add, Div, Mul, Neg, Sub};

/// Defines a function that is compiled for an instruction set, for [`Number::rarely`].
macro_rules! rarely {
    ($name:ident $(, $features:literal)?) => {
        #[cold]
        #[inline(never)]
        $(#[target_feature(enable = $features)])?
        fn $name<N: Number, const IN: usize, const OUT: usize, W: RareWork<IN, OUT>>(given: &[N; IN]) -> [N; OUT] {
            W::of_lanes(given)
        }
    };
}
pub(super) use rarely;

/// Defines a vector type: name, register, lanes, and the intrinsic of each operation.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident, $register:ident, $lanes:literal,
        $splat:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident,
        negated: |$v:ident| $negated:expr,
        above: |$y:ident, $bound:ident| $above:expr,
        choose: |$x:ident, $limit:ident, $then:ident, $otherwise:ident| $choose:expr,
        rarely: $rarely:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub(crate) struct $name($register);

        vector!(@operators $name, Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                let $v = self.0;
                // SAFETY: used only inside the entry that enables the instructions.
                $name(unsafe { $negated })
            }
        }

        impl Number for $name {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn load(from: &[f64]) -> Self {
                let lanes: &[f64; $lanes] = from.first_chunk().expect("as many as there are lanes");
                // SAFETY: the register has the size of the array, and any bits are valid.
                $name(unsafe { lanes.as_ptr().cast::<$register>().read_unaligned() })
            }

            #[inline(always)]
            fn store(self, to: &mut [f64]) {
                let lanes: &mut [f64; $lanes] = to.first_chunk_mut().expect("as many as there are lanes");
                // SAFETY: as in `load`.
                unsafe { lanes.as_mut_ptr().cast::<$register>().write_unaligned(self.0) }
            }

            #[inline(always)]
            fn splat(value: f64) -> Self {
                // SAFETY: used only inside the entry that enables the instructions.
                $name(unsafe { $splat(value) })
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: used only inside the entry that enables the instructions.
                $name(unsafe { $sqrt(self.0) })
            }

            #[inline(always)]
            fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
                let ($x, $then, $otherwise) = (self.0, then.0, otherwise.0);
                // SAFETY: used only inside the entry that enables the instructions.
                $name(unsafe {
                    let $limit = $splat(bound);
                    $choose
                })
            }

            #[inline(always)]
            fn any_above(self, bound: f64) -> bool {
                let $y = self.0;
                // SAFETY: used only inside the entry that enables the instructions.
                unsafe {
                    let $bound = $splat(bound);
                    $above != 0
                }
            }

            #[inline(always)]
            fn rarely<N: Number, const IN: usize, const OUT: usize, W: RareWork<IN, OUT>>(given: &[N; IN]) -> [N; OUT] {
                #[allow(unused_unsafe)] // the baseline needs none
                // SAFETY: used only inside the entry that enables the instructions.
                unsafe {
                    $rarely::<N, IN, OUT, W>(given)
                }
            }
        }
    };
    (@operators $name:ident, $($operator:ident $method:ident $intrinsic:ident),*) => {$(
        impl $operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: used only inside the entry that enables the instructions.
                $name(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
pub(super) use vector;
