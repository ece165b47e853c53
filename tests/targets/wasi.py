"""Runs a program for wasm32-wasip1 with wasmtime, from this folder: wasi.py PROGRAM ARGUMENT..."""

import os
import sys

from wasmtime import Config, Engine, ExitTrap, Linker, Module, Store, WasiConfig

engine = Engine(Config())
linker = Linker(engine)
linker.define_wasi()
wasi = WasiConfig()
wasi.argv = sys.argv[1:]
wasi.inherit_stdout()
wasi.inherit_stderr()
# the tests name their files by the path where they were built, or from this folder
wasi.preopen_dir(os.getcwd(), os.getcwd())
wasi.preopen_dir(os.getcwd(), ".")
store = Store(engine)
store.set_wasi(wasi)
instance = linker.instantiate(store, Module.from_file(engine, sys.argv[1]))
try:
    instance.exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
