"""What METEOR counts of a story, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from core.task import Statistic

MATCHED = {
    "exact": ("Same words", "stand in both"),
    "stem": ("Same stems", "have the same stem as one of the other"),
    "synonym": ("Synonyms", "are synonyms of one of the other"),
    "paraphrase": ("Paraphrases", "belong to a paraphrase of words of the other"),
}
KINDS = {"content": "content words", "function": "function words"}
STORY, HUMAN = "the story", "the best human story"


def _matches() -> Iterator[tuple[str, Statistic]]:
    for module, (title, how) in MATCHED.items():
        for kind, words in KINDS.items():
            for prefix, added, whose in (("", "", STORY), ("human_", ", human", HUMAN)):
                summary = f"{words.capitalize()} of {whose} that {how}, as METEOR aligns the two."
                yield f"{module}_{prefix}{kind}", Statistic(f"{title}, {words}{added}", summary)


STATISTICS: dict[str, Statistic] = {
    "group": Statistic("Album number", "The sequences of an album share it; counted from 0."),
    "human_stories": Statistic("Human stories", "How many human stories the sequence has."),
    "best_story": Statistic(
        "Best human story", "Which human story METEOR finds nearest, counted from 0."
    ),
    "words": Statistic("Words", f"Words of {STORY}, as METEOR cuts them."),
    "human_words": Statistic("Words, human", f"Words of {HUMAN}, as METEOR cuts them."),
    "function_words": Statistic(
        "Function words", f"Words of {STORY} that hold a sentence together, such as the and of."
    ),
    "human_function_words": Statistic(
        "Function words, human",
        f"Words of {HUMAN} that hold a sentence together, such as the and of.",
    ),
    **dict(_matches()),
    "chunks": Statistic(
        "Chunks", "Runs of matched words in the same order in both stories: fewer are better."
    ),
    "matched_words": Statistic("Matched words", f"Words of {STORY} that METEOR matches."),
    "human_matched_words": Statistic(
        "Matched words, human", f"Words of {HUMAN} that METEOR matches."
    ),
}
