"""``numProcPerNode`` of a TrainJob becomes a number, and takes over that of its runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import text_at, value_at
from trainergen.render.resources import cpu_count, gpu_count
from trainergen.upgrade.checks import PROCESSES_LOST
from trainergen.upgrade.work import JOB, Work, node_resources

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

_PLACE: Path = ("spec", "trainer", "numProcPerNode")
_FIELD = "spec.trainer.numProcPerNode"


def job_processes(work: Work) -> None:
    """As kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go counts at v2.1.0 and at v2.2.1."""
    if work.document.kind != JOB or not _retyped(work):
        return
    own = work.draft.get(*_PLACE)
    if isinstance(own, str):
        _word(work, own)
    elif own is None:
        _from_runtime(work)


def _retyped(work: Work) -> bool:
    return work.old.behaviours.num_proc_per_node_words and not work.new.behaviours.num_proc_per_node_words


def _word(work: Work, word: str) -> None:
    if word == "auto":
        inherited = value_at(_runtime(work), "spec", "mlPolicy", "torch", "numProcPerNode")
        work.draft.drop(_PLACE)
        work.note(f"{_FIELD} was 'auto', which is what {work.new.name} does without it")
        if inherited not in (None, "auto"):
            work.note("the runtime's numProcPerNode, which it overrode, goes as well")
        return
    number = int(word) if word.isascii() and word.isdigit() else _count(work, word)
    if number is None:
        _lose(work, word)
    else:
        work.draft.put(_PLACE, number)
        work.note(f"{_FIELD} was '{word}' and is {number}: {work.new.name} takes numbers only")


def _from_runtime(work: Work) -> None:
    """Write what the runtime said, where the target would count otherwise."""
    runtime = _runtime(work)
    word = value_at(runtime, "spec", "mlPolicy", "torch", "numProcPerNode")
    if word in (None, "auto") or isinstance(word, bool) or not isinstance(word, int | str):
        return
    name = text_at(runtime, "metadata", "name")
    if value_at(work.document.object, "spec", "trainer") is None:
        # The plugin's variables reach the container only through the TrainJob's trainer.
        work.note(f"numProcPerNode of the runtime '{name}' had no effect on a TrainJob without trainer")
        return
    resources = node_resources(work.document.object, runtime)
    if word == "gpu" and gpu_count(resources) > 0:
        work.note(f"the runtime '{name}' said 'gpu', and the job asks for GPUs: {work.new.name} counts them as well")
        return
    if word == "cpu" and gpu_count(resources) == 0:
        work.note(f"the runtime '{name}' said 'cpu', and the job asks for no GPU: {work.new.name} counts CPUs as well")
        return
    number = _number(word)
    number = number if number is not None else _count(work, str(word))
    if number is None:
        _lose(work, str(word), of=f" of the runtime '{name}'")
        return
    work.draft.put(_PLACE, number)
    work.note(f"{_FIELD} is {number}, as the runtime '{name}' said, which can no longer say it")


def _number(word: JsonValue) -> int | None:
    if isinstance(word, int) and not isinstance(word, bool):
        return word
    return int(word) if isinstance(word, str) and word.isascii() and word.isdigit() else None


def _count(work: Work, word: str) -> int | None:
    """The processes that a word stands for, None when that is only known in the Pod."""
    runtime = _runtime(work)
    resources = node_resources(work.document.object, runtime)
    own = value_at(work.document.object, "spec", "trainer", "resourcesPerNode")
    if word == "gpu":
        return gpu_count(resources) or None
    if word != "cpu" or not (runtime or own):
        return None
    if work.around.start.rendering.torch_asks_requests_last and not own:
        # Without resources of the TrainJob the word itself reached the Pod there.
        return None
    return max(1, cpu_count(resources))


def _runtime(work: Work) -> JsonObject:
    found = work.around.runtime_of(work.document)
    return {} if found is None else found[1]


def _lose(work: Work, word: str, *, of: str = "") -> None:
    on_key = not of
    place = work.spot(*_PLACE) if on_key else work.spot("spec", "runtimeRef", "name")
    work.lose(
        PROCESSES_LOST.at(
            place,
            f"numProcPerNode{of} is '{word}', which {work.new.name} does not take, and the resources do not say how "
            "many processes that is",
            help=f"Write {_FIELD} as the number of processes on a node.",
        )
    )
