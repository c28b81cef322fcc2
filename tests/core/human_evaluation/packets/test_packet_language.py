"""Packets in Russian: instructions and statements, with answers that do not depend on them."""

from dataclasses import replace

from jurydesk.core.human_evaluation.design.questionnaire import (
    translate_questionnaire,
)
from jurydesk.core.human_evaluation.packets.packet import packet_content, write_packet
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.human_evaluation.packets.rating_page import rating_page_bytes
from support.rating import studies
from support.rating.questionnaires import builtin_questionnaire


def content(language):
    study = studies.study(attention=1)
    return packet_content(study, study.raters[0], PhotoFolder(None), language)


def test_statements_are_translated_and_keep_their_original():
    english = builtin_questionnaire("vist2018")
    russian = translate_questionnaire(english, "ru")
    assert [one.id for one in russian.questions] == [one.id for one in english.questions]
    for before, after in zip(english.questions, russian.questions, strict=True):
        assert after.statement != before.statement
        assert f"«{before.statement}»" in after.help
        assert (after.good, after.bad) == (before.good, before.bad)
    assert "переведены авторами Jurydesk" in russian.instructions[-1]
    assert len(russian.scale) == len(english.scale) == len(set(russian.scale))


def test_an_organisers_own_questionnaire_keeps_its_words():
    own = builtin_questionnaire("vist2018")
    own = replace(own, questions=(replace(own.questions[0], statement="Понятно ли?"),))
    assert translate_questionnaire(own, "ru").questions == own.questions


def test_a_russian_packet_is_read_with_its_language(tmp_path):
    made = content("ru")
    path = tmp_path / "r.jurypacket"
    with path.open("wb") as file:
        write_packet(made, file)
    found = read_packet(path).data
    assert found is not None
    assert (found.language, found.sha256, found.version) == ("ru", made.sha256, 4)
    assert found.questionnaire == made.questionnaire
    assert found.entry == ("история", "истории")


def test_an_english_packet_has_no_language():
    assert content("en").version == 3


def test_the_page_of_a_russian_packet_has_the_russian_sentences():
    assert '"Сохранить ответы"' in rating_page_bytes(content("ru")).decode()
    assert '"texts":{}' in rating_page_bytes(content("en")).decode()


def test_checks_of_attention_are_asked_in_the_packets_language():
    study = studies.study(attention=1)
    (rater, *_) = study.raters
    kinds = [task.item.kind for task in rater.tasks]
    asked = packet_content(study, rater, PhotoFolder(None), "ru").items[kinds.index("attention")]
    assert "пожалуйста" in asked.stories[0]
