"""The hook of pdm-backend: the wheel gets the extension from cargo's folder. In the package it would be that of an editable installation."""

import shutil
from pathlib import Path


def pdm_build_update_files(context, files):
    extension = Path(context.config_settings["extension"])
    if context.target == "editable":
        shutil.copy2(extension, context.root / "quatint")
    else:
        files[f"quatint/{extension.name}"] = extension
