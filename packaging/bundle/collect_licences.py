"""Collection of licences of bundled parts: `python packaging/bundle/collect_licences.py FOLDER`.

It runs in the environment that the package is built from. Every distribution gives the texts that
it carries; a table names all of them. WordNet's text comes out of METEOR's jar, and the texts that
Qt's licence refers to come from Debian's folder of common licences.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
import sysconfig
import zipfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
BUILDERS = {"altgraph", "cython", "pip", "pyinstaller", "pyinstaller-hooks-contrib", "setuptools"}
LEFT_OUT = {"polars", "polars-runtime-32"}
"""Installed where the package is built, but not in the package."""
TEXT = re.compile(r"(^|/)(LICEN[CS]E|COPYING|NOTICE|AUTHORS)[^/]*$|/licenses/", re.IGNORECASE)
COMMON = Path("/usr/share/common-licenses")
COMMON_TEXTS = ("LGPL-2.1", "LGPL-3", "GPL-3")
WORDNET = "synonym/COPYING.WORDNET"

HEAD = """# What this package contains, and its licences

Jurydesk is licensed under the Apache License 2.0 (LICENSE, with NOTICE). It runs on the packages
below; the texts that each of them carries lie in the folder of its name. Qt and PySide6 are used
under the LGPL 3.0, as libraries of their own that you may exchange; their web engine contains
Chromium, whose own parts are listed at
<https://doc.qt.io/qt-6/qtwebengine-licensing.html>. METEOR.md and WordNet.md describe the language
data; the sources of most packages are to be had under their names at <https://pypi.org>, those of
PySide6, shiboken6 and Qt at <https://download.qt.io/official_releases/> (QtForPython and qt).

| package | version | licence |
|---|---|---|
"""


def main(folder: Path) -> None:
    """Write the table and the texts into the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PACKAGING / "licences", folder)
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(PACKAGING.parent / name, folder / name)
    rows = [f"| Python | {sys.version.split()[0]} | PSF-2.0 |"]
    copy_python_licence(folder / "python")
    distributions = {normal(one.name): one for one in importlib.metadata.distributions()}
    for name, distribution in sorted(distributions.items()):
        if name not in BUILDERS | LEFT_OUT and name != "jurydesk":
            rows.append(f"| {name} | {distribution.version} | {licence_of(distribution)} |")
            copy_texts(distribution, folder / name)
    copy_wordnet(folder)
    copy_common(folder / "common")
    (folder / "README.md").write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


def normal(name: str) -> str:
    """Return the normalized name of a package, as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(distribution: importlib.metadata.Distribution) -> str:
    """Return the licence of a distribution in one line."""
    about = distribution.metadata
    names = ("License-Expression", "License")
    said = next((text for name in names for text in about.get_all(name) or ()), "")
    if said and "\n" not in said and said != "UNKNOWN":
        return said
    lines = about.get_all("Classifier") or ()
    named = [line.rpartition(" :: ")[2] for line in lines if line.startswith("License ::")]
    return ", ".join(named) or "see its texts"


def copy_texts(distribution: importlib.metadata.Distribution, folder: Path) -> None:
    """Copy the licence texts of a distribution; equal names get a number."""
    for file in distribution.files or ():
        _, _, rest = str(file).partition(".dist-info/")
        source = Path(str(distribution.locate_file(file)))
        if rest and TEXT.search(f"/{rest}") and source.is_file():
            folder.mkdir(exist_ok=True)
            shutil.copyfile(source, folder / rest.removeprefix("licenses/").replace("/", "-"))


def copy_python_licence(folder: Path) -> None:
    """Copy Python's own licence, if its installation contains it."""
    for place in (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)):
        text = place / "LICENSE.txt"
        if text.is_file():
            folder.mkdir()
            shutil.copyfile(text, folder / text.name)
            return
    print("Python's licence was not found: add it to the package.", file=sys.stderr)


def copy_wordnet(folder: Path) -> None:
    """Copy WordNet's licence, which must accompany METEOR's index."""
    import pycocoevalcap

    jar = Path(pycocoevalcap.__path__[0]) / "meteor" / "meteor-1.5.jar"
    with zipfile.ZipFile(jar) as archive:
        (folder / Path(WORDNET).name).write_bytes(archive.read(WORDNET))


def copy_common(folder: Path) -> None:
    """Copy the LGPL and GPL, which Qt and METEOR refer to but do not contain."""
    for name in COMMON_TEXTS:
        if (COMMON / name).is_file():
            folder.mkdir(exist_ok=True)
            shutil.copyfile(COMMON / name, folder / f"{name}.txt")
        else:
            print(f"The text of {name} is not on this machine: add it.", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
