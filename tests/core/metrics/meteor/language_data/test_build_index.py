import gzip
from pathlib import Path

import pytest

from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.metrics.meteor.alignment.word_keys import IndexLexicon, WordNumbers
from jurydesk.core.metrics.meteor.java_semantics import string_hash
from jurydesk.core.metrics.meteor.language_data import build_index as module
from jurydesk.core.metrics.meteor.language_data.build_index import (
    ParaphrasesUnusable,
    _sort_by_key,
    build_index_file,
    make_trie,
    read_paraphrase_table,
)
from jurydesk.core.metrics.meteor.language_data.index_file import NONE, open_index
from jurydesk.core.metrics.meteor.language_data.source_files import PARAPHRASES, LanguageData


def test_the_table_keeps_the_order_of_the_file(tiny: LanguageData):
    table = read_paraphrase_table(tiny.paraphrases)
    names = list(table.vocabulary)
    assert table.phrases == [b"the dog", b"the", b"of course"]
    assert table.phrase_entries.tolist() == [2, 1, 1]
    assert [names[word] for word in table.first] == [b"the", b"the", b"that", b"naturally"]
    second = [names[word] if word != NONE else None for word in table.second]
    assert second == [b"hound", b"animal", None, None]
    assert [names[word] for word in table.rest] == [b"of", b"the", b"house"]
    assert table.rest_lengths.tolist() == [0, 3, 0, 0]


def test_the_trie_leads_from_words_to_phrases():
    phrases = [b"b a", b"a", b"b c d"]
    trie = make_trie(phrases, {b"a": 0, b"b": 1, b"c": 2, b"d": 3})
    assert trie.root.tolist() == [0, 1, -1, -1]
    assert trie.node_word.tolist() == [0, 1, 0, 2, 3]  # a; b; b a; b c; b c d
    assert trie.child_start.tolist() == [2, 2, 4, 4, 5, 5]
    assert trie.phrase_node.tolist() == [0, 2, 4] or trie.phrase_node.tolist() == [2, 0, 4]
    assert trie.phrase_node[1] == 0


def test_the_index_does_not_depend_on_the_size_of_the_parts(
    tiny: LanguageData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    whole, pieces = tmp_path / "whole.index", tmp_path / "pieces.index"
    build_index_file(tiny, whole)
    monkeypatch.setattr(module, "PIECE", 2)
    monkeypatch.setattr(module, "BLOCK_BYTES", 7)
    build_index_file(tiny, pieces)
    assert pieces.read_bytes() == whole.read_bytes()


def test_every_phrase_has_the_paraphrases_of_the_table_and_no_others(
    tiny: LanguageData, tmp_path: Path
):
    build_index_file(tiny, tmp_path / "tiny.index")
    arrays = open_index(tmp_path / "tiny.index").arrays
    table = read_paraphrase_table(tiny.paraphrases)
    node = make_trie(table.phrases, table.vocabulary).phrase_node
    names = [name.decode() for name in table.vocabulary]
    found = []
    for phrase, at in zip(table.phrases, node, strict=True):
        for entry in range(arrays.entry_start[at], arrays.entry_stop[at]):
            rest = arrays.rest[arrays.rest_start[entry] : arrays.rest_start[entry + 1]]
            words = [arrays.entry_first[entry], arrays.entry_second[entry], *rest]
            text = " ".join(names[word] for word in words if word != NONE)
            found.append((phrase.decode(), text))
    assert found == [
        ("the dog", "the hound"),
        ("the dog", "the animal of the house"),
        ("the", "that"),
        ("of course", "naturally"),
    ]
    within = set(range(len(arrays.entry_start))) - set(node.tolist())
    assert all(arrays.entry_start[at] == arrays.entry_stop[at] == 0 for at in within)


@pytest.mark.parametrize("words", [["BB", "a", "Aa", "C#", "b"], ["AaBB", "BBAa", "AaAa", "BBBB"]])
def test_words_ascend_by_key_and_then_by_text(words: list[str]):
    keys, ordered = _sort_by_key(words)
    assert list(zip(keys.tolist(), ordered, strict=True)) == sorted(
        (string_hash(w), w) for w in words
    )


def test_words_have_their_own_sets_and_those_of_their_base_forms(
    tiny: LanguageData, tmp_path: Path
):
    path = tmp_path / "tiny.index"
    build_index_file(tiny, path)
    index = open_index(path)
    words, lexicon = WordNumbers(index), IndexLexicon(index.arrays)
    dog, hound, dogs, mice, ran = (
        words.sets(words[word]) for word in ("dog", "hound", "dogs", "mice", "ran")
    )
    assert dog == dogs
    assert set(hound) < set(dog)
    assert mice == words.sets(words["mouse"])
    assert ran == words.sets(words["run"])
    assert (
        lexicon.find("dogs", string_hash("dogs")) is None
    )  # its base form is looked up when it is needed
    assert lexicon.find("unheard", string_hash("unheard")) is None
    assert words.sets(words["unheard"]) == []


def test_equal_keys_are_distinguished_by_their_text(tiny: LanguageData, tmp_path: Path):
    path = tmp_path / "tiny.index"
    build_index_file(tiny, path)
    words = WordNumbers(open_index(path))
    assert words["Aa"] != words["BB"]
    keys = words.table()[:, 0]
    assert keys[words["Aa"]] == keys[words["BB"]]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("", "has no entries"),
        ("0.5\na\n", "ends within an entry"),
        ("0.5\na\nb\n0.5\nc\nd\n0.5\na\ne\n", "the entries of one phrase do not follow each other"),
    ],
)
def test_another_kind_of_table_is_refused(
    tiny: LanguageData, tmp_path: Path, table: str, sentence: str
):
    tiny.paraphrases.write_bytes(gzip.compress(table.encode()))
    with pytest.raises(ParaphrasesUnusable, match=sentence):
        build_index_file(tiny, tmp_path / "tiny.index")
    assert not (tmp_path / "tiny.index").exists()


def test_a_damaged_table_is_refused(tiny: LanguageData, tmp_path: Path):
    packed = tiny.paraphrases.read_bytes()
    tiny.paraphrases.write_bytes(packed[:-12])
    with pytest.raises(ParaphrasesUnusable, match="is damaged"):
        build_index_file(tiny, tmp_path / "tiny.index")
    assert not (tmp_path / "tiny.index").exists()


def test_building_reports_its_progress(tiny: LanguageData, tmp_path: Path):
    reported: list[Progress] = []
    build_index_file(tiny, tmp_path / "tiny.index", Run(progress=reported.append))
    assert reported[-1].done == reported[-1].total == 100
    assert {progress.text for progress in reported} == {"Preparing METEOR's language data"}


def test_a_cancelled_build_leaves_nothing_behind(tiny: LanguageData, tmp_path: Path):
    token = CancelToken()
    token.cancel()
    folder = tmp_path / "cache"
    folder.mkdir()
    with pytest.raises(Cancelled):
        build_index_file(tiny, folder / "tiny.index", Run(cancel=token))
    assert list(folder.iterdir()) == []


def test_the_paraphrase_file_is_found_in_the_folder(tiny: LanguageData):
    assert tiny.paraphrases.as_posix().endswith(PARAPHRASES)
