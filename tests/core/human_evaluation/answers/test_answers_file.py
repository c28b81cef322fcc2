"""Tests of files that are given as answers and are something else."""

import pytest

from jurydesk.core.human_evaluation.answers.answers_file import read_answers


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "annotation_id,annotator,rating,story\n1,1,4,a story .\n",
            "a table with commas: annotation_id, annotator, rating, story",
        ),
        (
            '"HITId","WorkerId","Input.story"\n"A","W1","x"\n',
            "a table with commas: HITId, WorkerId, Input.story",
        ),
        (
            "user\tinstance_id\tquality:::scale_1\nr1\ti1\t4\n",
            "a table with tabs: user, instance_id, quality:::scale_1",
        ),
    ],
)
def test_a_table_of_another_program_is_named_with_its_columns(content, said, tmp_path):
    path = tmp_path / "ratings"
    path.write_text(content)
    (defect,) = read_answers(path).defects
    assert defect.found == f"The file is {said}. It is another program's."
    assert defect.hint == "Only answers that a packet saved are merged."
