"""The program's imports and layers, checked in separate processes."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import jurydesk.core
from support.plug_ins.installation import plug_in

ROOT = Path(jurydesk.core.__file__).resolve().parent.parent

BLOCKED = (
    "PySide6",
    "shiboken6",
    "pyqtgraph",
    "torch",
    "scipy",
    "polars",
    "lxml",
    "pandas",
    "dask",
    "distributed",
)
LATE = (*BLOCKED, "rich", "PIL", "nltk", "rapidfuzz", "pymorphy3", "transformers", "asyncio")

IMPORT_ALL = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} is imported at module level")

sys.meta_path.insert(0, Refusal())
for name in {modules!r}:
    __import__(name)
"""

CANARY = """
import sys
from PySide6.QtWidgets import QApplication, QLabel

app = QApplication([])
label = QLabel()
before = sys.getrefcount(None)
for i in range(2000):
    label.setText(str(i))
print(before - sys.getrefcount(None))
"""


def python(code: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=100,
        check=False,
    )


def core_modules() -> list[str]:
    found = pkgutil.walk_packages(jurydesk.core.__path__, "jurydesk.core.")
    return sorted(module.name for module in found if not module.name.endswith("__main__"))


def test_every_core_module_is_imported_without_qt_or_a_heavy_package():
    outcome = python(IMPORT_ALL.format(blocked=set(BLOCKED), modules=core_modules()))
    assert outcome.stderr == ""


@pytest.mark.parametrize(
    "statement",
    [
        "import jurydesk.core.cli",
        "import jurydesk.core.cli.program, jurydesk.core.cli.commands.scoring.score",
        "from jurydesk.core.competition.task_registry import registry; registry()",
    ],
)
def test_a_command_starts_without_modules_that_it_may_not_need(statement):
    outcome = python(f"import sys; {statement}; print(*sys.modules)")
    assert outcome.returncode == 0, outcome.stderr
    loaded = {name.split(".")[0] for name in outcome.stdout.split()}
    assert loaded & set(LATE) == set()


def test_importing_the_command_line_loads_no_numpy():
    outcome = python("import sys; import jurydesk.core.cli; print('numpy' in sys.modules)")
    assert outcome.stdout == "False\n", outcome.stderr


def test_a_void_qt_call_keeps_the_count_of_references_to_none():
    """PySide6 6.12.0 loses one at each call on Python < 3.12, and aborts (PYSIDE-3474)."""
    outcome = python(CANARY)
    assert outcome.returncode == 0, outcome.stderr
    assert abs(int(outcome.stdout)) < 200


def test_no_code_asks_a_layout_for_its_items():
    """PySide keeps them after Qt deleted them, and crashes; see `placed_widgets`."""
    asked = re.compile("[.]item(At|AtPosition)[(]")
    paths = [path for name in ("app", "tests", "packaging") for path in (ROOT / name).rglob("*.py")]
    assert len(paths) > 500
    found = [path for path in paths if asked.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_imports_go_in_one_direction():
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as main; main()",
    ]
    outcome = subprocess.run(
        [*command, "--no-cache"], capture_output=True, text=True, cwd=ROOT, timeout=100, check=False
    )
    assert outcome.returncode == 0, outcome.stdout


@pytest.mark.parametrize("package", ["jurydesk.app"])
def test_no_modules_import_each_other_not_even_for_types_or_in_functions(package):
    graph = grimp.build_graph("jurydesk", cache_dir=None)
    modules = graph.find_descendants(package)
    imports = {one: graph.find_modules_directly_imported_by(one) & modules for one in modules}
    TopologicalSorter(imports).prepare()


def test_the_folder_packaging_has_no_init_module():
    """With an __init__.py it would shadow the library of that name."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


PLUGIN = """
raise RuntimeError("this plug-in is broken\\nin two lines")
"""


@pytest.fixture
def broken_plugin(tmp_path):
    folder = plug_in(tmp_path / "site", "broken", "jurydesk_broken:TASK")
    (folder / "jurydesk_broken.py").write_text(PLUGIN)
    return folder


def test_a_broken_plug_in_is_listed_with_its_error_and_breaks_nothing_else(broken_plugin):
    outcome = python(
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from jurydesk.core.competition.task_registry import registry\n"
        "print(sorted(registry().tasks))\n"
        "for one in registry().broken: print(one.name, repr(one.error))",
        str(broken_plugin),
    )
    assert outcome.returncode == 0, outcome.stderr
    known, broken = outcome.stdout.splitlines()
    assert "keyword-spotting" in known
    assert broken == "broken 'RuntimeError: this plug-in is broken\\nin two lines'"


def test_doctor_names_a_broken_plug_in_and_succeeds(broken_plugin):
    outcome = python(
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from jurydesk.core.cli import main; sys.exit(main(['doctor']))",
        str(broken_plugin),
    )
    assert outcome.returncode == 0, outcome.stderr
    assert "could not be loaded: RuntimeError: this plug-in is broken" in outcome.stdout


def test_no_metric_has_a_function_of_numpy_whose_last_digit_depends_on_the_processor():
    """A kernel matrix alone has one: its products of matrices differ between processors anyway."""
    named = re.compile(r"np\.(?:exp|exp2|expm1|log|log2|log10|log1p|power|tanh|sin|cos)\(")
    files = (ROOT / "core" / "metrics").rglob("*.py")
    found = {path.name for path in files if named.search(path.read_text(encoding="utf-8"))}
    assert found == {"kernel_distance.py"}
