"""The hook of pdm-backend. A wheel gets the extension from cargo's folder. An editable installation has it in the package, where Python
looks; that file may be old, so a wheel never takes it.
"""

import shutil
from pathlib import Path


def pdm_build_update_files(context, files):
    extension = Path(context.config_settings["extension"])
    if context.target == "editable":
        place = context.root / "quatint" / extension.name
        place.unlink(missing_ok=True)  # a Python that runs keeps the old file
        shutil.copy2(extension, place)
    else:
        files[f"quatint/{extension.name}"] = extension
