"""Settings of the manual: `python -m sphinx -W docs build/docs` builds it without a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from jurydesk.core.version import __version__  # noqa: E402

project = "Jurydesk"
author = "The Jurydesk developers"
project_copyright = "2026, the Jurydesk developers"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["competitions/*.md"]
suppress_warnings = ["myst.xref_missing"]  # links of the included guide to other files
autodoc_member_order = "bysource"
autodoc_typehints = "description"
html_theme = "alabaster"
html_theme_options = {"description": "The offline evaluation desk", "page_width": "1080px"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_show_sourcelink = False


def setup(app: Any) -> None:
    """Write the pages that are made from declarations before the sources are read."""
    from pages import write_pages

    write_pages(HERE / "generated")
