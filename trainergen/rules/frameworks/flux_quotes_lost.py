"""Words with blanks that Flux takes apart."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_QUOTES = ("'", '"')
_LONGEST = 40


@rule(
    "TG440",
    "flux-quotes-lost",
    severity="error",
    since="2.2",
    triggers=("flux",),
)
def flux_quotes_lost(job: Job) -> Findings:
    """A word of the command holds blanks, which a Flux runtime takes for the ends of words.

    ## Why
    The controller joins command and args with blanks into one text, which is split at blanks again on the first node.
    `bash -c "a b"` becomes `bash -c a b`, which runs only `a`; quotes inside of a word reach the program as characters.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/lammps:1.0
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-flux
      trainer:
        numNodes: 2
        command: [bash, -c, "cd /data && lmp -in in.lj"]  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/lammps:1.0
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-flux
      trainer:
        numNodes: 2
        command: [/data/run.sh, in.lj]
    ```
    """
    if job.runtime.policy("flux") is None:
        return
    written = [(key, number, word) for key in ("command", "args") for number, word in enumerate(_words(job, key))]
    for key, number, word in written:
        quoted = any(mark in word for mark in _QUOTES)
        if quoted or (len(written) > 1 and len(word.split()) > 1):
            yield job.at("spec.trainer", key, number).report(
                f"'{_shortened(word)}' is split at its blanks" + (", and its quotes are kept" if quoted else ""),
                help="Put the command line into a script of the image, or of a ConfigMap.",
            )
            return


def _words(job: Job, key: str) -> list[str]:
    return job.source.texts("spec.trainer", key)


def _shortened(word: str) -> str:
    line = " ".join(word.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
