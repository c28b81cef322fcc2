"""Mutation testing of the core: sampled mutants, each run against the tests of its module.

    .venv/bin/python tests/mutants.py --count 400 --seed 1 build/mutants.jsonl [--under core/desk]

A mutant is the core with one expression or statement changed, in a scratch copy of the repository.
Tests run in steps until one fails: the mirrored module under `tests/core`, the modules of the
core's tests that import the mutated one, the mirrored folder and the one around it; with
`--coverage FILE`, all other tests that run a changed line; with `--all`, the whole suite. FILE is
made with pytest-cov: `pytest --web-engine=without --cov=core --cov-context=test -n 2`.
A failure counts where the same test passes without the mutant. The file
gets one JSON line for each mutant and is continued where it exists; `--again` tries its survivors
once more, which new tests may kill; `--report` prints its counts and survivors.
Recorded: `tests/bench/mutants.md`.

Texts, annotations and decorators of classes are not mutated. Two more kinds of mutants can by
construction change no result, and are left out:

- `strict=True` of `zip`, an assertion that lengths are equal;
- the arguments of `run.report(...)`, the figures of a progress bar. Without the whole call a run
  would not notice that it was cancelled: this mutant stays.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
PYTEST = ("-m", "pytest", "-x", "-q", "-rfE", "--no-header", "-m", "not parity", "--tb=no")
NO_TESTS = 5


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a file: the bytes from `start` to `end` become `after`."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a mutant: `killed`, `timeout` or `survived`, and the test that failed."""

    status: str
    test: str
    seconds: float


