"""Size and structure of the source: lines, functions, classes, imports, arrows between folders.

    python tests/bench/structure.py [TREE ...]     a table with one column for each tree

Without arguments it measures the checkout that it stands in. Counted are `app` and `core`, with
compiled modules' sources apart; JavaScript is that of `resources/web`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

PARTS = ("app", "core")
NESTED = ("pages", "tasks")
"""Folders whose own folders are rooms of their own."""
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def measure(root: Path) -> dict[str, str]:
    """Return the figures of a checkout, by name, as they are printed."""
    sources = {path: path.read_text(encoding="utf-8") for path in modules(root)}
    trees = {path: ast.parse(text) for path, text in sources.items()}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    functions = sorted(function_lengths(nodes))
    lines = sum(map(line_count, sources.values()))
    imports = sum(sum(map(len_of, import_nodes(tree))) for tree in trees.values())
    docstrings = sum(map(docstring_lines, nodes))
    sizes = sorted(map(line_count, sources.values()))
    tests = sum(line_count(path.read_text()) for path in (root / "tests").rglob("*.py"))
    arrows = folder_arrows(root, trees)
    return {
        "lines of app and core": f"{lines:,}",
        "imports": f"{imports:,} ({100 * imports / lines:.1f} %)",
        "docstrings": f"{docstrings:,} ({100 * docstrings / lines:.1f} %)",
        "functions": f"{len(functions):,}",
        "function: median / 90 % / longest": (
            f"{median(functions):.0f} / {functions[len(functions) * 9 // 10]} / {functions[-1]}"
        ),
        "classes": f"{sum(isinstance(node, ast.ClassDef) for node in nodes):,}",
        "modules without __init__": f"{sum(path.stem != '__init__' for path in sources):,}",
        "module: median / longest": f"{median(sizes):.0f} / {sizes[-1]}",
        "rooms": f"{len({room(root, path) for path in sources})}",
        "arrows between rooms": f"{len(arrows)}",
        "lines of Cython": f"{suffix_lines(root / 'core', '.pyx'):,}",
        "lines of JavaScript": f"{suffix_lines(root / 'resources' / 'web', '.js'):,}",
        "lines of tests": f"{tests:,}",
        "lines of packaging": f"{suffix_lines(root / 'packaging', '.py'):,}",
    }


def modules(root: Path) -> list[Path]:
    """Return the Python files of app and core."""
    return sorted(path for part in PARTS for path in (root / part).rglob("*.py"))


def line_count(text: str) -> int:
    """Return the number of lines of a text."""
    return len(text.splitlines())


def suffix_lines(folder: Path, suffix: str) -> int:
    """Return the lines of all files below a folder with this suffix."""
    return sum(line_count(path.read_text(encoding="utf-8")) for path in folder.rglob(f"*{suffix}"))


def len_of(node: ast.stmt) -> int:
    """Return the number of lines of a statement."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def import_nodes(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of a module, those inside functions too."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def docstring_lines(node: ast.AST) -> int:
    """Return the lines of a node's docstring, 0 without one."""
    if not isinstance(node, DOCUMENTED) or ast.get_docstring(node) is None:
        return 0
    return len_of(node.body[0])


def function_lengths(nodes: list[ast.AST]) -> Iterator[int]:
    """Yield the lines of each function without its docstring."""
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            yield len_of(node) - docstring_lines(node)


def room(root: Path, path: Path) -> str:
    """Return the folder of a module as an architect counts it, such as `core/desk`."""
    parts = path.relative_to(root).parts
    depth = 3 if len(parts) > 3 and parts[1] in NESTED else 2
    return "/".join(parts[:depth]) if len(parts) > 2 else parts[0]


def folder_arrows(root: Path, trees: dict[Path, ast.Module]) -> set[tuple[str, str]]:
    """Return the pairs of rooms of which the first imports the second."""
    known = {".".join(("jurydesk", *path.relative_to(root).with_suffix("").parts)): path
             for path in trees}  # fmt: skip
    found = set()
    for path, tree in trees.items():
        for node in import_nodes(tree):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for name in (node.module, *(f"{node.module}.{one.name}" for one in node.names)):
                if name in known or f"{name}.__init__" in known:
                    target = known.get(name, known.get(f"{name}.__init__"))
                    found.add((room(root, path), room(root, target)))
    return {(one, other) for one, other in found if one != other}


def main(arguments: list[str]) -> None:
    """Print the figures of each tree as a Markdown table."""
    trees = [Path(one).resolve() for one in arguments] or [Path(__file__).resolve().parents[2]]
    columns = [measure(tree) for tree in trees]
    print(f"| | {' | '.join(tree.name for tree in trees)} |")
    print("|---|" + "---|" * len(trees))
    for name in columns[0]:
        print(f"| {name} | {' | '.join(column[name] for column in columns)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
