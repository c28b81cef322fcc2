"""Stands in for Qt's bindings of OpenGL (9 MB), which pyqtgraph imports and here never uses.

PyInstaller runs this at the start of the packaged program.
"""

import sys
from types import ModuleType

for name in ("QtOpenGL", "QtOpenGLWidgets"):
    module = ModuleType(f"PySide6.{name}", "Not in this package.")
    module.QOpenGLWidget = type("QOpenGLWidget", (), {})  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
