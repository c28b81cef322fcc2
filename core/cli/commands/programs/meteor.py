"""Command `jurydesk meteor`: METEOR of many pairs, and the protocol of the METEOR jar."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click
import numpy as np

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    CommandError,
    input_errors,
    output_errors,
    require_writable,
)
from jurydesk.core.cli.output import STANDARD_OUTPUT, is_standard_output, target_option
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import Message, fill
from jurydesk.core.language.text_direction import escape_control_characters
from jurydesk.core.metrics.meteor.batch import Pair
from jurydesk.core.metrics.meteor.config import (
    BEAM_SIZE,
    PROFILES,
    TASKS,
    Config,
    MeteorParameters,
    custom_parameters,
    jar_config,
    profile,
)
from jurydesk.core.metrics.meteor.formula import NUMBER
from jurydesk.core.metrics.meteor.languages import ENGLISH, LANGUAGES, Language, find_language
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.text_file import UTF8_MARK
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.metrics.meteor import Meteor
    from jurydesk.core.metrics.meteor.jar_files import JarOptions
    from jurydesk.core.metrics.meteor.language_data.source_files import LanguageData
    from jurydesk.core.metrics.meteor.sgml_files import SgmlOptions

NO_MODE = (
    "Give TEST and REFERENCE, --pairs FILE, --stdio to speak the protocol of the jar, or --prepare."
)


@click.pass_obj
def meteor_command(
    context: CommandContext,
    /,
    pairs: Path | None,
    out: Path | None,
    stdio: bool,
    prepare: bool,
    corpus: bool,
    files: tuple[str, ...],
    references: int,
    prefix: str,
    write_alignments: bool,
    quiet_output: bool,
    verbose: bool,
    statistics: bool,
    paraphrases: Path | None,
    function_words: Path | None,
    synonyms: Path | None,
    new_language: Path | None,
    sgml: bool,
    **settings: Any,
) -> int:
    """Score files or pairs, serve the protocol, or prepare the index."""
    config = meteor_config(is_new=new_language is not None, **settings)
    data = language_files(config, paraphrases, function_words, synonyms, new_language)
    setup = MeteorSetup(config, data)
    has_files = bool(files) and files != ("-", "-")
    modes = (pairs is not None, stdio, prepare, has_files)
    if sum(modes) != 1 or (files and not stdio and len(files) != 2):
        raise click.UsageError(NO_MODE)
    if sgml and not has_files:
        raise click.UsageError("-sgml is for files: give TEST and REFERENCE.")
    if sgml or (has_files and write_alignments):
        require_writable(Path(f"{prefix}-align.out"), "-f")
    if sgml:
        from jurydesk.core.metrics.meteor.sgml_files import SgmlOptions

        shown = SgmlOptions(prefix, quiet_output, verbose, statistics, write_alignments)
        return score_sgml_files(Path(files[0]), Path(files[1]), setup, shown, context)
    if has_files:
        from jurydesk.core.metrics.meteor.jar_files import JarOptions

        alignments = Path(f"{prefix}-align.out") if write_alignments else None
        options = JarOptions(references, quiet_output, verbose, statistics, alignments)
        return score_jar_files(Path(files[0]), Path(files[1]), setup, options, context)
    if pairs is not None:
        return score_pairs(PairFile(context, pairs, setup), out, corpus=corpus)
    return serve_stdio(setup, context) if stdio else prepare_index(context)


@dataclass(frozen=True, slots=True)
class MeteorSetup:
    """Configuration with language data; None for the English ones."""

    config: Config
    data: LanguageData | None

    def open(self, run: Run) -> Meteor:
        """Open METEOR; a missing index is built."""
        from jurydesk.core.metrics.meteor.scorer import meteor_of

        return meteor_of(self.data, run)


def language_files(
    config: Config,
    paraphrases: Path | None,
    function_words: Path | None,
    synonyms: Path | None,
    new_language: Path | None,
) -> LanguageData | None:
    """Return the language data, some of which may be the user's files; None for English ones.

    Raises CommandError for a missing file, and LanguageDataMissing without a table of paraphrases
    that the modules need.
    """
    from jurydesk.core.metrics.meteor.language_data.source_files import (
        EXCEPTIONS,
        FUNCTION_WORDS,
        SYNSETS,
        LanguageDataMissing,
        data_of_language,
    )

    language = LANGUAGES[config.language]
    if new_language is not None:
        function_words = new_language / "function.words"
        paraphrases = new_language / "paraphrase.gz"
    own = {FUNCTION_WORDS: function_words} if function_words else {}
    if synonyms is not None:
        own |= {name: synonyms / Path(name).name for name in (SYNSETS, EXCEPTIONS)}
    for path in (*([paraphrases] if paraphrases else ()), *own.values()):
        if not path.is_file():
            raise CommandError(fill("{path}: there is no such file.", path), INPUT_ERRORS)
    if language == ENGLISH and not (paraphrases or own):
        return None
    data = data_of_language(language, own, paraphrases)
    if data.paraphrases is None and "paraphrase" in config.weights.modules:
        raise LanguageDataMissing(
            fill(
                "METEOR's paraphrases of {title} are missing: pycocoevalcap has English ones "
                "only. Name a table with -a FILE.gz, or leave the module out: -m 'exact "
                "stem'.",
                Message(language.title),
            )
        )
    return data


def score_jar_files(
    test: Path, reference: Path, setup: MeteorSetup, options: JarOptions, context: CommandContext
) -> int:
    """Print what the jar prints for plain text files."""
    from jurydesk.core.metrics.meteor.jar_files import read_pairs, score_files

    context.report([*filter(None, map(mark_warning, (test, reference)))])
    with input_errors(), open_run(context) as run:
        pairs = read_pairs(test, reference, options.references)
        for line, is_error in score_files(setup.open(run), pairs, setup.config, options, run):
            if is_error:
                click.echo(escape_control_characters(line), err=True)
            else:
                print_result(line)
    return DONE


def mark_warning(path: Path) -> Defect | None:
    """Return the warning of a byte order mark, which the jar reads as a letter."""
    if not path.is_file():
        return None
    with input_errors(), path.open("rb") as stream:
        if stream.read(len(UTF8_MARK)) != UTF8_MARK:
            return None
    found = "The file begins with a byte order mark."
    expected = "It is a letter of the first word, as in the jar."
    return warning(Place(str(path), 1), found, expected, "Save the file without it.")


def score_sgml_files(
    test: Path, reference: Path, setup: MeteorSetup, options: SgmlOptions, context: CommandContext
) -> int:
    """Print what the jar prints for SGML files, and write its files of scores."""
    from jurydesk.core.metrics.meteor.sgml_files import read_sgml, score_sgml

    with input_errors(), open_run(context) as run:
        data = read_sgml(test), read_sgml(reference)
        for line, is_error in score_sgml(setup.open(run), *data, setup.config, options, run):
            if is_error:
                click.echo(escape_control_characters(line), err=True)
            else:
                print_result(line)
    return DONE


def meteor_config(
    profile_name: str | None,
    task: str | None,
    language: str,
    parameters: str | None,
    modules: str | None,
    weights: str | None,
    beam: int,
    is_new: bool,
    **flags: bool,
) -> Config:
    """Return the METEOR configuration; raise UsageError for options that do not fit together."""
    try:
        spoken = find_language("other" if is_new else language)
    except ValueError as unknown:
        raise click.UsageError(str(unknown)) from None
    if profile_name is not None:
        if task or parameters or modules or weights or spoken != ENGLISH or any(flags.values()):
            raise click.UsageError("--profile sets task and text options: remove the other flags.")
        return replace(profile(profile_name), beam=beam)
    for text, name in ((parameters, "-p"), (modules, "-m"), (weights, "-w")):
        if text is not None and not text.split():
            raise click.UsageError(
                fill("Option {name} has no value: leave it out for the task's.", name)
            )
    task = task or ("universal" if is_new else spoken.default_task)
    config = jar_config(task, **{**flags, "lower": flags["lower"] or is_new})
    try:
        chosen = custom_parameters(
            spoken.parameters(task),
            _numbers(parameters),
            (modules or "").split(),
            _numbers(weights),
            spoken.parameters("adq"),
        )
    except ValueError as wrong:
        raise click.UsageError(
            fill("Options -p, -m and -w do not fit: {wrong}.", Message(str(wrong)))
        ) from None
    require_available(spoken, chosen, normalise=config.normalise)
    return replace(config, weights=chosen, beam=beam, language=spoken.code)


def require_available(language: Language, weights: MeteorParameters, *, normalise: bool) -> None:
    """Raise UsageError if the jar has no normalizer, stemmer or synonyms of the language."""
    if normalise and not language.has_normalizer:
        raise click.UsageError(
            fill(
                "METEOR has no normalizer for {title}: separate the punctuation beforehand, "
                "and give --lower instead of --norm.",
                Message(language.title),
            )
        )
    if "stem" in weights.modules and language.stemming == "none":
        raise click.UsageError(
            fill("METEOR has no stemmer for {title}: name other modules.", Message(language.title))
        )
    if "synonym" in weights.modules and language != ENGLISH:
        raise click.UsageError(
            fill(
                "METEOR has no synonyms of {title}: name other modules with -m.",
                Message(language.title),
            )
        )


def _numbers(text: str | None) -> list[float]:
    return [float(number) for number in (text or "").split()]


def prepare_index(context: CommandContext) -> int:
    """Build the index of METEOR's language data, if it does not exist; fetch missing data."""
    from jurydesk.core.metrics.meteor import open_or_build_index
    from jurydesk.core.metrics.meteor.language_data.fetching import fetched_language_data
    from jurydesk.core.metrics.meteor.language_data.index_location import present_index_path
    from jurydesk.core.metrics.meteor.language_data.source_files import LanguageDataMissing

    with open_run(context) as run:
        try:
            if present_index_path() is None:
                context.remark("Preparing METEOR's language data; this happens once.")
        except LanguageDataMissing:
            context.remark("Fetching METEOR's language data by pip (104 MB); this happens once.")
            with fetched_language_data(run) as data:
                open_or_build_index(run, data=data)
        else:
            open_or_build_index(run)
    return DONE


