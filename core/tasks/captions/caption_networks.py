"""CLIPScore, RefCLIPScore and BERTScore of captions, by the models that the user chose.

CLIPScore needs a CLIP model and the photos, BERTScore a model of texts; without them the other
metrics are scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.metrics.captioning.bert_score import read_baseline, rescale
from jurydesk.core.metrics.captioning.clip_score import (
    PROMPT,
    clip_score,
    reference_clip_score,
)
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import FloatArray, ResourceMissing
from jurydesk.core.model.options import option_path
from jurydesk.core.neural.weights.random_weights import WORD
from jurydesk.core.neural.weights.weight_loading import require_torch, require_torch_installed
from jurydesk.core.neural.weights.weight_roles import (
    WeightFiles,
    find_weights,
    fingerprints,
    unless_named,
)
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.system.paths import cache_folder
from jurydesk.core.tasks.captions.captions import CaptionReferences, Image
from jurydesk.core.tasks.captions.captions_metrics import BERTSCORE, CLIP_METRICS
from jurydesk.core.tasks.captions.captions_options import FREQUENCY, CaptionOptions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

CLIP_ROLES = ("clip", "ruclip")
TEXT_ROLE = "bertscore"
SHOWN = 8
"""Digits of a model's SHA-256 in the short stamp."""


@dataclass(frozen=True, slots=True, eq=False)
class NetworkScores:
    """Values of images by metric, and what is remarked on them."""

    columns: Mapping[str, FloatArray] = field(default_factory=dict)
    defects: Sequence[Defect] = ()


def network_scores(
    references: CaptionReferences,
    images: Sequence[Image],
    captions: Sequence[str],
    options: CaptionOptions,
    path: str,
    run: Run,
) -> NetworkScores:
    """Score captions by the models at hand; `path` is that of the results.

    Raises ResourceMissing if a model that the user named cannot be used, and Cancelled.
    """
    found = [
        _clip_scores(references, images, captions, options, path, run),
        _text_scores(images, captions, options, path, run),
    ]
    columns = {name: column for one in found for name, column in one.columns.items()}
    defects = [defect for one in found for defect in one.defects]
    return NetworkScores(columns, (*_random_model_warning(options, path), *defects))


def used_models(references: CaptionReferences, options: CaptionOptions) -> tuple[WeightFiles, ...]:
    """Return the models with which captions are scored."""
    paths = options.weight_paths()
    found = [None if references.photos is None else _clip_model(paths)]
    found.append(find_weights(TEXT_ROLE, paths).found)
    return tuple(one for one in found if one is not None)


def network_resources(references: CaptionReferences, options: CaptionOptions) -> dict[str, str]:
    """Return the SHA-256 of every file of the models, by role and name."""
    digests: dict[str, str] = {}
    for weights in used_models(references, options):
        digests.update(fingerprints(weights))
    return digests


def network_settings(references: CaptionReferences, options: CaptionOptions) -> dict[str, str]:
    """Return the models in use for the short stamp, as prefixes of their SHA-256."""
    settings: dict[str, str] = {}
    for weights in used_models(references, options):
        digest = list(fingerprints(weights).values())[-1][:SHOWN]
        settings[weights.role.id] = digest
        if weights.role.id == TEXT_ROLE:
            settings["layer"] = str(options.bertscore_layer or "usual")
            settings["pieces"] = options.bertscore_weights
            settings["baseline"] = "given" if options.bertscore_baseline else "none"
    return settings


def used_photos(references: CaptionReferences, options: CaptionOptions) -> dict[str, Path]:
    """Return the photos that CLIPScore reads, by name."""
    if references.photos is None or _clip_model(options.weight_paths()) is None:
        return {}
    folder = PictureFolder(references.photos, by_number=True)
    files = (_photo(folder, image) for image in references.images if image.references)
    return {f"photos/{file.name}": file for file in files if file is not None}


def _clip_model(paths: Mapping[str, Path]) -> WeightFiles | None:
    roles = sorted(CLIP_ROLES, key=lambda role: role not in paths)
    return next((one for role in roles if (one := find_weights(role, paths).found)), None)


def _random_model_warning(options: CaptionOptions, path: str) -> Iterator[Defect]:
    roles = [role for role, place in options.weight_paths().items() if str(place) == WORD]
    if roles:
        found = fill("Models with random weights: {join}.", ", ".join(roles))
        effect = "Scores by them are meaningless."
        yield warning(Place(path), found, effect, "Choose trained models.")


