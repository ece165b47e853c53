//! The list of the ready-made torques, and a torque that is any of them.

use super::own_numbers::OwnNumbers;
use super::{
    ConstantBody, ConstantWorld, GravityGradient, LinearDrag, PerBody, ShearFlow, Torque,
    UniformField,
};
use crate::kernel::{PrincipalInertia, TorqueState, Vec3};
use std::convert::Infallible;

/// Calls a macro with the ready-made torques, each with how many numbers each body has of it: their
/// only list.
macro_rules! list_of_torques {
    ($then:ident) => {
        $then!(
            ConstantWorld: 3,
            ConstantBody: 3,
            UniformField: 3,
            GravityGradient: 1,
            LinearDrag: 3,
            ShearFlow: 6
        );
    };
}
pub(crate) use list_of_torques;

macro_rules! ready_made_torque {
    ($($name:ident: $k:literal),*) => {
        /// Any of the ready-made torques, chosen at run time. It has the bits of the one that it
        /// is.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum ReadyMade {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name<f64>),
            )*
        }

        $(
            impl From<$name<f64>> for ReadyMade {
                fn from(torque: $name<f64>) -> Self {
                    ReadyMade::$name(torque)
                }
            }
        )*

        impl Torque for ReadyMade {
            type Error = Infallible;
            const IS_READY_MADE: bool = true;

            #[inline(always)]
            fn torque_body(
                &mut self, time: f64, here: &TorqueState<f64>, inertia: &PrincipalInertia<f64>,
            ) -> Result<Vec3<f64>, Infallible> {
                match self {
                    $(ReadyMade::$name(torque) => torque.torque_body(time, here, inertia),)*
                }
            }

            #[inline(always)]
            fn resistance(&self) -> Option<Vec3<f64>> {
                match self {
                    $(ReadyMade::$name(torque) => torque.resistance(),)*
                }
            }

            #[inline(always)]
            fn is_of_fluid(&self) -> bool {
                match self {
                    $(ReadyMade::$name(torque) => Torque::<f64>::is_of_fluid(torque),)*
                }
            }

            #[inline(always)]
            fn asks_orientation(&self) -> bool {
                match self {
                    $(ReadyMade::$name(torque) => Torque::<f64>::asks_orientation(torque),)*
                }
            }

            fn numbers(&self) -> OwnNumbers {
                match self {
                    $(ReadyMade::$name(torque) => OwnNumbers::of(torque.parts().0),)*
                }
            }

            fn set_numbers(&mut self, numbers: &[f64]) {
                match self {
                    $(ReadyMade::$name(torque) => {
                        let (mut each, shared) = torque.parts();
                        each.copy_from_slice(numbers);
                        *torque = <$name<f64> as PerBody<$k>>::on(each, &shared);
                    })*
                }
            }
        }
    };
}
list_of_torques!(ready_made_torque);
