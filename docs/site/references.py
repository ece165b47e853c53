"""Pages with the functions of the Python and Julia packages, made from their docstrings for the site."""

import ast
import re


def pages(root):
    """Of each language its page, in Markdown."""
    return {"Python": python(root / "bindings/python/quatint"), "Julia": julia(root / "bindings/julia/Quatint/src")}


# ---- Python


def python(package):
    start = ast.parse((package / "__init__.py").read_text())
    definitions = {}
    for path in [*package.glob("_*.py"), package / "_quatint.pyi"]:
        if path.name == "__init__.py":
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
                definitions.setdefault(node.name, node)
    names = [alias.name for node in start.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    public = [definitions[name] for name in names if not name.startswith("_") and name in definitions]
    assert len(public) > 40, f"only {len(public)} functions and classes have a docstring"
    classes = [node for node in public if isinstance(node, ast.ClassDef)]
    # bodies and ensembles first, then the others by name
    classes.sort(key=lambda node: (["Body", "Ensemble"].index(node.name) if node.name in ("Body", "Ensemble") else 2, node.name))
    functions = sorted((node for node in public if isinstance(node, ast.FunctionDef)), key=lambda node: node.name)

    lines = ["# Functions in Python", "", markdown_of_numpy(ast.get_docstring(start)), ""]
    lines += ["This page is made from the docstrings, which `help(quatint.Body)` and so on also show.", ""]
    for node in classes:
        lines += [f"## {node.name}", "", *entry(node.name, made_by(node), node)]
        for name, member, settable in members(node):
            is_property = not isinstance(member, ast.FunctionDef) or any(
                getattr(mark, "id", "") == "property" for mark in member.decorator_list
            )
            call = name if is_property else signature(name, member)
            note = ["*Property, can be set.*" if settable else "*Property.*", ""] if is_property else []
            lines += [f"### {node.name}.{name}", "", *note, *entry("" if is_property else call, "", member)]
    lines += ["## Functions", ""]
    for node in functions:
        lines += [f"### {node.name}", "", *entry(signature(node.name, node), "", node)]
    return "\n".join(lines)


def entry(call, arguments, node):
    code = ["```python", call + arguments, "```", ""] if call else []
    return [*code, markdown_of_numpy(ast.get_docstring(node)), ""]


def made_by(node):
    """The arguments of the constructor, if the class has one."""
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and member.name in ("__new__", "__init__"):
            return signature("", member)
    return ""


def members(node):
    """Name, definition and whether it can be set, of each public member with a docstring."""
    settable = {
        mark.value.id
        for member in node.body if isinstance(member, ast.FunctionDef)
        for mark in member.decorator_list if isinstance(mark, ast.Attribute) and mark.attr == "setter"
    }
    seen = set()
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member):
            if member.name not in seen:
                yield member.name, member, member.name in settable
            seen.add(member.name)


def signature(name, function):
    """The call without types, which the docstring gives in words."""
    arguments = function.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if argument is not None:
            argument.annotation = None
    for first in (arguments.posonlyargs, arguments.args):
        if first and first[0].arg in ("self", "cls"):
            del first[0]
    return f"{name}({ast.unparse(arguments)})"


def markdown_of_numpy(text):
    """A docstring in the style of numpy as Markdown: headings bold, parameters as a list."""
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    lines, out, in_list = text.split("\n"), [], False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if re.fullmatch(r"-{3,}", line):
            continue
        if re.fullmatch(r"-{3,}", following):
            in_list = line in ("Parameters", "Returns", "Raises", "Yields", "Attributes", "Fields")
            out += ["", f"**{line}**", ""]
        elif in_list and line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            out.append(f"- `{name}`: {kind}." if colon else f"- {line}:")
        elif in_list:
            out.append("  " + line.strip() if line.strip() else "")
        else:
            out.append(line.replace(">>>", "    >>>") if line.startswith(">>>") else line)
    return "\n".join(out).strip("\n")


# ---- Julia

TITLES = {
    "accessors": "Values of bodies and ensembles", "views": "Arrays of your program", "solve": "Solutions with error control",
    "population": "Bodies that come and go", "library": "The library", "rotation": "Rotations",
    "conversions": "Conversions of rotations", "random": "Random torques", "numbers": "Quaternions and vectors",
    "inertia": "Inertia that changes, and locked axes", "mass": "Mass properties", "points": "Points on bodies",
    "kicks": "Kicks and drifts", "callbacks": "Torques that are functions", "torques": "Ready-made torques",
    "torque_functions": "Parts of a torque", "integrate": "As in QuaternionIntegrator.jl",
}


def julia(source):
    module = (source / "Quatint.jl").read_text()
    ((intro, _),) = docstrings(module)
    lines = ["# Functions in Julia", "", reference_of(intro), ""]
    lines += ["This page is made from the docstrings, which `?Body` and so on also show.", ""]
    count = 0
    for stem in re.findall(r'^include\("(\w+)\.jl"\)', module, re.M):
        entries = []
        for text, code in docstrings((source / f"{stem}.jl").read_text()):
            calls, rest = re.match(r"((?:    [^\n]*\n)*)\n?(.*)", text, re.S).groups()
            calls = re.sub(r"^    ", "", calls, flags=re.M).rstrip("\n")
            name = re.match(r"(?:mutable |abstract )?(?:struct|type|function|const)? *([^\s({<]+)", calls or code)[1]
            if not calls and not re.search(rf"^export .*\b{name}\b", module, re.M):
                continue  # for the package's own use
            entries += [f"### {name}", ""]
            entries += ["```julia", calls, "```", ""] if calls else []
            entries += [reference_of(rest), ""]
            count += 1
        if entries:
            lines += [f"## {TITLES.get(stem, stem.replace('_', ' ').capitalize())}", "", *entries]
    assert count > 90, f"only {count} functions have a docstring"
    return "\n".join(lines)


def docstrings(text):
    """Each with the line of code below it."""
    return re.findall(r'^"""\n(.*?)^"""\n([^\n]*)', text, re.M | re.S)


def reference_of(text):
    return re.sub(r"\[(`[^`]+`)\]\(@ref\)", r"\1", text).strip("\n")
