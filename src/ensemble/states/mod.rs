//! Where the states are: in blocks of the ensemble, or in the caller's arrays.

pub(crate) mod access;
pub(crate) mod bind;
pub(crate) mod convert;
pub(crate) mod locked_axes;
pub(crate) mod own;
