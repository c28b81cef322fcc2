"""Roles of weight files, and the search for the files of a role.

Nothing is downloaded. A user names a file or folder for one run (`--weights ROLE=PATH`), chooses it
permanently (Models page, `jurydesk weights --choose`), or puts it into the role's folder under
`weights`.
"""

from __future__ import annotations

import difflib
import json
import os
import platform
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.chunk_codec import content_digest
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.model.options import NOT_OPENED
from jurydesk.core.neural.weights.random_weights import MAKERS, WORD, random_weights
from jurydesk.core.neural.weights.weight_hashes import sha256_of
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.system.paths import HOME_VARIABLE, config_folder, data_folder, write_atomically

FILE = "weights.json"


def chosen_paths() -> dict[str, Path]:
    """Return the permanently chosen file or folder by role; a damaged list counts as empty."""
    try:
        content = parse_json((config_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {role: Path(path) for role, path in content.items() if isinstance(path, str)}


def choose(role: str, path: Path) -> None:
    """Choose the path of a role permanently, whether or not it exists. Raises OSError."""
    _store({**chosen_paths(), role: path.absolute()})


def forget(role: str) -> None:
    """Remove the choice of a role, so that its folders are searched. Raises OSError."""
    _store({id: path for id, path in chosen_paths().items() if id != role})


def _store(paths: Mapping[str, Path]) -> None:
    content = {role: str(path) for role, path in sorted(paths.items())}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    write_atomically(config_folder() / FILE, f"{text}\n".encode())


OPTION = "--weights"
FOLDER = "weights"


@dataclass(frozen=True, slots=True)
class WeightRole:
    """Role of weights, such as the model of one metric.

    `files` are groups of alternative names: a folder is complete with one file of every group. A
    role of a single file (`single`) has one group; a user may name any file with one of `endings`.
    """

    id: str
    title: str
    serves: str
    files: tuple[tuple[str, ...], ...]
    single: bool = False
    endings: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """Expected files in words: `a folder with config.json and one of a, b`."""
        groups = [", ".join(group) for group in self.files]
        match [*self.files[0]] if self.single else []:
            case [file, other]:
                return fill("the file {file} or {other}", file, other)
            case [file, other, last]:
                return fill("the file {file} or {other} or {last}", file, other, last)
        match groups, [len(group) > 1 for group in self.files]:
            case [file, model], [False, True]:
                return fill("a folder with {file} and one of {model}", file, model)
            case [file, other, model], [False, False, True]:
                return fill(
                    "a folder with {file} and {other} and one of {model}",
                    file,
                    other,
                    model,
                )
            case [file, model, last], [False, True, True]:
                return fill(
                    "a folder with {file} and one of {model} and one of {last}", file, model, last
                )
        (folder,) = groups
        return fill("a folder with {folder}", folder)


CHECKPOINTS = (
    "open_clip_model.safetensors",
    "open_clip_pytorch_model.safetensors",
    "model.safetensors",
    "open_clip_pytorch_model.bin",
    "pytorch_model.bin",
)

ROLES = (
    WeightRole("ruclip", "ruCLIP",
         translatable("CLIP scores of FusionBrain, CLIPScore of captions, distances and CMMD"),
         (("config.json",), ("bpe.model",), ("model.safetensors", "pytorch_model.bin"))),
    WeightRole("clip", "CLIP",
         translatable("CLIP scores of FusionBrain, CLIPScore of captions, distances and CMMD"),
         (("open_clip_config.json",), CHECKPOINTS)),
    WeightRole("inception", "Inception",
         translatable("FID, KID, precision, recall, density, coverage; FusionBrain's generation"),
         (("pt_inception-2015-12-05-6726825d.pth", "inception.safetensors"),),
         single=True, endings=(".pth", ".pt", ".safetensors")),
    WeightRole("bert", "BERT",
         translatable("BERT L2 and BERT CS of VisDial"),
         (("vocab.txt",), ("config.json", "bert_config.json"),
          ("model.safetensors", "pytorch_model.bin", "bert_model.ckpt.index"))),
    WeightRole("fasttext", "fastText",
         translatable("fastText L2 and fastText CS of VisDial"),
         (("cc.en.300.bin", "wiki.en.bin", "fasttext.bin"),), single=True, endings=(".bin",)),
    WeightRole("dinov2", "DINOv2",
         translatable("Frechet distance, KID, precision and recall by DINOv2"),
         (("config.json",), ("model.safetensors", "pytorch_model.bin"))),
    WeightRole("bertscore", "BERTScore",
         translatable("precision, recall and F1 of BERTScore"),
         (("config.json",), ("tokenizer.json", "vocab.txt", "vocab.json", "spiece.model"),
          ("model.safetensors", "pytorch_model.bin"))),
    WeightRole("ruwordnet", "RuWordNet",
         translatable("METEOR of captioning and visual QA of FusionBrain"),
         (("ruwordnet-2021.db", "ruwordnet.db"),), single=True, endings=(".db",)),
    WeightRole("nltk", "nltk_data",
         translatable("numbers of FusionBrain's answers as the published program tags them"),
         (("taggers",),)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WeightFiles:
    """Weights of a role: the path to load, and the files that affect scores."""

    role: WeightRole
    path: Path
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class WeightSearch:
    """Result of the search for a role: the searched places, the weights, or the reason for none.

    `chosen` is True if the only place is the permanently chosen one.
    """

    role: WeightRole
    places: tuple[Path, ...]
    found: WeightFiles | None
    reason: str = ""
    chosen: bool = False


def role(id: str) -> WeightRole:
    """Return the role with an id; UsageError with the existing ids if there is none."""
    for entry in ROLES:
        if entry.id == id:
            return entry
    ids = [entry.id for entry in ROLES]
    near = difflib.get_close_matches(id, ids, n=1)
    advice = (
        fill("Did you mean {near}?", near[0])
        if near
        else fill("Available: {names}.", ", ".join(ids))
    )
    raise UsageError(fill('There are no weights with the role "{id}". {advice}', id, advice))


def weight_arguments(values: Iterable[str], used: Collection[str] = ()) -> dict[str, Path]:
    """Return the paths by role of `ROLE=PATH` arguments; UsageError for another form.

    So is a role that is none of the `used` ones, if there are any.
    """
    paths: dict[str, Path] = {}
    for value in values:
        id, equals, path = value.partition("=")
        if not equals or not path:
            raise UsageError(
                fill(
                    '{option} {value}: write ROLE=PATH, such as "clip=models/clip".', OPTION, value
                )
            )
        found = role(id.strip())
        if used and found.id not in used:
            raise UsageError(
                fill(
                    "{option} {id}: no metric here uses {title}. The roles are {roles}.",
                    *(OPTION, found.id, Message(found.title), ", ".join(used)),
                )
            )
        paths[found.id] = Path(path).expanduser()
    return paths


def weight_folders(role: WeightRole) -> tuple[Path, ...]:
    """Return the default folders of a role's weights."""
    home = os.environ.get(HOME_VARIABLE)
    own = [Path(home) / FOLDER / role.id] if home else []
    return (*own, data_folder() / FOLDER / role.id)


def find_weights(id: str, paths: Mapping[str, Path]) -> WeightSearch:
    """Search the weights of a role.

    The path in `paths` takes precedence over the permanent choice, and that over the default
    folders. Requested random weights are created, which takes a moment.
    """
    weight_role = role(id)
    if id in paths:
        found, reason = weights_at_option(weight_role, paths[id])
        return WeightSearch(
            weight_role,
            (paths[id],),
            found,
            reason and fill("{option} {id}={reason}", OPTION, id, reason),
        )
    choice = chosen_paths().get(id)
    if choice is not None:
        found, reason = _weights_at(weight_role, choice)
        return WeightSearch(weight_role, (choice,), found, reason, chosen=True)
    folders = weight_folders(weight_role)
    reason = ""
    for folder in folders:
        if folder.exists():
            found, reason = _weights_at(weight_role, folder)
            if found is not None:
                return WeightSearch(weight_role, folders, found)
    reason = reason or _missing_weights_error(weight_role, folders[0])
    return WeightSearch(weight_role, folders, None, reason)


def require_weights(id: str, paths: Mapping[str, Path]) -> WeightFiles:
    """Return the weights of a role; ResourceMissing with what is expected if there are none."""
    outcome = find_weights(id, paths)
    if outcome.found is None:
        raise ResourceMissing(outcome.reason)
    return outcome.found


def unless_named(missing: ResourceMissing, paths: Mapping[str, Path], *roles: str) -> str:
    """Return why metrics cannot be computed; raise `missing` if the user named weights of a role.

    Without weights a metric is left out; weights that were asked for are never ignored. The made
    ones of an example name no file: without PyTorch its other metrics are still scored.
    """
    if any(id in paths and str(paths[id]) != WORD for id in roles):
        raise missing
    return str(missing)


def _missing_weights_error(role: WeightRole, place: Path) -> str:
    return fill(
        "There are no weights for {title}: {expected} is expected. Name it with {option} "
        "{id}=PATH, or put it into {place}.",
        Message(role.title),
        Message(role.expected),
        OPTION,
        role.id,
        place,
    )


def weights_at_option(role: WeightRole, path: Path) -> tuple[WeightFiles | None, str]:
    """Return the weights at a path of the option, which can ask for random ones, or a sentence."""
    if is_strange_share(path):
        return None, fill(NOT_OPENED, path)
    if str(path) != WORD:
        return _weights_at(role, path)
    if role.id not in MAKERS:
        return None, fill(
            "{path}: there are none for {title}, only for {join}.",
            path,
            Message(role.title),
            ", ".join(MAKERS),
        )
    try:
        return _weights_at(role, random_weights(role.id))
    except (ResourceMissing, OSError) as fault:
        return None, fill("{path}: {fault}", path, fault)


def _weights_at(role: WeightRole, path: Path) -> tuple[WeightFiles | None, str]:
    """Return the weights at a path, or a sentence that says what is missing."""
    if not path.exists():
        return None, fill(
            "{path}: there is no such file or folder; {expected} is expected.",
            path,
            Message(role.expected),
        )
    if path.is_file():
        return _file(role, path)
    if not path.is_dir():
        return None, fill(
            "{path}: this is a pipe or a device; {expected} is expected.",
            path,
            Message(role.expected),
        )
    files = [_first_existing(path, group) for group in role.files]
    there = tuple(file for file in files if file is not None)
    if len(there) == len(files):
        return WeightFiles(role, there[0] if role.single else path, there), ""
    if role.single and len(others := _files_with_ending(role, path)) == 1:
        return WeightFiles(role, others[0], (others[0],)), ""
    absent = [group for group, file in zip(role.files, files, strict=True) if file is None]
    lacking = " and ".join(" or ".join(group) for group in absent)
    return None, fill(
        "{path}: {lacking} is missing; {expected} is expected for {title}.",
        path,
        lacking,
        Message(role.expected),
        Message(role.title),
    )


def _file(role: WeightRole, path: Path) -> tuple[WeightFiles | None, str]:
    if role.single and path.suffix.lower() in role.endings:
        return WeightFiles(role, path, (path,)), ""
    if role.single:
        return None, fill(
            "{path}: the name should end with {join}.", path, " or ".join(role.endings)
        )
    return None, fill(
        "{path}: this is a file; {expected} is expected for {title}.",
        path,
        Message(role.expected),
        Message(role.title),
    )


def _first_existing(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).exists()), None)


def _files_with_ending(role: WeightRole, folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in role.endings)


def weights_digest(weights: WeightFiles) -> str:
    """Return one digest over all files of the weights, independent of their folder."""
    return content_digest(
        *(f"{name} {sha256}" for name, sha256 in sorted(fingerprints(weights).items()))
    )


@lru_cache(maxsize=8)
def installed_weights(id: str, path: str, digest: str) -> WeightFiles:
    """Return the weights of a role with this digest, at `path` or in this machine's own places.

    Raises ResourceMissing if there are none.
    """
    given: Mapping[str, Path] = {id: Path(path)}
    for paths in (given, {}):
        found = find_weights(id, paths).found
        if found is not None and weights_digest(found) == digest:
            return found
    raise ResourceMissing(
        fill(
            "{title}: the machine {node} does not have the same weights. Put them at {path} "
            "there, or into one of that machine's own folders (see `jurydesk doctor`).",
            Message(role(id).title),
            platform.node(),
            path,
        )
    )


def fingerprints(
    weights: WeightFiles, check: Callable[[], None] = lambda: None
) -> Mapping[str, str]:
    """Return the SHA-256 of every file of these weights, by `role/name`, for a stamp."""
    return {f"{weights.role.id}/{path.name}": sha256_of(path, check) for path in weights.files}
