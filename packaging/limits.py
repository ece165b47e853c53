"""Runs commands that may hang: after a time their processes are ended, and what they have printed is
shown."""

import os
import signal
import subprocess
import sys

PROGRAM = 600  # seconds; an emulated program takes less than a tenth
BUILD = 3600  # seconds, for cargo, make and maturin


def run(words, seconds=PROGRAM, **more):
    """As `subprocess.run`, with text. The command has a session of its own, so that its children end
    with it: they would keep its output open. It hears Ctrl-C: a shell starts what is in its background
    with that signal ignored, which children inherit, and a program that waits for it would run for
    ever."""
    words = [str(word) for word in words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    started = {"text": True, "start_new_session": True, "preexec_fn": hear_ctrl_c}
    with subprocess.Popen(words, **started, **pipes) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException as exception:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            if isinstance(exception, subprocess.TimeoutExpired):
                printed = f"{(out or '')[-8000:]}{(err or '')[-8000:]}"
                sys.exit(f"{' '.join(words)}\ntook more than {seconds} s, and printed\n{printed}")
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def hear_ctrl_c():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
