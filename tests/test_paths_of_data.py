"""Every path that the program makes of a value is listed here, with the reason why it may.

A name that comes from a stranger's file must be looked up in the listing of a folder
(`core/readers/picture_folder.py`), never joined to a path.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import jurydesk.core

ROOT = Path(jurydesk.core.__file__).resolve().parent.parent

REASONS = {
    "user": "The user chose the path: a command line, a dialog, a setting or the environment.",
    "own": "The name is the program's own, or a digest that it computed.",
    "listed": "The name comes from the listing of a folder, or from an archive's checked members.",
    "recorded": "The recorded place of an input; its content must have the recorded SHA-256.",
    "name": "Only the text of the name is used; nothing is opened.",
    "code": "The value was checked to be a code or an id that is a file name.",
    "reader": "The path is one that a reader was given.",
    "shown": "Its lines are shown to the user alone, who opened the desk and its defects.",
}

PLACES = """
user app/__main__.py main
name app/commands/file_commands.py FileCommands._call_guarded
user app/commands/entry_commands.py EntryCommands.save
user app/commands/file_commands.py FileCommands._open_recent
user app/commands/file_commands.py FileCommands.ask_export
user app/commands/file_commands.py FileCommands.choose
user app/commands/file_commands.py FileCommands.choose_folder
user app/commands/file_commands.py FileCommands.save_as
own app/commands/file_commands.py RatingProcesses.open
user app/commands/organiser_commands.py OrganiserCommands._choose_competition_folder
user app/commands/organiser_commands.py OrganiserCommands._save_kit
user app/commands/organiser_commands.py OrganiserCommands.choose_references
user app/commands/organiser_commands.py OrganiserCommands.choose_watched
name app/inspectors/fusionbrain/fusionbrain_panel.py SubmissionPanel.system
name app/pages/check/check_page.py CheckPage._show_checklist
shown app/pages/check/file_excerpt.py read_excerpt
user app/pages/explain/errata_pane.py ErrataPane.ask_for_files
user app/pages/models/models_page.py ModelsPage.choose
user app/pages/rate/plan_form.py PlanForm._choose_questions
user app/pages/rate/rate_page.py RatePage.choose_answers
user app/pages/rate/rate_page.py RatePage.choose_pictures
user app/pages/rate/rate_page.py RatePage.make_packets
shown app/pages/rate/rate_page.py ratable_systems
user app/pages/references/references_page.py FilesCard.paths
own app/rating_client/rating_smoke.py is_descendant
user app/rating_client/rating_window.py RatingWindow._choose
user app/rating_client/start_rating.py report_shown
user app/sheets/add_ons_sheet.py AddOnsSheet.choose
user app/sheets/entries_sheet.py EntriesSheet.choose_entries
user app/sheets/entries_sheet.py EntriesSheet.choose_folder
own app/sheets/help.py guide_file
own app/sheets/help.py guide_picture
user app/sheets/submission_rules.py SubmissionRulesSheet.choose_list
user app/sheets/verify_sheet.py VerifySheet.choose_file
user app/sheets/verify_sheet.py VerifySheet.choose_inputs
user app/startup/first_paint.py FileOpenFilter.eventFilter
own app/startup/smoke_walk.py WindowWalk.__init__
own app/startup/smoke_walk.py WindowWalk._example
own app/startup/smoke_walk.py WindowWalk.steps
user app/startup/start.py has_display
own app/state/desks.py _lock
own app/state/desks.py _move
own app/state/desks.py delete_unsaved
own app/state/desks.py new_unsaved_path
own app/state/desks.py restore_discarded
user app/state/settings.py Settings.folder
user app/state/settings.py Settings.recent
name app/widgets/shown_files.py show_file
name app/widgets/shown_files.py show_folder
user app/widgets/statistics.py StatisticsCard._choose_groups
name app/widgets/statistics.py StatisticsCard.show_choices
user app/window/frame.py Frame.dropEvent
name core/cli/command.py TaskGroup.resolve_command
user core/cli/commands/programs/meteor.py language_files
user core/cli/commands/programs/meteor.py meteor_command
user core/cli/commands/programs/trec_eval.py _results
own core/cli/commands/scoring/plan.py pilot_work
user core/cli/commands/scoring/verify.py described_table
own core/cli/commands/submissions/demo.py write_desk
own core/cli/entries/organiser.py _write_certificate
name core/cli/exit_codes.py os_error_sentence
user core/cli/parameters.py HomePath.convert
own core/competition/examples.py _option
own core/competition/examples.py copied_folder
own core/competition/examples.py copy_example
own core/competition/examples.py example_folder
own core/competition/task_registry.py competition_commands
own core/desk/desk.py Desk.temporary
own core/desk/opening.py _journal
recorded core/desk/tables/input_table.py _modification_time
recorded core/desk/tables/input_table.py locate_desk_input
recorded core/desk/tables/input_table.py recorded_path
recorded core/desk/tables/input_table.py relative_path
name core/desk/tables/input_table.py resolve_name
name core/desk/tables/submission_table.py read_submissions
own core/execution/cache.py FolderCache._path
own core/execution/code_digest.py code_digest
own core/execution/code_digest.py digest_sources
user core/execution/groups_file.py inference_from_values
own core/execution/sharded_jobs/manifest.py shard_path
recorded core/execution/sharded_jobs/merge_shards.py _folder
recorded core/execution/stamped_files.py _below
recorded core/execution/stamped_files.py _candidates
recorded core/execution/stamped_files.py locate_folder
recorded core/execution/stamped_files.py locate_input
recorded core/execution/submission_chunks.py _files
recorded core/export/platforms/package_source.py option_files
recorded core/execution/submission_chunks.py _is_same_file
recorded core/execution/submission_chunks.py submission_request
recorded core/execution/submission_chunks.py with_content
own core/export/html_report/certificate_page.py sealed_page_part
own core/export/html_report/report.py _read_part
own core/export/platforms/dry_run.py _score
own core/export/platforms/dry_run.py installed_program
own core/export/platforms/dry_run.py run_dry
own core/export/platforms/engine_package.py _distribution_files
own core/export/platforms/engine_package.py _engine_files
own core/export/platforms/engine_package.py _loaded_files
name core/export/platforms/engine_package.py _top_module
own core/export/platforms/engine_package.py write_members
user core/export/platforms/evalai_export.py _frozen_engine
own core/export/platforms/evalai_export.py evalai_program
name core/export/platforms/evalai_export.py evaluation_reason
own core/export/platforms/kaggle_export.py _call
own core/export/platforms/kaggle_export.py try_metric
own core/export/platforms/scoring_program.py _score
own core/human_evaluation/answers/rating_session.py store_path
own core/human_evaluation/design/questionnaire.py questionnaire_path
own core/human_evaluation/packets/rating_page.py rating_page_part
listed core/intake/archive.py _Unpacker._extract
listed core/intake/archive.py unpack_archive
listed core/intake/classify.py _folders
name core/intake/classify.py count_pictures
listed core/intake/collect.py _read
listed core/intake/folder.py FileListing._files_below
listed core/intake/folder.py FileListing.add_file
listed core/intake/folder_scan.py list_states
name core/intake/resolve.py _naming_path
name core/intake/take_in.py _belongs_to
listed core/intake/wheels.py unpack_wheel
own core/language/display_language.py language_catalogue
user core/library/metric_arguments.py distribution
user core/library/scoring.py compare
user core/library/scoring.py open
user core/library/scoring.py score
own core/metrics/meteor/language_data/fetching.py fetched_language_data
own core/metrics/meteor/language_data/fetching.py unpacked
own core/metrics/meteor/language_data/index_location.py index_path
own core/metrics/meteor/language_data/source_files.py data_of_language
user core/metrics/meteor/language_data/source_files.py installed_language_data
user core/metrics/meteor/sgml_files.py score_sgml
name core/model/checks.py DefectLog.with_intake
recorded core/model/options.py option_path
recorded core/model/stamp.py input_places
name core/model/system_names.py file_stem
own core/neural/inception/fid_record.py make_record
recorded core/neural/inception/image_chunks.py PictureChunk.sources
recorded core/neural/inception/image_chunks.py with_picture_bytes
name core/neural/inception/image_features.py UnusablePictures.__init__
own core/neural/weights/random_weights.py random_weights
own core/neural/weights/weight_loading.py convertible_file
own core/neural/weights/weight_roles.py _first_existing
user core/neural/weights/weight_roles.py chosen_paths
user core/neural/weights/weight_roles.py installed_weights
user core/neural/weights/weight_roles.py weight_arguments
own core/neural/weights/weight_roles.py weight_folders
own core/participant_kit/browser_page.py checker_page_part
own core/participant_kit/browser_page.py has_page
own core/participant_kit/browser_page.py recognizer_scripts
listed core/readers/images.py folder_files
listed core/readers/picture_folder.py _pictures
listed core/sealed/entry_file.py _write_file
own core/sealed/key_store.py _key_path
own core/selftest/installation.py installation_checks
own core/selftest/installation.py library_check
own core/selftest/installation.py package_check
own core/selftest/numbers.py competition_check
own core/selftest/numbers.py score_vector
own core/system/add_ons.py add_ons_folder
own core/system/paths.py _temporary_folder
own core/system/paths.py _user_folder
own core/system/paths.py absolute_path
own core/system/paths.py resources_folder
own core/system/paths.py temporary_path
own core/system/paths.py write_atomically
name core/tasks/captions/annotation_reader.py read_references
user core/tasks/captions/coco_api.py _loaded
user core/tasks/captions/caption_networks.py _text_scores
own core/tasks/declared/competition_folder.py _tables
own core/tasks/declared/competition_folder.py write_competition
name core/tasks/declared/declared_tables.py references_of
name core/tasks/densecap/readers/image_data.py with_image_sizes
user core/tasks/fusionbrain/fusionbrain_options.py FusionBrainOptions.weight_paths
name core/tasks/fusionbrain/rescoring.py replace_hidden_scores
own core/tasks/fusionbrain/subtasks/caption_chunks.py _tagger_folder
name core/tasks/keyword_spotting/overlap/list_remarks.py list_remarks
name core/tasks/keyword_spotting/overlap/overlap_reader.py _own_relevance
reader core/tasks/keyword_spotting/trec_eval/trec_eval_run.py _lists_of_groups
name core/tasks/retrieval/pair_reader.py _listed_pairs
user core/tasks/retrieval/retrieval_evaluator.py evaluate
name core/tasks/retrieval/trec_export.py write_rankings
user core/tasks/visdial/dialog_reader.py read_reference_sets
user core/tasks/visdial/document_frequencies.py save_frequencies
own core/tasks/visdial/embeddings/bert.py load_encoder
reader core/tasks/visdial/embeddings/bert_chunks.py load_bert_network
own core/tasks/visdial/embeddings/tf_checkpoint.py read_tensors
user core/tasks/visdial/visdial_options.py VisDialOptions.model_paths
reader core/tasks/visdial/visdial_task.py _digest
reader core/tasks/vist/reference_reader.py read_references
user core/tasks/keyword_spotting/overlap/overlap_evaluation.py _write_files
own core/tasks/vqa/official_files.py write_official
reader core/tasks/vqa/question_reader.py read_references
user core/tasks/vqa/vqa_evaluator.py evaluate
own core/verification/conformance.py _damaged_copies
own core/verification/conformance.py check_task
recorded core/verification/recomputation.py locate_ratings
name core/verification/verify_stamp.py _name_notes
shown core/workflow/desk_state.py _checked_files
own core/workflow/entries/look.py _unpacked_submission
own core/workflow/platform_package.py Attempted._refuses
recorded core/workflow/ratings.py _has_pictures
recorded core/workflow/ratings.py _photos
code core/workflow/ratings.py local_packet
code core/workflow/ratings.py write_packets
shown core/workflow/score.py _add_unreadable
"""
"""Reason, module and function or class of each place."""

FOLDERS = ("folder", "path", "root", "parent", "place", "home", "target", "scratch", "directory")
"""Words in the names of values that are paths."""


def is_constant(node: ast.AST) -> bool:
    """Return whether a value is a literal or named as a constant."""
    name = getattr(node, "id", getattr(node, "attr", ""))
    return isinstance(node, ast.Constant) or name.isupper()


def is_folder(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    last = ast.unparse(called).rpartition(".")[2].partition("(")[0].lower()
    return any(word in last for word in FOLDERS)


def makes_path(node: ast.AST) -> bool:
    """Return whether an expression makes a path of a value."""
    if isinstance(node, ast.BinOp):
        is_join = isinstance(node.op, ast.Div) and is_folder(node.left)
        return is_join and not is_constant(node.right)
    if not isinstance(node, ast.Call) or all(map(is_constant, node.args)):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in ("Path", "open")
    method = node.func
    if not isinstance(method, ast.Attribute):
        return False
    of_paths = method.attr == "join" and "path" in ast.unparse(method.value)
    return of_paths or method.attr in ("joinpath", "with_name")


def functions(node: ast.AST, name: str = "") -> Iterator[str]:
    """Yield the name of the function or class around each expression that makes a path."""
    for child in ast.iter_child_nodes(node):
        is_named = isinstance(child, ast.FunctionDef | ast.ClassDef)
        inside = f"{name}.{child.name}".lstrip(".") if is_named else name
        if makes_path(child):
            yield inside
        yield from functions(child, inside)


def places() -> set[str]:
    files = (path for top in ("core", "app") for path in ROOT.joinpath(top).rglob("*.py"))
    return {
        f"{path.relative_to(ROOT).as_posix()} {name}"
        for path in files
        for name in functions(ast.parse(path.read_text(encoding="utf-8")))
    }


def test_a_path_is_made_of_a_value_only_where_a_reason_is_listed():
    listed = dict(reversed(line.split(" ", 1)) for line in PLACES.strip().splitlines())
    assert set(listed.values()) == set(REASONS)
    assert places() - set(listed) == set()


def test_a_join_of_data_is_seen():
    code = "def show(folder, name):\n    return folder / name, Path(name), folder / 'own.txt'\n"
    assert [*functions(ast.parse(code))] == ["show", "show"]
