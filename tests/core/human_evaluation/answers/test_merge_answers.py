from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes, make_answers
from jurydesk.core.human_evaluation.answers.merge_answers import merge_answers, remove_answers
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from support.rating import random_answers, studies


@pytest.fixture(scope="module")
def study():
    return studies.study()


@pytest.fixture
def store(tmp_path, study):
    desk = studies.desk_with(tmp_path / "s.jurydesk", study)
    yield RatingStore(desk)
    desk.close()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "answers").mkdir()
    return tmp_path / "answers"


def stored_histories(store) -> list[tuple[str, str, int]]:
    return [(one.packet, one.sha256, len(one.events)) for one in store.histories()]


def sentences(done) -> list[str]:
    return [defect.found for defect in done.defects]


def test_answers_are_kept_as_they_were_given(store, study, folder):
    done = merge_answers(store, [studies.write_answers(folder, study, 0)])
    assert (done.taken, done.known, done.defects) == (1, 0, ())
    (history,) = store.histories()
    assert history.events == studies.answers_for(study, 0).events


def test_merging_twice_changes_nothing(store, study, folder):
    path = studies.write_answers(folder, study, 0)
    merge_answers(store, [path])
    before = stored_histories(store)
    done = merge_answers(store, [path, path])
    assert stored_histories(store) == before
    assert (done.taken, done.known) == (0, 2)
    assert sentences(done) == ["These answers were merged already."] * 2


def test_the_order_of_files_does_not_matter(tmp_path, study, folder):
    """Merge early and late files of one rater, contradicting ones of another, and a third rater."""
    paths = [
        studies.write_answers(folder, study, 0, count=5),
        studies.write_answers(folder, study, 0),
        studies.write_answers(folder, study, 1, seed=1),
        studies.write_answers(folder, study, 1, seed=2),
        studies.write_answers(folder, study, 2),
    ]
    outcomes = set()
    for number, order in enumerate(itertools.permutations(paths)):
        if number % 7:
            continue
        desk = studies.desk_with(tmp_path / f"{number}.jurydesk", study)
        store = RatingStore(desk)
        cut = random.Random(number).randint(0, len(order))
        merge_answers(store, order[:cut])
        merge_answers(store, order[cut:])
        outcomes.add(tuple(stored_histories(store)))
        desk.close()
    (only,) = outcomes
    assert len(only) == 4


def test_later_answers_replace_earlier_ones_of_the_same_history(store, study, folder):
    merge_answers(store, [studies.write_answers(folder, study, 0, count=5)])
    merge_answers(store, [studies.write_answers(folder, study, 0)])
    assert len(store.histories()) == 1
    done = merge_answers(store, [studies.write_answers(folder, study, 0, count=9)])
    assert done.known == 1
    assert len(store.histories()) == 1


def test_contradicting_answers_are_listed_and_can_be_removed(store, study, folder):
    one, other = (studies.write_answers(folder, study, 1, seed=seed) for seed in (1, 2))
    done = merge_answers(store, [one, other])
    assert str(done.defects[-1]) == (
        "error  rater r02: 2 answers files contradict each other.\n"
        "       None of them counts. Remove all but one of them: `jurydesk ratings merge --forget`."
    )
    assert remove_answers(store, [other]).defects == ()
    assert len(store.histories()) == 1


@pytest.mark.parametrize("end", ["\u2028", "\x85", "\u2029", "\r", "\x0b", "\x1e", "\ud83d"])
def test_a_comment_with_unusual_line_separators_is_kept_unchanged(tmp_path, folder, end: str):
    asked = studies.study(ratings=1, raters=2, questionnaire=random_answers.PAIR)
    answers = studies.answers_for(asked, 0)
    item = asked.raters[0].tasks[0].id
    events = (RatingEvent(1, "answer", item, "why", f"well{end}told"), RatingEvent(2, "undo", item))
    first, more = folder / "first", folder / "more"
    for path, count in ((first, 1), (more, 2)):
        reported = make_answers(
            answers.packet, answers.rater, events[:count], asked.answer_key("r01")
        )
        path.write_bytes(answers_bytes(reported))
    with studies.desk_with(tmp_path / "c.jurydesk", asked) as desk:
        store = RatingStore(desk)
        assert merge_answers(store, [first]).defects == ()
        assert store.histories()[0].events == events[:1]
        assert merge_answers(store, [more]).defects == ()
        assert store.histories()[0].events == events


class TestSignatures:
    def left_out(self, store, path: Path) -> str:
        done = merge_answers(store, [path])
        assert done.taken == 0
        assert store.histories() == ()
        (sentence,) = sentences(done)
        return sentence

    def test_the_hash_of_a_packet_is_not_enough_to_answer_for_its_rater(self, store, study, folder):
        real = studies.answers_for(study, 0)
        for key, reported in (
            ("0" * 64, "The signature of the answers does not match their packet's key."),
            (study.answer_key("r02"), "The signature of the answers does not match their "),
        ):
            forged = make_answers(real.packet, real.rater, real.events[:3], key)
            path = folder / "forged.juryanswers"
            path.write_bytes(answers_bytes(forged))
            assert reported in self.left_out(store, path)
        path.write_bytes(answers_bytes(replace(forged, signature="")))
        assert self.left_out(store, path) == (
            "The answers are not signed, although their packet has a key."
        )

    def test_a_signature_is_valid_for_its_answers_only(self, store, study, folder):
        real = studies.answers_for(study, 0)
        shorter = studies.answers_for(study, 0, count=4)
        path = folder / "mixed.juryanswers"
        path.write_bytes(answers_bytes(replace(shorter, signature=real.signature)))
        assert "does not match their packet's key" in self.left_out(store, path)

    def test_the_signature_is_hmac_sha_256_of_four_lines(self):
        made = make_answers("p", "r01", (), "k" * 64)
        said = f"p\nr01\n0\n{hashlib.sha256(b'').hexdigest()}".encode()
        assert made.signature == hmac.new(b"k" * 64, said, hashlib.sha256).hexdigest()

    def test_every_rater_has_a_different_key(self, study):
        keys = {study.answer_key(rater.code) for rater in study.raters}
        assert len(keys) == len(study.raters)
        assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)


