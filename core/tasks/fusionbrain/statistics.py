"""What was counted of an item, and which rule made its score, in plain words."""

from __future__ import annotations

from core.task import Statistic

STATISTICS: dict[str, Statistic] = {
    "group": Statistic(
        "Group", "Questions about the same picture or passage share it; counted from 0."
    ),
    "matches": Statistic(
        "Words in common", "Words of the prediction that the best accepted answer has too."
    ),
    "chunks": Statistic(
        "Chunks", "Runs of matched words in the same order in both texts: fewer are better."
    ),
    "predicted_words": Statistic("Words predicted", "Words of the prediction, as it is compared."),
    "accepted_words": Statistic(
        "Words accepted", "Words of the best accepted answer, as it is compared."
    ),
    "by_letter": Statistic(
        "By its letter", "1 where the first letter of a to e was scored in the answer's place."
    ),
    "by_number": Statistic(
        "By its number",
        "1 where the accepted answer is a number, and the two numbers are compared.",
    ),
    "reused": Statistic(
        "Used again",
        "1 where there is no text, so that the published program scores that of the item before.",
    ),
    "failed": Statistic(
        "Failed", "1 where the picture or the text could not be compared; the published score is 0."
    ),
    "caption_rank": Statistic(
        "Rank of its text",
        "Where the item's own text stands among all, by nearness to the picture; 1 is the nearest.",
    ),
    "edits": Statistic(
        "Edits", "Letters to insert, remove or replace until the accepted text stands there."
    ),
    "longest": Statistic(
        "Longer text", "Letters of the longer of the two texts: the edits are divided by them."
    ),
}
