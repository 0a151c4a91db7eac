"""Workers around the moment at which a lease runs out."""

from __future__ import annotations

from trainergen_controller.inprocess import InProcessServer
from trainergen_controller.kinds import JOB_SET

from tests.controller.stepper import Stepper
from tests.controller.world import World, train_job


def test_a_pass_that_came_a_moment_too_late_is_made_once_the_lease_is_renewed() -> None:
    """A renewal that took too long is no new reign, so nothing else would make this pass."""
    server = InProcessServer("2.3")
    world = World(server.client("test"), lambda seconds: server.client("trainer"))
    world.add_runtimes("2.3")
    world.create(train_job("one"))
    stepper = Stepper(server.client("trainer"))
    stepper.engine.fence.close()
    for _ in range(len(stepper.engine.queue)):
        item = stepper.engine.queue.get(timeout=0)
        assert item is not None
        stepper.engine.step(item)
    assert world.client.list(JOB_SET).items == []
    stepper.engine.fence.open_until(float("inf"))
    stepper.work()
    assert [found["metadata"]["name"] for found in world.client.list(JOB_SET).items] == ["one"]