def _clip_scores(
    references: CaptionReferences,
    images: Sequence[Image],
    captions: Sequence[str],
    options: CaptionOptions,
    path: str,
    run: Run,
) -> NetworkScores:
    paths = options.weight_paths()
    if references.photos is None:
        text = translatable("CLIPScore was not computed: it needs the photos (--photos).")
        unless_named(ResourceMissing(text), paths, *CLIP_ROLES)
        return NetworkScores()
    try:
        from jurydesk.core.neural.clip.clip_embeddings import ClipEmbedder, select_clip

        require_torch_installed("CLIPScore")
        model = select_clip(paths)
        run.call(require_torch, "CLIPScore")
        cache = FolderCache(cache_folder() / "features")
        embedder = ClipEmbedder(model, cache, run)
        files = _photos(references, images)
        pictures = embedder.pictures(file for file in files if file is not None)
        prompt = PROMPT if model.role.id == "clip" else ""
        texts = [prompt + caption for caption in captions]
        listed = [[prompt + text for text in image.references] for image in images]
        vectors = embedder.captions([*texts, *(text for one in listed for text in one)])
    except ResourceMissing as missing:
        unless_named(missing, paths, *CLIP_ROLES)
        return NetworkScores()
    cosines = np.full(len(images), np.nan)
    for number, (file, text) in enumerate(zip(files, texts, strict=True)):
        if file in pictures:
            cosines[number] = pictures[file] @ vectors[text]
    scores = clip_score(cosines)
    similarities = [
        np.array([vectors[text] @ vectors[other] for other in others], dtype=np.float64)
        for text, others in zip(texts, listed, strict=True)
    ]
    with_references = reference_clip_score(scores, similarities)
    columns = dict(
        zip(
            CLIP_METRICS, (scores, np.where(np.isnan(scores), np.nan, with_references)), strict=True
        )
    )
    defects = [*embedder.defects, *_photo_remarks(images, files, pictures, path)]
    if not prompt:
        text = "ruCLIP embeds six Russian phrases with each caption, in place of the prompt."
        defects.append(note(Place(path), text, "Compare only CLIPScores of one model."))
    return NetworkScores(columns, defects)


def _photos(references: CaptionReferences, images: Sequence[Image]) -> list[Path | None]:
    folder = PictureFolder(references.photos, by_number=True)
    return [_photo(folder, image) for image in images]


def _photo(folder: PictureFolder, image: Image) -> Path | None:
    names = (image.file_name, str(image.id))
    return next((file for name in names if name and (file := folder.find(name))), None)


def _photo_remarks(
    images: Sequence[Image],
    files: Sequence[Path | None],
    pictures: Mapping[Path, object],
    path: str,
) -> Iterator[Defect]:
    absent = [
        image.file_name or str(image.id)
        for image, file in zip(images, files, strict=True)
        if file is None or file not in pictures
    ]
    if absent:
        found = fill(
            "{images} without a readable photo: {names}.",
            counted(len(absent), "image"),
            name_list(absent),
        )
        effect = "CLIPScore is the mean of the others."
        yield warning(Place(path), found, effect, "Add the photos.", count=len(absent))


def _text_scores(
    images: Sequence[Image],
    captions: Sequence[str],
    options: CaptionOptions,
    path: str,
    run: Run,
) -> NetworkScores:
    paths = options.weight_paths()
    model = find_weights(TEXT_ROLE, paths)
    if model.found is None:
        unless_named(ResourceMissing(model.reason), paths, TEXT_ROLE)
        return NetworkScores()
    try:
        require_torch_installed("BERTScore")
        from jurydesk.core.neural.texts.text_encoder import usual_layer
        from jurydesk.core.neural.texts.token_matches import bert_scores

        layer = options.bertscore_layer or usual_layer(model.found.path)
        is_rescaled = bool(options.bertscore_baseline)
        baseline = (
            read_baseline(option_path(options.bertscore_baseline), layer) if is_rescaled else None
        )
        scores = bert_scores(
            captions,
            [image.references for image in images],
            model.found,
            layer,
            run,
            by_frequency=options.bertscore_weights == FREQUENCY,
        )
    except ResourceMissing as missing:
        unless_named(missing, paths, TEXT_ROLE)
        return NetworkScores()
    if baseline is not None:
        scores = rescale(scores, baseline)
    remark = note(
        Place(path),
        fill("BERTScore is by layer {layer} of {name}.", layer, model.found.path.name),
        "" if is_rescaled else "It is not rescaled: values of unrelated texts are high.",
    )
    return NetworkScores(dict(zip(BERTSCORE, scores.T, strict=True)), [remark])