class TestRefused:
    def found(self, store, path) -> str:
        done = merge_answers(store, [path])
        assert done.taken == 0
        assert store.histories() == ()
        (sentence,) = sentences(done)
        return sentence

    def test_a_truncated_file_is_refused(self, store, study, folder):
        path = studies.write_answers(folder, study, 0)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:10]))
        assert self.found(store, path) == (
            f"The file was cut off: it ends after 9 of {len(lines) - 1} events."
        )

    def test_a_file_truncated_within_a_line_is_refused(self, store, study, folder):
        path = studies.write_answers(folder, study, 0)
        path.write_bytes(path.read_bytes()[:-3])
        assert self.found(store, path).startswith("The file was cut off: it ends after ")

    def test_an_altered_answer_is_refused(self, store, study, folder):
        path = studies.write_answers(folder, study, 0)
        head, rest = path.read_bytes().split(b"\n", 1)
        path.write_bytes(head + b"\n" + rest.replace(b'"value":1', b'"value":5', 1))
        assert self.found(store, path) == (
            "The file was altered: its lines do not match its header."
        )

    def test_repeated_lines_are_refused(self, store, study, folder):
        path = studies.write_answers(folder, study, 0)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([*lines, *lines[1:]]))
        count = len(lines) - 1
        assert self.found(store, path) == (
            f"The file was altered: it has {2 * count} events instead of {count}."
        )

    def test_a_file_of_another_study_is_refused(self, store, folder):
        path = studies.write_answers(folder, studies.study(), 0)
        assert self.found(store, path) == (
            "The answers belong to a packet that this desk did not write, or that was altered."
        )

    def test_a_file_under_another_rater_s_name_is_refused(self, store, study, folder):
        answers = studies.answers_for(study, 0)
        path = folder / "x.juryanswers"
        path.write_bytes(answers_bytes(make_answers(answers.packet, "r02", answers.events, "")))
        assert self.found(store, path) == (
            "The answers name the rater r02, but the packet is another rater's."
        )

    def test_impossible_events_are_refused(self, store, study, folder):
        answers = studies.answers_for(study, 0)
        events = [*answers.events[:3], replace(answers.events[3], value=17), *answers.events[4:]]
        path = folder / "x.juryanswers"
        path.write_bytes(answers_bytes(make_answers(answers.packet, answers.rater, events, "")))
        assert self.found(store, path) == (
            "Event 4 cannot follow those before it: the file was altered."
        )

    def test_lines_after_the_last_event_are_refused(self, store, study, folder):
        path = studies.write_answers(folder, study, 0)
        head, rest = path.read_bytes().split(b"\n", 1)
        rest += b'{"n":'
        altered = {**json.loads(head), "sha256": hashlib.sha256(rest).hexdigest()}
        path.write_bytes(json.dumps(altered).encode() + b"\n" + rest)
        assert self.found(store, path) == (
            "The file was altered: something follows its last event."
        )

    @pytest.mark.parametrize("seconds", [float("nan"), float("inf")])
    def test_an_invalid_time_is_refused(self, store, study, folder, seconds):
        answers = studies.answers_for(study, 0)
        events = [replace(answers.events[0], seconds=seconds)]
        path = folder / "x.juryanswers"
        path.write_bytes(answers_bytes(make_answers(answers.packet, answers.rater, events, "")))
        assert self.found(store, path) == f'The line is not an event: "seconds" is {seconds}.'

    @pytest.mark.parametrize("content", [b"", b"\n", b"{}", b"[1]\n", b"\x00\xff", b'{"format":1}'])
    def test_another_file_is_refused(self, store, folder, content):
        (folder / "x").write_bytes(content)
        assert self.found(store, folder / "x") == "This is not an answers file."

    def test_a_newer_file_is_refused(self, store, study, folder):
        path = studies.write_answers(folder, study, 0)
        head, rest = path.read_bytes().split(b"\n", 1)
        newer = {**json.loads(head), "version": 2}
        path.write_bytes(json.dumps(newer).encode() + b"\n" + rest)
        assert self.found(store, path) == "The file has version 2; this program reads 1."


def test_one_invalid_file_does_not_stop_the_others(store, study, folder):
    (folder / "bad").write_bytes(b"nonsense")
    done = merge_answers(store, [folder / "bad", studies.write_answers(folder, study, 0)])
    assert done.taken == 1
    assert sentences(done) == ["This is not an answers file."]


def test_a_plan_with_answers_is_not_replaced(store, study, folder):
    from jurydesk.core.desk import DeskError

    merge_answers(store, [studies.write_answers(folder, study, 0)])
    with pytest.raises(DeskError, match="has answers to its rating plan"):
        store.set_study(study)
