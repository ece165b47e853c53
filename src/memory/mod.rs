//! Where the numbers of many bodies lie, and how they get into vector registers and back.
//!
//! A pointer or slice of the caller's becomes a [`View`] once; from there it is checked, and no other module sees an address.
//! An ensemble's own numbers lie in [`Block`]s. Callbacks and the stage protocol exchange packed arrays.
//!
//! | word | meaning |
//! |---|---|
//! | block | 16 bodies, a column for each of their numbers |
//! | body stride | distance in doubles from a number of one body to the same number of the next |
//! | component stride | distance in doubles from one component of a vector to the next |
//! | position | index in the list of the bodies that move; without such a list, the body's own index |

#![allow(unsafe_code)] // arrays of the caller's, read and written by their strides

mod ahead;
mod block;
mod bodies;
mod packed;
mod transfer;
mod view;

pub(crate) use ahead::{Ahead, Rows};
pub(crate) use block::{Block, blocks_for, filled, get, load, load_vector, set, store, store_vector};
pub(crate) use block::{States, StatesMut};
pub(crate) use bodies::Bodies;
pub use packed::Layout;
pub(crate) use packed::{PackedStates, PackedTorques};
pub use view::{View, ViewMut};
