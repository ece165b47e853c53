"""Reads preprocessed C and prints each function: name, result type, argument types. Fails on types loadlibrary cannot pass."""
import sys

from pycparser import c_ast, c_parser

PLAIN = {"void", "double", "char", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "ptrdiff_t"}


def kind(node, typedefs):
    """Returns the name of a type: `double`, `double*`, `qi_body*`, `function`. Resolves typedefs of the library."""
    if isinstance(node, c_ast.PtrDecl):
        inner = "function" if isinstance(node.type, c_ast.FuncDecl) else kind(node.type, typedefs)
        return inner if inner == "function" else inner + "*"
    if not isinstance(node, c_ast.TypeDecl):
        sys.exit(f"{node.coord}: {type(node).__name__} is not a type that loadlibrary passes")
    if isinstance(node.type, c_ast.Struct):
        if node.type.decls is not None:
            sys.exit(f"{node.coord}: a struct that is not opaque")
        return node.type.name
    name = " ".join(node.type.names)
    if name in PLAIN:
        return name
    if name not in typedefs:
        sys.exit(f"{node.coord}: {name} is not a type that loadlibrary passes")
    return kind(typedefs[name], typedefs)


typedefs, functions = {}, []
for declaration in c_parser.CParser().parse(sys.stdin.read(), "header").ext:
    if isinstance(declaration, c_ast.Typedef):
        typedefs[declaration.name] = declaration.type
    elif isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.FuncDecl):
        functions.append((declaration.name, declaration.type))
    elif not (isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.Struct) and declaration.type.decls is None):
        sys.exit(f"{declaration.coord}: neither a function nor an opaque type")
for name, function in functions:
    arguments = [kind(p.type, typedefs) for p in (function.args.params if function.args else [])]
    print(name, kind(function.type, typedefs), *(a for a in arguments if a != "void"))
