"""What audit found is told by the replica that leads, and by no other."""

from __future__ import annotations

from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import LEASE
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
