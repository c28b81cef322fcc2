"""The program's commands as data; menus, keys, palette, buttons and shortcut sheet come from it."""

from __future__ import annotations

from jurydesk.app.commands.command import Command
from jurydesk.app.pages import PAGES

MENUS = ("File", "Edit", "Run", "View", "Help")


FILE = (
    Command("file.new", "New desk", "File", "files.new", ("Ctrl+N",)),
    Command("file.open", "Open …", "File", "files.choose", ("Ctrl+O",), spoken="add files desk"),
    Command("file.folder", "Add folder …", "File", "files.choose_folder", ("Ctrl+Shift+O",)),
    Command(
        "file.watch",
        "Watch a folder …",
        "File",
        "organiser.choose_watched",
        ("Ctrl+Shift+W",),
        "writable",
        spoken="submissions arrive newer",
    ),
    Command("file.unwatch", "Stop watching", "File", "organiser.stop_watching", when="watching"),
    Command("file.save", "Save", "File", "files.save", ("Ctrl+S",), "desk"),
    Command("file.save_as", "Save as …", "File", "files.save_as", ("Ctrl+Shift+S",), "desk idle"),
    Command(
        "file.export",
        "Export …",
        "File",
        "files.show_exports",
        ("Ctrl+E",),
        "exports",
        group=1,
        spoken="csv json png svg table picture",
    ),
    Command(
        "file.kit",
        "Export participant kit …",
        "File",
        "organiser.show_kit",
        when="references",
        group=1,
        spoken="checker without gold jurycomp html participants",
    ),
    Command("file.close", "Close desk", "File", "files.close", ("Ctrl+W",), "desk", group=2),
    Command("file.quit", "Quit", "File", "window.close", ("Ctrl+Q",), group=2),
)
EDIT = (
    Command("edit.undo", "Undo", "Edit", "undo.undo", ("Ctrl+Z",), "undo"),
    Command("edit.redo", "Redo", "Edit", "undo.redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    Command("edit.copy", "Copy", "Edit", "edit.copy", ("Ctrl+C",), group=1),
    Command(
        "edit.copy_headers",
        "Copy with headers",
        "Edit",
        "edit.copy_with_headers",
        ("Ctrl+Shift+C",),
        group=1,
    ),
    Command("edit.select_all", "Select all", "Edit", "select_all", ("Ctrl+A",), group=1),
    Command("edit.find", "Find", "Edit", "search", ("Ctrl+F",), group=1),
    Command(
        "edit.preferences",
        "Preferences",
        "Edit",
        "view.show_preferences",
        ("Ctrl+,",),
        group=2,
        spoken="settings device processes theme zoom",
    ),
)
RUN = (
    Command("run.score", "Score", "Run", "run.score", ("Ctrl+R",), "inputs writable idle"),
    Command("run.check", "Check again", "Run", "run.check", ("F5",), "inputs writable idle"),
    Command(
        "run.hide",
        "Hide the scores",
        "Run",
        "organiser.hide_scores",
        when="desk writable open",
        group=1,
        spoken="conceal secret results until",
    ),
    Command(
        "run.open",
        "Open the scores",
        "Run",
        "organiser.open_scores",
        ("Ctrl+Shift+H",),
        "writable hidden",
        group=1,
        spoken="reveal show results",
    ),
    Command(
        "run.rules",
        "Submission rules …",
        "Run",
        "organiser.show_rules",
        when="desk writable",
        group=1,
        spoken="deadline late newest of each team",
    ),
    Command("run.cancel", "Cancel", "Run", "window.ask_cancel", ("Esc",), "job"),
)
PAGE_COMMANDS = tuple(
    Command(
        f"view.{page.id}",
        page.title,
        "View",
        "window.show_page",
        (f"Ctrl+{n}",),
        argument=page.id,
        spoken="page",
    )
    for n, page in enumerate(PAGES, 1)
)
THEMES = tuple(
    Command(
        f"view.theme.{mode}",
        title,
        "View",
        "view.set_theme",
        argument=mode,
        group=1,
        checkable=True,
        spoken="colours scheme",
    )
    for mode, title in (
        ("system", "Theme of the system"),
        ("light", "Light theme"),
        ("dark", "Dark theme"),
        ("contrast", "High contrast"),
    )
)
VIEW = (
    Command("view.larger", "Zoom in", "View", "view.zoom_in", ("Ctrl++", "Ctrl+="), group=2),
    Command("view.smaller", "Zoom out", "View", "view.zoom_out", ("Ctrl+-",), group=2),
    Command("view.normal", "Actual size", "View", "view.zoom_reset", ("Ctrl+0",), group=2),
    Command("view.full", "Full screen", "View", "view.full_screen", ("F11",), group=3),
    Command("view.reset", "Reset layout", "View", "view.reset_layout", group=3),
)
HELP = (
    Command("help.guide", "Guide", "Help", "view.show_guide", ("F1",), spoken="help manual"),
    Command("help.keys", "Keyboard shortcuts", "Help", "view.show_shortcuts", ("Ctrl+/",)),
    Command("help.palette", "All commands", "Help", "view.show_palette", ("Ctrl+Shift+P",)),
    Command("help.log", "Open log folder", "Help", "view.open_log_folder", group=1),
    Command("help.about", "About Jurydesk", "Help", "view.show_about", group=1, spoken="versions"),
)
COMMANDS: tuple[Command, ...] = (
    *FILE,
    *EDIT,
    *RUN,
    *PAGE_COMMANDS,
    *THEMES,
    *VIEW,
    *HELP,
)
