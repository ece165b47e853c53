//! The memory of many bodies, and the transfer between memory and vector registers.
//!
//! A pointer or slice of the caller becomes a [`View`] once, and is checked there; no other module
//! handles addresses. An ensemble's own states are in `Block`s of 16 bodies. Callbacks and the
//! stage protocol use packed arrays. A body stride (component stride) is the distance in doubles
//! from a value of one body (component) to the same value of the next.

#![allow(unsafe_code)] // reads and writes the caller's arrays by strides

mod block;
mod output;
mod packed;
mod strided;
mod transfer;
mod view;

pub(crate) use block::{
    Block, Bodies, States, StatesMut, blocks_for, boxed, fill_idle_lanes, filled, fingerprint, get,
    load, load_vector, make_room, numbers, numbers_mut, of_each, repeated, set, store,
    store_vector,
};
pub(crate) use output::Output;
pub use packed::Layout;
pub(crate) use packed::{PackedStates, PackedTorques};
pub(crate) use strided::check_stride;
pub use view::{View, ViewMut};
pub(crate) use view::{gather, scatter};
