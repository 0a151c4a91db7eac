"""JobSet's chart copied from its repository, with the image of the main branch."""

from __future__ import annotations

from trainergen.rules import Chart, Findings, rule
from trainergen.rules.objects import Entry
from trainergen.rules.part import DocumentRoot, Part
from trainergen.rules.tree import join, objects_in

_STAGING = "k8s-staging"
_MOVING = ("main", "latest")


@rule("TG748", "staging-image-in-subchart", severity="warning", triggers=("jobset",), answers=("H005",))
def staging_image_in_subchart(chart: Chart) -> Findings:
    """A copy of JobSet's chart in `charts/` runs the image of its main branch from the staging registry.

    ## Why
    The chart in the repository of JobSet names the registry of test builds and the tag `main`; only the published chart
    has the released image. A copy from Git therefore runs a new, untested controller with every restart.

    ## Bad
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: jobset
        repository: oci://registry.k8s.io/jobset/charts
        version: 0.12.0
    ```
    ```yaml title="chart/charts/jobset/Chart.yaml"
    apiVersion: v2
    name: jobset
    version: 0.12.0
    ```
    ```yaml title="chart/charts/jobset/values.yaml"
    image:
      repository: us-central1-docker.pkg.dev/k8s-staging-images/jobset/jobset
      tag: main  # <-
    ```

    ## Good
    ```yaml title="chart/Chart.yaml"
    apiVersion: v2
    name: platform
    version: 1.0.0
    dependencies:
      - name: jobset
        repository: oci://registry.k8s.io/jobset/charts
        version: 0.12.0
    ```
    ```yaml title="chart/values.yaml"
    jobset:
      image:
        repository: registry.k8s.io/jobset/jobset
        tag: v0.12.0
    ```
    ```yaml title="chart/charts/jobset/Chart.yaml"
    apiVersion: v2
    name: jobset
    version: 0.12.0
    ```
    ```yaml title="chart/charts/jobset/values.yaml"
    image:
      repository: us-central1-docker.pkg.dev/k8s-staging-images/jobset/jobset
      tag: main
    ```
    """
    dependency = chart.dependency("jobset")
    if dependency is None:
        return
    key = dependency.text("alias") or "jobset"
    if any(file.has(key, "image", "tag") for file in chart.values_files.values()):
        return
    path = join(chart.folder, "charts/jobset/values.yaml")
    data = chart.tree.read(path)
    for document in objects_in((data or b"").decode("utf-8", "replace"), path)[:1]:
        values = Part(document.value, DocumentRoot(Entry(document, location=path)))
        tag, repository = values.text("image.tag"), values.text("image.repository")
        if tag in _MOVING or (_STAGING in repository and not tag):
            yield values.at("image.tag").report(
                f"this copy of JobSet's chart runs '{repository}:{tag}', not a released image",
                help="Copy the published chart, or set image.repository and image.tag for it in the values.",
            )