def serve_stdio(setup: MeteorSetup, context: CommandContext) -> int:
    """Answer lines of standard input as the jar does, until it ends."""
    from jurydesk.core.metrics.meteor.java_semantics import UTF_8_ERRORS
    from jurydesk.core.metrics.meteor.stdio_protocol import serve_protocol

    # Java ends a line at CR, LF or both, and writes LF.
    sys.stdin.reconfigure(encoding="utf-8", errors=UTF_8_ERRORS, newline=None)  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[union-attr]
    with open_run(context) as run:
        serve_protocol(setup.open(run), setup.config, sys.stdin, sys.stdout)
    return DONE


@dataclass(frozen=True, slots=True)
class PairFile:
    """File of hypothesis and reference pairs, with the configuration to score them."""

    context: CommandContext
    pairs: Path
    setup: MeteorSetup

    @contextlib.contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """Open the file, or standard input for `-`."""
        if is_standard_output(self.pairs):
            yield sys.stdin.buffer
            return
        with input_errors():
            stream = self.pairs.open("rb")
        with stream:
            yield stream

    def read(self) -> Iterator[Pair]:
        """Yield the pairs; report bad lines, and raise CommandError after them."""
        from jurydesk.core.metrics.meteor.pair_lines import read_pair_batches

        wrong = BoundedDefects()
        with self.stream() as stream:
            for pairs, defects in read_pair_batches(stream, self.pairs):
                wrong.extend(defects)
                if not wrong:
                    yield from pairs
        if wrong:
            self.context.report(wrong.to_tuple())
            raise CommandError("The lines above have errors: fix them first.", INPUT_ERRORS)

    def write(self, run: Run, file: BinaryIO) -> FloatArray:
        """Write a line per pair, and return the counts (pairs, 23)."""
        from jurydesk.core.metrics.meteor.pair_lines import score_lines

        rows = [np.zeros((0, NUMBER))]
        scorer, config = self.setup.open(run), self.setup.config
        for found in scorer.align_many(self.read(), config, run):
            file.write(score_lines(found))
            rows.append(found.rows)
        return np.concatenate(rows)

    def count(self, run: Run) -> FloatArray:
        """Return the counts (pairs, 23)."""
        return self.setup.open(run).score_many(self.read(), self.setup.config, run).rows


