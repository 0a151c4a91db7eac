"""What audit found is told by the replica that leads, and by no other."""

from __future__ import annotations

from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import LEASE, POLICY_REPORT
from trainergen_controller.settings import AUDIT

from tests.controller.world import World, eventually, train_job

THIEF = {"holderIdentity": "thief", "leaseDurationSeconds": 3600}


def test_metrics_of_findings_go_with_the_lead_and_come_back_with_it() -> None:
    server = InProcessServer("2.3")
    world = World(server.client("test"), lambda seconds: server.client("trainer"))
    world.add_runtimes("2.3")
    world.create(train_job("one", trainer={"numNodes": 1, "command": ["python", "train.py", "${RANK}"]}))
    with world.running(mode=AUDIT, namespace="team-a") as process:

        def told() -> bool:
            return b"\ntrainergen_findings{" in process.metrics.text()

        eventually(told, "the findings are told")
        (lease,) = world.client.list(LEASE).items
        spec = {key: value for key, value in lease["spec"].items() if key in ("acquireTime", "renewTime")}
        world.client.update(LEASE, {**lease, "spec": {**spec, **THIEF}})
        eventually(lambda: not told(), "they are not any more")
        world.client.delete(LEASE, lease["metadata"]["name"], lease["metadata"]["namespace"])
        eventually(told, "they are told again")


def test_shards_with_jobs_in_one_namespace_do_not_replace_each_others_reports() -> None:
    server = InProcessServer("2.3")
    worlds = [World(server.client("test"), lambda seconds: server.client("trainer")) for _ in "ab"]
    worlds[0].add_runtimes("2.3")
    for name in ("a", "b"):
        job = train_job(name)
        worlds[0].create({**job, "metadata": {**job["metadata"], "labels": {"shard": name}}})

    def judged() -> int:
        return sum(report["summary"]["pass"] for report in worlds[0].client.list(POLICY_REPORT).items)

    first, second = (
        world.running(mode=AUDIT, selector=f"shard={name}", identity=name)
        for name, world in zip("ab", worlds, strict=True)
    )
    with first:
        eventually(lambda: judged() == 1, "the report of the first shard is there")
        with second:
            eventually(lambda: judged() == 2, "that of the second, too")
