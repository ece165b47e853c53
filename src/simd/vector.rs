//! The vector types of all architectures have one shape: a register, and an intrinsic for each
//! operation of a [`Number`].

pub(super) use crate::kernel::{Number, RareWork};

/// Defines a vector type: name, register, lanes, and the intrinsic of each operation.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident, $register:ident, $lanes:literal,
        $splat:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident,
        negated: |$v:ident| $negated:expr,
        above: |$y:ident, $bound:ident| $above:expr,
        choose: |$x:ident, $limit:ident, $then:ident, $otherwise:ident| $choose:expr,
        features: $($features:literal)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub(crate) struct $name($register);

        vector!(@operators $name:
            Add add(self, other) $add(self.0, other.0);
            Sub sub(self, other) $sub(self.0, other.0);
            Mul mul(self, other) $mul(self.0, other.0);
            Div div(self, other) $div(self.0, other.0);
            Neg neg(self) { let $v = self.0; $negated }
        );

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

            vector!(@functions
                splat(value: f64) -> Self { $name($splat(value)) }
                sqrt(self) -> Self { $name($sqrt(self.0)) }
                if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
                    let $x = self.0;
                    let $limit = $splat(bound);
                    let $then = then.0;
                    let $otherwise = otherwise.0;
                    $name($choose)
                }
                any_above(self, bound: f64) -> bool {
                    let $y = self.0;
                    let $bound = $splat(bound);
                    $above != 0
                }
            );

            #[inline(always)]
            fn rarely<N: Number, W: RareWork>(given: W::Given<'_, N>) -> W::Outcome<N> {
                #[cold]
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                fn out_of_line<N: Number, W: RareWork>(given: W::Given<'_, N>) -> W::Outcome<N> {
                    W::of_lanes(given)
                }
                #[allow(unused_unsafe)] // the baseline needs none
                // SAFETY: used only inside the entry that enables the instructions.
                unsafe {
                    out_of_line::<N, W>(given)
                }
            }
        }
    };
    (@operators $name:ident: $($operator:ident $method:ident($self:ident $(, $other:ident)?) $value:expr);*) => {$(
        impl std::ops::$operator for $name {
            type Output = Self;
            vector!(@functions $method($self $(, $other: Self)?) -> Self { $name($value) });
        }
    )*};
    (@functions $($function:ident($($argument:tt)*) -> $result:ty $value:block)*) => {$(
        #[inline(always)]
        fn $function($($argument)*) -> $result {
            // SAFETY: used only inside the entry that enables the instructions.
            unsafe { $value }
        }
    )*};
}
pub(super) use vector;