class Mutator(ast.NodeVisitor):
    """Collector of the mutants of one file."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.offsets = [0]
        for line in source.splitlines(keepends=True):
            self.offsets.append(self.offsets[-1] + len(line))
        self.mutants: list[Mutant] = []

    def replace(self, node: ast.expr | ast.stmt, after: str) -> None:
        """Add the mutant that has `after` in a node's place."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.offsets[node.lineno - 1] + node.col_offset
        end = self.offsets[node.end_lineno - 1] + node.end_col_offset
        before = self.source[start:end].decode()
        self.mutants.append(Mutant(self.path, node.lineno, start, end, before, after))

    def visit_Compare(self, node: ast.Compare) -> None:
        operators = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        self.replace(node, f"({unparse(ast.Compare(node.left, operators, node.comparators))})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = ARITHMETIC.get(type(node.op))
        if other and not any(is_text(side) for side in (node.left, node.right)):
            self.replace(node, f"({unparse(ast.BinOp(node.left, other(), node.right))})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.replace(node, f"({unparse(ast.BoolOp(other, node.values))})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.replace(node, f"({unparse(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self.replace(node, str(node.value + 1))
        elif isinstance(node.value, float):
            self.replace(node, repr(node.value * 2 + 1))

    def visit_If(self, node: ast.If) -> None:
        if unparse(node.test) == "TYPE_CHECKING":
            return
        self.replace(node.test, f"(not ({unparse(node.test)}))")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.replace(node, f"({unparse(ast.IfExp(node.test, node.orelse, node.body))})")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and unparse(node.value) != "None":
            self.replace(node, "return None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.replace(node, "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = unparse(node.func)
        if re.search(r"\b_?run\.report$", called):
            return  # the figures of a progress bar
        for part in (node.func, *node.args, *node.keywords):
            if called != "zip" or unparse(part) != "strict=True":
                self.visit(part)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.replace(node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.replace(node, "break")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip texts."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """Skip annotations."""

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:  # options of @dataclass change no behaviour
            self.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.visit(node.args)
        for part in (*node.decorator_list, *node.body):
            self.visit(part)


def unparse(node: ast.AST) -> str:
    """Return the source of a node."""
    return ast.unparse(ast.fix_missing_locations(node))


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is certainly a text."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Return all mutants of a file whose source differs from it."""
    mutator = Mutator(path, source)
    mutator.visit(ast.parse(source))
    return [mutant for mutant in mutator.mutants if mutant.before != mutant.after]


def sampled(root: Path, count: int, seed: int, under: Sequence[str] = ("core",)) -> list[Mutant]:
    """Return a sample of the mutants in some folders, the same for the same code and seed."""
    paths = sorted(
        path
        for folder in under
        for path in (root / folder).rglob("*.py")
        if path.name != "version.py"
    )
    every = [
        mutant
        for path in paths
        for mutant in mutants_of(path.relative_to(root).as_posix(), path.read_bytes())
    ]
    return random.Random(seed).sample(every, min(count, len(every)))


def selections(root: Path, path: str) -> Iterator[list[str]]:
    """Yield arguments of pytest, the nearest tests of a module first."""
    module = Path(path)
    folder = Path("tests") / module.parent
    mirrored = folder / f"test_{module.stem}.py"
    if (root / mirrored).exists():
        yield [mirrored.as_posix()]
    users = [name for name in importers(root, path) if name != mirrored.as_posix()]
    if users:
        yield users
    if folder.name != "core" and (root / folder).is_dir():
        yield [folder.as_posix(), *(f"--deselect={name}" for name in (mirrored.as_posix(), *users))]
    if len(folder.parts) > 4:  # such as the tests of a whole competition
        yield [folder.parent.as_posix(), f"--ignore={folder.as_posix()}"]


def tests_of_lines(coverage: Path, path: str, lines: range) -> list[str]:
    """Return the tests that run some of a file's lines, from coverage.py's file with contexts."""
    with closing(sqlite3.connect(f"file:{coverage}?mode=ro", uri=True)) as data:
        rows = data.execute(
            "SELECT context.context, line_bits.numbits FROM line_bits"
            " JOIN file ON file.id = line_bits.file_id"
            " JOIN context ON context.id = line_bits.context_id WHERE file.path LIKE ?",
            (f"%/{path}",),
        )
        found = {
            context.rpartition("|")[0]
            for context, bits in rows
            if any(line // 8 < len(bits) and bits[line // 8] >> line % 8 & 1 for line in lines)
        }
    return sorted(found - {""})


def importers(root: Path, path: str) -> list[str]:
    """Return the test modules of the core that import one of its modules by name."""
    package, _, name = f"jurydesk.{path.removesuffix('.py').replace('/', '.')}".rpartition(".")
    if name == "__init__":
        package, _, name = package.rpartition(".")
    pattern = re.compile(
        rf"{re.escape(f'{package}.{name}')}\b|from {re.escape(package)} import [^\n]*\b{name}\b"
    )
    tests = sorted((root / "tests" / "core").rglob("test_*.py"))
    found = (test for test in tests if pattern.search(test.read_text(encoding="utf-8")))
    return [test.relative_to(root).as_posix() for test in found]


def copy_of(root: Path, folder: Path) -> Path:
    """Copy the tracked files, the compiled modules and METEOR's kept index into a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    )
    compiled = (path.relative_to(root) for path in (root / "core").rglob("*.so"))
    for name in (*filter(None, listed.stdout.split("\0")), *map(str, compiled)):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target)
    if (root / "build" / "tests-cache").exists():
        shutil.copytree(root / "build" / "tests-cache", folder / "build" / "tests-cache")
    shutil.copytree(root / "build" / "tree", folder / "build" / "tree", symlinks=True)
    return folder


def run_tests(root: Path, arguments: Sequence[str], seconds: float) -> tuple[int | None, str]:
    """Return pytest's exit code, None after the time limit, and the first failed test."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root / "build" / "tree"),
        "QT_QPA_PLATFORM": "offscreen",
        "OMP_NUM_THREADS": "1",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [sys.executable, *PYTEST, *arguments],
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)  # including the processes started by tests
        process.wait()
        return None, ""
    failed = FAILED.search(output)
    return process.returncode, failed[1] if failed else ""


class Trials:
    """Trials of mutants in a copy of the repository.

    A file is never written twice with the same time, by which Python knows a compiled file.
    """

    def __init__(
        self,
        root: Path,
        seconds: float,
        *,
        coverage: Path | None = None,
        everything: bool = False,
    ) -> None:
        self.root = root
        self.seconds = seconds
        self.coverage = coverage
        self.everything = everything
        self._sound: set[tuple[str, ...]] = set()
        self._times = itertools.count(int(time.time()) - 10**8)

    def outcome(self, mutant: Mutant) -> Outcome:
        """Run the tests of a mutant, and restore its file."""
        path = self.root / mutant.path
        source = path.read_bytes()
        mutated = source[: mutant.start] + mutant.after.encode() + source[mutant.end :]
        began = time.monotonic()
        status, test = "survived", ""
        try:
            for arguments in self._selections(mutant):
                self._write(path, mutated)
                code, test = run_tests(self.root, arguments, self.seconds)
                if code in (0, NO_TESTS):
                    continue
                self._write(path, source)
                if self._pass_without_it([test] if test else arguments):
                    status = "timeout" if code is None else "killed"
                    break
        finally:
            self._write(path, source)
        test = test if status == "killed" else ""
        return Outcome(status, test, round(time.monotonic() - began, 1))

    def _selections(self, mutant: Mutant) -> Iterator[list[str]]:
        yield from selections(self.root, mutant.path)
        if self.coverage:
            lines = range(mutant.line, mutant.line + mutant.before.count("\n") + 1)
            tests = tests_of_lines(self.coverage, mutant.path, lines)
            if tests:
                yield ["--web-engine=without", *tests]
        if self.everything:
            yield ["tests", "--web-engine=without"]

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        moment = next(self._times)
        os.utime(path, (moment, moment))

    def _pass_without_it(self, arguments: list[str]) -> bool:
        key = tuple(arguments)
        if key not in self._sound and run_tests(self.root, key, self.seconds)[0] in (0, NO_TESTS):
            self._sound.add(key)
        return key in self._sound


def found_again(root: Path, mutant: Mutant) -> Mutant | None:
    """Return a mutant at its code's current place, nearest to the old one; None if it is gone."""
    path = root / mutant.path
    source, before = path.read_bytes() if path.exists() else b"", mutant.before.encode()
    places = [match.start() for match in re.finditer(re.escape(before), source)]
    if not places:
        return None
    start = min(places, key=lambda place: abs(place - mutant.start))
    line = source.count(b"\n", 0, start) + 1
    return replace(mutant, line=line, start=start, end=start + len(before))


def try_again(trials: Trials, records: Path) -> None:
    """Try the survivors among the records once more, and replace their lines."""
    lines = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    for place, record in enumerate(lines):
        fields = {name: record[name] for name in Mutant.__slots__}
        mutant = found_again(trials.root, Mutant(**fields))
        if record["status"] != "survived" or mutant is None:
            continue
        outcome = trials.outcome(mutant)
        lines[place] = {**asdict(mutant), **asdict(outcome)}
        records.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        print(f"{place + 1:4} {outcome.status:8} {mutant.path}:{mutant.line}", flush=True)


def report(lines: Sequence[str]) -> str:
    """Return the counts and the survivors of recorded mutants as Markdown."""
    records = [json.loads(line) for line in lines]
    counts = Counter(record["status"] for record in records)
    survived = counts.pop("survived", 0)
    total = len(records)
    rows = [
        f"{total} mutants, {total - survived} killed ({(total - survived) / max(total, 1):.1%}).",
        "",
        "| module | line | before | after |",
        "|---|---:|---|---|",
    ]
    for record in sorted(records, key=lambda one: (one["path"], one["line"])):
        if record["status"] == "survived":
            texts = (" ".join(record[name].split())[:70] for name in ("before", "after"))
            cells = (f"`{text}`".replace("|", r"\|") for text in texts)
            rows.append(f"| `{record['path']}` | {record['line']} | {' | '.join(cells)} |")
    return "\n".join(rows)


def main() -> None:
    """Try sampled mutants, or report recorded ones."""
    parser = argparse.ArgumentParser(description="Mutation testing of the core.")
    parser.add_argument("records", type=Path, help="file of JSON lines, continued if it exists")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--under", nargs="+", default=["core"], help="folders to take mutants from")
    parser.add_argument("--seconds", type=float, default=300, help="limit of each run of pytest")
    parser.add_argument("--coverage", type=Path, help="try survivors with the tests of their lines")
    parser.add_argument("--all", action="store_true", help="try survivors with the whole suite")
    parser.add_argument("--again", action="store_true", help="try the recorded survivors again")
    parser.add_argument("--report", action="store_true", help="print a report of the records")
    options = parser.parse_args()
    done = options.records.read_text().splitlines() if options.records.exists() else []
    if options.report:
        print(report(done))
        return
    with tempfile.TemporaryDirectory(prefix="jurydesk-mutants-") as folder:
        root = copy_of(ROOT, Path(folder))
        trials = Trials(root, options.seconds, coverage=options.coverage, everything=options.all)
        if options.again:
            try_again(trials, options.records)
            return
        for number, mutant in enumerate(sampled(root, options.count, options.seed, options.under)):
            if number < len(done):
                continue
            outcome = trials.outcome(mutant)
            with options.records.open("a", encoding="utf-8") as records:
                records.write(json.dumps({**asdict(mutant), **asdict(outcome)}) + "\n")
            print(f"{number + 1:4} {outcome.status:8} {mutant.path}:{mutant.line}", flush=True)


if __name__ == "__main__":
    main()
