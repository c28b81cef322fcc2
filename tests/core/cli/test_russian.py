"""The command line in Russian: help, messages and tables; data for machines stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import click
import pytest

from jurydesk.core.cli.command import TaskGroup
from jurydesk.core.cli.program import COMMANDS as OWN
from jurydesk.core.cli.program import program
from jurydesk.core.language import set_language, translate_text

CYRILLIC = re.compile("[а-яё]")


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    set_language("en")


def commands(group: click.Command = program, inner: bool = False) -> Iterator[click.Command]:
    """Yield every command of the program, but not those of single competitions."""
    yield group
    if isinstance(group, click.Group) and not isinstance(group, TaskGroup):
        context = click.Context(group)
        for name in group.list_commands(context):
            if inner or name in OWN:
                found = group.get_command(context, name)
                yield from () if found is None else commands(found, True)


def test_every_help_is_in_russian():
    texts = {
        text
        for command in commands()
        for text in [command.help, *(getattr(one, "help", None) for one in command.params)]
        if text
    }
    assert len(texts) > 150
    assert {one for one in texts if not CYRILLIC.search(translate_text(one, "ru"))} == set()


def test_help_is_printed_in_russian(jurydesk):
    shown = jurydesk("--lang", "ru", "kit", "--desk", "x", "--help").out
    assert shown.startswith("Использование: jurydesk kit")
    for part in (
        "Записать проверку решений",
        "Параметры:",
        "[обязательно]",
        "Показать эту справку",
    ):
        assert part in shown
    assert "Записать проверку решений" in jurydesk("--lang", "ru", "--help").out
    assert "Параметры" not in jurydesk("--lang", "en", "kit", "--desk", "x", "--help").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bord"], "Ошибка: Команды «bord» нет. Может быть, board?"),
        (["score", "toi"], "Ошибка: Соревнования «toi» нет. Может быть, toy?"),
        (["board"], "Ошибка: Не указан аргумент 'FILE.jurydesk'."),
        (["board", "x", "y"], "Ошибка: Лишний аргумент (y)"),
        (
            ["compare", "--jsn", "x"],
            "Ошибка: Нет такого параметра: '--jsn'. (Может быть, '--jobs', '--json'?)",
        ),
        (["selftest", "--json"], "Ошибка: Параметру '--json' нужно значение."),
        (["meteor", "--jobs", "0"], "'--jobs': 0 вне диапазона x>=1."),
        (["meteor", "--jobs", "many"], "'--jobs': 'many' — не целое число."),
        (["verify", "--data", "x"], "'--data': 'x' — нет среди 'chunks', 'paths'."),
        (["selftest", "--quiet=1"], "Ошибка: Параметр '--quiet' не принимает значения."),
        (["ratings", "merge", "--desk", "x"], "Ошибка: Не указан аргумент 'ANSWERS...'."),
        (["ratings", "packet", "--desk", "x"], "Ошибка: Не указан параметр '--out'."),
        (["references", "masks"], "Ошибка: Не указан параметр '--correlations'."),
        (["references", "build"], "Ошибка: Не указан параметр '--method'. Выберите:"),
    ],
)
def test_wrong_usage_is_reported_in_russian(jurydesk, arguments, message):
    english = jurydesk(*arguments)
    russian = jurydesk("--lang", "ru", *arguments)
    assert russian.code == english.code == 2
    assert message in russian.err.replace("\u00a0", " ")
    assert "Usage" not in russian.err
    assert ("Справка: jurydesk" in russian.err) == ("Try 'jurydesk" in english.err)


def test_defects_and_their_places_are_in_russian(jurydesk, truth, broken):
    outcome = jurydesk("--lang", "ru", "check", "toy", "--truth", truth, "--guesses", broken)
    assert outcome.code == 1
    assert outcome.out.startswith("ошибка  broken.txt, строка 2: ")
    assert "ошибка" in outcome.err
    assert "примечаний.\n" in outcome.err


def test_an_error_of_a_desk_is_in_russian(jurydesk, truth):
    outcome = jurydesk("--lang", "ru", "board", truth)
    assert outcome.code == 1
    assert outcome.err == "Ошибка: truth.txt — не протокол: это не файл SQLite.\n".replace(
        " —", "\u00a0—"
    )


def test_the_board_has_russian_heads_and_decimal_commas(jurydesk, truth, near, far, tmp_path):
    desk = tmp_path / "toy.jurydesk"
    files = ("--truth", truth, "--guesses", near, far)
    assert jurydesk("--lang", "ru", "score", "toy", *files, "--desk", desk).code == 0
    head, *rows = jurydesk("--lang", "ru", "board", desk).out.splitlines()[:3]
    assert head.split()[0] == "система"
    for row in rows:
        assert re.search(r"\d,\d", row)
        assert not re.search(r"\d\.\d", row)


@pytest.mark.parametrize("language", ["ru", "xx"])
def test_files_and_json_do_not_depend_on_the_language(
    jurydesk, truth, near, far, tmp_path, language
):
    written = {}
    for code in ("en", language):
        folder = tmp_path / code
        folder.mkdir()
        desk, items = folder / "toy.jurydesk", folder / "items.csv"
        files = ("--truth", truth, "--guesses", near, far)
        assert (
            jurydesk("--lang", code, "score", "toy", *files, "--desk", desk, "--items", items).code
            == 0
        )
        exports = [folder / f"board.{kind}" for kind in ("csv", "latex", "json", "html")]
        targets = [word for one in exports for word in (f"--{one.suffix[1:]}", one)]
        assert jurydesk("--lang", code, "board", desk, *targets).code == 0
        written[code] = [
            *(re.sub(rb"20\d\d-[^\"]*", b"", one.read_bytes()) for one in [items, *exports]),
            json.loads(jurydesk("--lang", code, "doctor", "--json", "-").out),
            json.loads(jurydesk("--lang", code, "check", "toy", *files, "--json", "-").out),
        ]
    assert written["en"] == written[language]
