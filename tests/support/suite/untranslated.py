"""Number of sentences that lack a translation, which a run reports and does not fail for."""

import pytest

UNTRANSLATED = pytest.StashKey[int]()


def summarize(terminal: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write how many sentences are not translated, if any."""
    if count := config.stash.get(UNTRANSLATED, 0):
        terminal.write_line(f"{count} sentences are not translated: packaging/extract_messages.py")
