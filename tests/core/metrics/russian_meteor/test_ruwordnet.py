"""RuWordNet's file: the words that METEOR reads, and invalid files."""

import sqlite3

import pytest

from jurydesk.core.metrics.russian_meteor.ruwordnet import TABLES, RuWordNet
from jurydesk.core.model.evaluation import ResourceMissing
from support.oracles import oracle

TOY = oracle("fusionbrain/shared_toy_ruwordnet.db")


@pytest.fixture
def wordnet():
    found = RuWordNet(TOY)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("word", "related"),
    [
        ("кошка", {"кошка", "животное", "домашнее животное"}),
        ("красный", {"красный", "цветной", "краснота"}),
        ("дом", {"дом", "здание", "домашний"}),
        ("стол", {"стол", "мебель"}),
        ("краснота", {"краснота", "красный"}),
        ("здание", {"здание"}),
        ("нет такого", set()),
        ("животное", set()),
    ],
)
def test_hypernyms_and_derivations_are_related_and_synonyms_are_not(wordnet, word, related):
    assert wordnet.related(word) == related


def test_synsets_are_found_with_either_letter_e(wordnet):
    assert wordnet.synsets("пёс") == wordnet.synsets("собака") == {"3-N"}
    assert wordnet.synsets("нет такого") == set()


def test_the_file_is_opened_read_only(tmp_path):
    path = tmp_path / "words #1?.db"
    path.write_bytes(TOY.read_bytes())
    path.chmod(0o444)
    before = path.stat()
    wordnet = RuWordNet(path)
    assert wordnet.related("кот")
    wordnet.close()
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(
        ResourceMissing, match=r"RuWordNet: there is no file .*none.db\. The database"
    ):
        RuWordNet(tmp_path / "none.db")


def test_a_file_that_is_not_a_database_is_reported(tmp_path):
    path = tmp_path / "text.db"
    path.write_text("no database, only text " * 100)
    with pytest.raises(ResourceMissing, match="is no SQLite database"):
        RuWordNet(path)


def test_views_are_not_accepted_as_tables(tmp_path):
    path = tmp_path / "views.db"
    with sqlite3.connect(path) as database:
        for name in TABLES:
            database.execute(f"CREATE VIEW {name} AS SELECT 1")
    database.close()
    with pytest.raises(ResourceMissing, match="has no table sense, synset, hypernym_relation"):
        RuWordNet(path)


def test_a_table_without_its_columns_is_reported_when_it_is_read(tmp_path):
    path = tmp_path / "columns.db"
    with sqlite3.connect(path) as database:
        for name in TABLES:
            database.execute(f"CREATE TABLE {name} (other)")
    database.close()
    wordnet = RuWordNet(path)
    with pytest.raises(ResourceMissing, match="cannot be read"):
        wordnet.related("кот")
    wordnet.close()