def score_pairs(pair_file: PairFile, out: Path | None, *, corpus: bool) -> int:
    """Write the scored lines to a file, atomically, or to standard output."""
    from jurydesk.core.metrics.meteor import corpus_score

    found: list[FloatArray] = []
    with open_run(pair_file.context) as run:

        def write(file: BinaryIO) -> None:
            found.append(pair_file.write(run, file))

        if out is None and corpus:
            found.append(pair_file.count(run))
        elif out is None or out == STANDARD_OUTPUT:
            write(sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            with output_errors(out):
                write_atomically(out, write)
    if corpus:
        print_result(repr(float(corpus_score(found[0], pair_file.setup.config.weights))))
    return DONE


command = CliCommand(
    "meteor",
    callback=meteor_command,
    uses=("jobs",),
    params=[
        file_option(
            "--pairs",
            metavar="FILE.jsonl",
            help='Lines of {"hyp": text, "refs": [text, ...]}; - reads standard input.',
        ),
        target_option(
            "--out",
            metavar="FILE.jsonl",
            help='Lines of {"score", "stats", "matches"} in the same order; else standard output.',
        ),
        flag("--corpus", help="Print the score of all pairs together."),
        flag("--stdio", "-stdio", "stdio", help="Speak the protocol of meteor-1.5.jar -stdio."),
        flag("--prepare", help="Build the index of the language data now."),
        click.Option(
            ["--profile", "profile_name"],
            type=click.Choice(list(PROFILES)),
            help="vist: task hter, text unchanged; coco: -l en -norm, default task.",
        ),
        click.Option(
            ["--task", "-t", "task"],
            type=click.Choice(list(TASKS), case_sensitive=False),
            help="Task whose tuned parameters are used.",
        ),
        flag("--norm", "-norm", "norm", help="Separate punctuation and lowercase the text."),
        flag("--lower", "-lower", "lower", help="Lowercase the text."),
        flag("--no-punct", "-noPunct", "no_punct", help="With --norm, remove punctuation."),
        flag("--char", "-ch", "char", help="Count the characters of words, as -ch does."),
        click.Option(
            ["-l", "language"],
            default=ENGLISH.code,
            show_default=True,
            metavar="LANGUAGE",
            help="Language of the text: en, cz, de, es, fr, ru, da, fi, hu, it, nl, no, pt, ro, "
            "se, tr, ar-bw-red or other. cz, de, es, fr and ru need a table of paraphrases "
            "(-a), or other modules (-m).",
        ),
        click.Option(
            ["-p", "parameters"],
            metavar="'A B G D'",
            help="Alpha, beta, gamma and delta in place of the task's.",
        ),
        click.Option(
            ["-m", "modules"],
            metavar="'MODULE ...'",
            help="Modules: exact, then any of stem, synonym and paraphrase.",
        ),
        click.Option(["-w", "weights"], metavar="'WEIGHT ...'", help="Weights of the modules."),
        click.Option(
            ["-x", "beam"],
            type=click.IntRange(1),
            default=BEAM_SIZE,
            show_default=True,
            metavar="N",
            help="Size of the beam.",
        ),
        click.Option(
            ["-r", "references"],
            type=click.IntRange(1),
            default=1,
            metavar="N",
            help="Lines of REFERENCE for each line of TEST.",
        ),
        file_option(
            "-a", "paraphrases", metavar="FILE.gz", help="Table of paraphrases of METEOR's format."
        ),
        file_option("-s", "function_words", metavar="FILE", help="Function words, one per line."),
        file_option(
            "-d",
            "synonyms",
            metavar="FOLDER",
            help="Folder with english.synsets and english.exceptions.",
        ),
        file_option(
            "-new",
            "new_language",
            metavar="FOLDER",
            help="Folder with function.words and paraphrase.gz of a new language; implies --lower.",
        ),
        flag("-sgml", "sgml", help="SGML files; write PREFIX-seg.scr, -doc.scr and -sys.scr."),
        flag("-q", "quiet_output", help="Segment scores to standard error, final score only."),
        flag("-vOut", "verbose", help="Print precision, recall and penalty before each score."),
        flag("-ssOut", "statistics", help="Print the counts of each segment only."),
        flag("-writeAlignments", "write_alignments", help="Write alignments to PREFIX-align.out."),
        click.Option(
            ["-f", "prefix"],
            default="meteor",
            show_default=True,
            metavar="PREFIX",
            help="Prefix of the files that are written.",
        ),
        click.Argument(["files"], nargs=-1, metavar="[TEST REFERENCE]"),
    ],
    help="Score pairs of a hypothesis and its references with METEOR 1.5.",
)
