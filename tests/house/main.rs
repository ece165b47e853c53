//! What we say and what we keep: the order of the modules, the header, the pages, the promises, the crates. Most of these tests read text.

#[path = "../common/mod.rs"]
mod common;

mod bindings;
mod circles;
mod docs;
mod exported;
mod header;
mod layers;
mod modules;
mod packages;
mod portions;
mod promises;
mod reader;
mod rules;
mod supply_chain;
