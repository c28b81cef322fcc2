"""Translation at display: catalogue, plural forms, recognized sentences, numbers."""

import pytest

from jurydesk.core.language import (
    Message,
    choose_language,
    counted,
    current_language,
    failure_reason,
    fill,
    join_messages,
    localize_number,
    prefer_language,
    round_number,
    system_language,
    translatable,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.language.catalogue import places, pseudo, read_catalogue
from support.language import shown_in

HEAD = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);"\n\n'


def test_english_is_shown_without_a_catalogue():
    with shown_in("en"):
        assert translate("Skip") == "Skip"
        assert translate("{done} of {total} done", done=1, total=2) == "1 of 2 done"
        assert translate_plural("{count} story", "{count} stories", 1234) == "1,234 stories"
        assert translate_text("This is not an answers file.") == "This is not an answers file."


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (1, "1 история"),
        (2, "2 истории"),
        (5, "5 историй"),
        (11, "11 историй"),
        (21, "21 история"),
        (1938, "1 938 историй"),
    ],
)
def test_russian_has_three_plural_forms(count, shown):
    with shown_in("ru"):
        assert translate_plural("{count} story", "{count} stories", count).replace(
            "\u00a0", " "
        ) == (shown)
        assert translate_text(counted(count, "story", "stories")).replace("\u00a0", " ") == shown


def test_a_sentence_is_translated_by_its_template():
    with shown_in("ru"):
        altered = fill("The packet was altered: {name} was added or removed.", "story.json")
        assert translate_text(altered) == "Пакет изменён: добавлен или удалён файл story.json."


def test_names_and_texts_of_users_stay_as_they_are():
    with shown_in("ru"):
        assert translate_text("my system of this year") == "my system of this year"
        large = translate_text(fill("The packet's file {name} is too large.", "Skip"))
        assert "“Skip”" not in large
        assert "Skip" in large


def test_a_message_inside_a_message_is_translated():
    with shown_in("ru"):
        lead = fill(
            "{system} has the best {metric}, {score}; no difference was tested.",
            "run one",
            Message("Mean average precision"),
            round_number(0.5612, 4),
        )
        assert lead == (
            "run one has the best Mean average precision, 0.5612; no difference was tested."
        )
        assert translate_text(lead) == (
            "Лучшее значение у run one: Среднее средних точностей 0,5612; различия не проверялись."
        )


def test_two_sentences_are_translated_one_by_one():
    with shown_in("ru"):
        both = join_messages(["They were left out.", "None of them counts."])
        assert both == "They were left out. None of them counts."
        assert translate_text(both) == "Они не учтены. Ни один из них не учитывается."


def test_an_unknown_sentence_stays_english():
    with shown_in("ru"):
        assert translate("No catalogue has this {thing}.", thing=1) == "No catalogue has this 1."


def test_russian_numbers_have_a_decimal_comma_and_fixed_spaces():
    with shown_in("ru"):
        assert localize_number("1,234.5") == "1\u00a0234,5"
        assert localize_number("> .05") == "> 0,05"
    with shown_in("en"):
        assert localize_number("1,234.5") == "1,234.5"


def test_the_option_wins_over_the_environment(monkeypatch):
    with shown_in("en"):
        monkeypatch.setenv("JURYDESK_LANG", "ru")
        assert choose_language(["--lang", "en", "board"]) == ["board"]
        assert translate("Skip") == "Skip"
        assert choose_language(["board"]) == ["board"]
        assert translate("Skip") == "Пропустить"
        with pytest.raises(ValueError, match="de is none of en, ru"):
            choose_language(["--lang=de"])


@pytest.mark.parametrize(
    ("locale", "language"),
    [("ru_RU.UTF-8", "ru"), ("de_DE.UTF-8", "en"), ("tr_TR", "en"), ("C", "en"), ("", "en")],
)
def test_the_language_follows_the_locale(monkeypatch, locale, language):
    for name in ("JURYDESK_LANG", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", locale)
    assert system_language() == language


def test_the_pseudo_language_is_longer_and_keeps_the_places():
    sentence = "Score {count} systems with {name:,}."
    assert len(pseudo(sentence)) >= 1.4 * len(sentence)
    assert places(pseudo(sentence)) == places(sentence)
    with shown_in("xx"):
        assert translate("Skip").startswith("Škíp ~")


def test_a_catalogue_is_read_as_gettext_reads_it(tmp_path):
    path = tmp_path / "xx.po"
    path.write_text(
        HEAD + '#: a.py\nmsgid ""\n"one \\"two\\"\\n"\n"three"\nmsgstr "eins"\n\n'
        'msgid "{count} box"\nmsgid_plural "{count} boxes"\nmsgstr[0] "Kiste"\nmsgstr[1] "Kisten"\n'
        '\nmsgid "missing"\nmsgstr ""\n',
        encoding="utf-8",
    )
    found = read_catalogue(path)
    assert found.texts == {'one "two"\nthree': "eins"}
    assert found.forms == {"{count} box": ("Kiste", "Kisten")}
    assert found.plurals == {"{count} box": "{count} boxes"}
    assert [found.plural(n) for n in (0, 1, 2)] == [1, 0, 1]


def test_the_preferences_choose_the_language_unless_the_start_named_one(monkeypatch):
    monkeypatch.setattr("jurydesk.core.language.display_language._is_requested", False)
    monkeypatch.delenv("JURYDESK_LANG")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with shown_in("en"):
        choose_language([])
        prefer_language("ru")
        assert current_language() == "ru"
        prefer_language("")
        prefer_language("damaged")
        assert current_language() == "ru"
        choose_language(["--lang", "en"])
        prefer_language("ru")
        assert current_language() == "en"


def test_the_environment_names_the_language_of_a_start(monkeypatch):
    monkeypatch.setattr("jurydesk.core.language.display_language._is_requested", False)
    monkeypatch.setenv("JURYDESK_LANG", "en")
    with shown_in("en"):
        choose_language([])
        prefer_language("ru")
        assert current_language() == "en"


def test_a_word_with_two_meanings_has_a_translation_for_each():
    verb, noun = translatable("Score", "command"), translatable("Score")
    hit, system = translatable("Rank", "of a hit"), translatable("Rank")
    with shown_in("en"):
        assert (translate(verb), translate_text(hit)) == ("Score", "Rank")
    with shown_in("ru"):
        assert [translate(verb), translate(noun)] == ["Вычислить", "Результат"]
        assert [translate_text(hit), translate_text(system)] == ["Позиция", "Место"]
    with shown_in("xx"):
        assert translate(verb) == translate(noun) == pseudo("Score")


def test_reasons_of_the_operating_system_are_translated():
    with shown_in("ru"):
        denied = failure_reason(PermissionError(13, "Permission denied"))
        assert translate_text(fill("{path}: {reason}.", "run.txt", denied)) == (
            "run.txt: Отказано в доступе."
        )
        lower = fill("This cannot be read: {reason:lower}.", denied)
        assert lower == "This cannot be read: permission denied."
        assert "отказано в доступе" in translate_text(lower)


@pytest.mark.parametrize(
    ("place", "value", "shown"),
    [
        ("{0:.2f}", 0.25, "0,25"),
        ("{0}", 1.5, "1,5"),
        ("{0:,}", 12345, "12\u00a0345"),
        ("{0}", 12345, "12345"),
        ("{0}", "1.5", "1.5"),
    ],
)
def test_numbers_in_named_places_follow_the_language(place, value, shown):
    with shown_in("ru"):
        assert translate(place.replace("0", "value"), value=value) == shown
