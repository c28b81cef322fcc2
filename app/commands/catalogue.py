"""Catalogue of all commands, from which menus, shortcuts, palette and buttons are made."""

from __future__ import annotations

from dataclasses import replace

from jurydesk.app.pages import PAGES
from jurydesk.app.widgets.command import WindowCommand
from jurydesk.core.language import translatable

MENUS = (
    translatable("File"),
    translatable("Edit"),
    translatable("Run"),
    translatable("View"),
    translatable("Help"),
)


FILE = (
    WindowCommand("file.new", "New desk", "File", "files.new", ("Ctrl+N",)),
    WindowCommand(
        "file.competition",
        "New competition …",
        "File",
        "organiser.choose_references",
        keywords="without a program toml references metrics",
    ),
    WindowCommand(
        "file.open", "Open …", "File", "files.choose", ("Ctrl+O",), keywords="add files desk"
    ),
    WindowCommand("file.folder", "Add folder …", "File", "files.choose_folder", ("Ctrl+Shift+O",)),
    WindowCommand(
        "file.watch",
        "Watch a folder …",
        "File",
        "organiser.choose_watched",
        ("Ctrl+Shift+W",),
        "writable",
        keywords="submissions arrive newer",
    ),
    WindowCommand(
        "file.unwatch", "Stop watching", "File", "organiser.stop_watching", conditions="watching"
    ),
    WindowCommand("file.save", "Save", "File", "files.save", ("Ctrl+S",), "desk"),
    WindowCommand(
        "file.save_as", "Save as …", "File", "files.save_as", ("Ctrl+Shift+S",), "desk idle"
    ),
    WindowCommand(
        "file.rename",
        "Rename the competition …",
        "File",
        "organiser.show_rename",
        ("F2",),
        "desk writable",
        keywords="name title",
    ),
    WindowCommand(
        "file.export",
        "Export …",
        "File",
        "files.show_exports",
        ("Ctrl+E",),
        "exports",
        group=1,
        keywords="csv json png svg table picture",
    ),
    WindowCommand(
        "file.kit",
        "Export participant kit …",
        "File",
        "organiser.show_kit",
        conditions="references",
        group=1,
        keywords="checker without gold jurycomp html participants",
    ),
    WindowCommand("file.close", "Close desk", "File", "files.close", ("Ctrl+W",), "desk", group=2),
    WindowCommand("file.quit", "Quit", "File", "window.close", ("Ctrl+Q",), group=2),
)
EDIT = (
    WindowCommand("edit.undo", "Undo", "Edit", "undo.undo", ("Ctrl+Z",), "undo"),
    WindowCommand("edit.redo", "Redo", "Edit", "undo.redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    WindowCommand("edit.copy", "Copy", "Edit", "edit.copy", ("Ctrl+C",), group=1),
    WindowCommand(
        "edit.copy_headers",
        "Copy with headers",
        "Edit",
        "edit.copy_with_headers",
        ("Ctrl+Shift+C",),
        group=1,
    ),
    WindowCommand("edit.select_all", "Select all", "Edit", "select_all", ("Ctrl+A",), group=1),
    WindowCommand("edit.find", "Find", "Edit", "search", ("Ctrl+F",), group=1),
    WindowCommand(
        "edit.preferences",
        "Preferences",
        "Edit",
        "view.show_preferences",
        ("Ctrl+,",),
        group=2,
        keywords="settings device processes theme zoom",
    ),
)
RUN = (
    WindowCommand(
        "run.score",
        translatable("Score", "command"),
        "Run",
        "run.score",
        ("Ctrl+R",),
        "inputs present writable idle",
    ),
    WindowCommand("run.check", "Check again", "Run", "run.check", ("F5",), "inputs writable idle"),
    WindowCommand(
        "run.verify",
        "Verify …",
        "Run",
        "organiser.show_verify",
        keywords="stamp recompute compare check numbers certificate",
    ),
    WindowCommand(
        "run.plan",
        "Plan a competition …",
        "Run",
        "organiser.show_plan",
        conditions="desk open",
        keywords="power items raters ratings sample size pilot",
    ),
    WindowCommand(
        "run.hide",
        "Hide the scores",
        "Run",
        "organiser.hide_scores",
        conditions="desk writable open",
        group=1,
        keywords="conceal secret results until",
    ),
    WindowCommand(
        "run.open",
        "Open the scores",
        "Run",
        "organiser.open_scores",
        ("Ctrl+Shift+H",),
        "writable hidden",
        group=1,
        keywords="reveal show results",
    ),
    WindowCommand(
        "run.rules",
        "Submission rules …",
        "Run",
        "organiser.show_rules",
        conditions="desk writable",
        group=1,
        keywords="deadline late newest of each team",
    ),
    WindowCommand(
        "run.entries",
        "Sealed entries …",
        "Run",
        "entries.show",
        conditions="desk writable open idle",
        group=1,
        keywords="after the deadline ledger certificate budget policy juryentry signed",
    ),
    WindowCommand(
        "run.rate",
        "Resume the rating",
        "Run",
        "window.resume_rating",
        conditions="unfinished writable",
    ),
    WindowCommand("run.cancel", "Cancel", "Run", "window.ask_cancel", ("Esc",), "job"),
)
PAGES_IN_FRONT = tuple(
    WindowCommand(
        f"view.{page.id}",
        page.title,
        "View",
        "window.choose_page",
        (f"Ctrl+{n}",),
        f"uses.{page.id}",
        argument=page.id,
        keywords="page",
    )
    for n, page in enumerate(PAGES, 1)
)
THEMES = tuple(
    WindowCommand(
        f"view.theme.{mode}",
        title,
        "View",
        "view.set_theme",
        argument=mode,
        group=1,
        checkable=True,
        keywords="colours scheme",
    )
    for mode, title in (
        ("system", translatable("Theme of the system")),
        ("light", translatable("Light theme")),
        ("dark", translatable("Dark theme")),
        ("contrast", translatable("High contrast")),
    )
)
VIEW = (
    WindowCommand("view.larger", "Zoom in", "View", "view.zoom_in", ("Ctrl++", "Ctrl+="), group=2),
    WindowCommand("view.smaller", "Zoom out", "View", "view.zoom_out", ("Ctrl+-",), group=2),
    WindowCommand("view.normal", "Actual size", "View", "view.zoom_reset", ("Ctrl+0",), group=2),
    WindowCommand("view.full", "Full screen", "View", "view.full_screen", ("F11",), group=3),
    WindowCommand("view.reset", "Reset layout", "View", "view.reset_layout", group=3),
)
HELP = (
    WindowCommand(
        "help.guide", "Guide", "Help", "view.show_guide", ("F1",), keywords="help manual"
    ),
    WindowCommand("help.keys", "Keyboard shortcuts", "Help", "view.show_shortcuts", ("Ctrl+/",)),
    WindowCommand("help.palette", "All commands", "Help", "view.show_palette", ("Ctrl+Shift+P",)),
    WindowCommand(
        "help.self_test",
        "Self-test …",
        "Help",
        "view.show_self_test",
        group=1,
        keywords="check installation recorded numbers damaged",
    ),
    WindowCommand(
        "help.add_ons",
        "Add-ons …",
        "Help",
        "view.show_add_ons",
        group=1,
        keywords="plug-ins neural torch install remove wheels",
    ),
    WindowCommand("help.log", "Open log folder", "Help", "view.open_log_folder", group=1),
    WindowCommand(
        "help.about", "About Jurydesk", "Help", "view.show_about", group=1, keywords="versions"
    ),
)
MENU_COMMANDS: tuple[WindowCommand, ...] = (
    *FILE,
    *EDIT,
    *RUN,
    *PAGES_IN_FRONT,
    *THEMES,
    *VIEW,
    *HELP,
)


ON_PAGES = {
    "board": (
        WindowCommand("board.facts", "Facts", "View", "toggle_facts", ("F",)),
        WindowCommand("board.columns", "Choose columns", "View", "choose_columns", ("Ctrl+K",)),
        WindowCommand(
            "board.ranking",
            "Choose the ranking metric",
            "View",
            "choose_ranking",
            keywords="rank by order",
        ),
        WindowCommand(
            "board.slice", "Slice by a column", "View", "slice_by", keywords="group items by"
        ),
        WindowCommand("board.sort", "Sort by this column", "View", "sort_here", ("S",)),
        WindowCommand(
            "board.robustness",
            "Ranks under other choices",
            "View",
            "show_robustness",
            keywords="robustness profile ties leave one group out",
        ),
        WindowCommand("board.open", "Open the items", "View", "open_items", ("Ctrl+Return",)),
        WindowCommand(
            "board.rename",
            "Rename the system …",
            "Edit",
            "organiser.show_rename_system",
            ("Shift+F2",),
            "writable",
            keywords="name team label",
        ),
        WindowCommand("board.remove", "Remove the system", "Edit", "remove_system", ("Del",)),
    ),
    "items": (
        WindowCommand("items.next", "Next item", "View", "next_item", ("J", "]")),
        WindowCommand("items.previous", "Previous item", "View", "previous_item", ("K", "[")),
        WindowCommand("items.open", "Open the item", "View", "open_item", ("Ctrl+Return",)),
        WindowCommand("items.close", "Back to the items", "View", "close_item"),
        WindowCommand("items.columns", "Columns", "View", "choose_columns", ("Ctrl+K",)),
        WindowCommand(
            "items.suspects",
            "Items that may have a wrong reference",
            "View",
            "show_suspects",
            keywords="suspects discrimination errata decide",
        ),
    ),
    "compare": (
        WindowCommand("compare.swap", "Swap the systems", "View", "swap", ("X",)),
        WindowCommand("compare.all", "Show all systems", "View", "toggle_all", ("A",)),
        WindowCommand("compare.next", "Next disagreement", "View", "next_disagreement", ("N",)),
    ),
    "rate": (
        WindowCommand("rate.plan", "Make the rating plan", "Run", "plan", ("Ctrl+B",)),
        WindowCommand("rate.packets", "Make packets …", "Run", "make_packets", ("Ctrl+P",)),
        WindowCommand("rate.merge", "Merge answers …", "Run", "choose_answers", ("Ctrl+M",)),
        WindowCommand("rate.now", "Rate now", "Run", "rate_now", ("Ctrl+Return",)),
        WindowCommand("rate.name", "Name the rater …", "Edit", "name_rater", ("Shift+F2",)),
        WindowCommand("rate.forget", "Remove the rater's answers", "Edit", "forget", ("Del",)),
    ),
    "references": (
        WindowCommand("references.build", "Build reference sets", "Run", "build", ("Ctrl+B",)),
    ),
    "why": (
        WindowCommand(
            "why.number",
            "Explain a number",
            "View",
            "show_number",
            group=4,
            keywords="why is my score different paper",
        ),
        WindowCommand(
            "why.profiles",
            "Profiles side by side",
            "View",
            "show_profiles",
            group=4,
            keywords="published corrected",
        ),
        WindowCommand(
            "why.errata",
            "New reference data",
            "View",
            "show_errata",
            group=4,
            keywords="errata replace gold",
        ),
    ),
}
"""Commands of pages, by the page's id; they are enabled while it is in front, and in no menu."""
COMMANDS = (
    *MENU_COMMANDS,
    *(
        replace(command, conditions=f"page.{page} {command.conditions}".strip())
        for page, commands in ON_PAGES.items()
        for command in commands
    ),
)
