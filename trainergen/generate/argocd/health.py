"""Health checks in Lua for what Argo CD knows nothing about: TrainJobs, JobSets, and Applications in Applications.

Written in the Lua 5.1 that Argo CD has, without its libraries, which are switched off there.
"""

from __future__ import annotations

_DELETED = """if obj.metadata ~= nil and obj.metadata.deletionTimestamp ~= nil then
  health.message = "being deleted"
  return health
end
"""
_CONDITIONS = """local is = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.status == "True" then
      is[condition.type] = condition.message or condition.reason or condition.type
    end
  end
end
"""


def _ending(kind: str, *, complete: str) -> str:
    return f"""local health = {{status = "Progressing", message = "the {kind} has not ended"}}
{_DELETED}{_CONDITIONS}if is["Failed"] then
  health.status = "Degraded"
  health.message = is["Failed"]
elseif is["{complete}"] then
  health.status = "Healthy"
  health.message = is["{complete}"]
elseif is["Suspended"] then
  health.status = "Suspended"
  health.message = is["Suspended"]
end
return health
"""


TRAIN_JOB = _ending("TrainJob", complete="Complete")
JOB_SET = _ending("JobSet", complete="Completed")
APPLICATION = """local health = {status = "Progressing", message = "not looked at yet"}
if obj.status ~= nil and obj.status.health ~= nil and obj.status.health.status ~= nil then
  health.status = obj.status.health.status
  health.message = obj.status.health.message or ""
end
return health
"""

SCRIPTS = {
    "trainer.kubeflow.org_TrainJob": TRAIN_JOB,
    "jobset.x-k8s.io_JobSet": JOB_SET,
    "argoproj.io_Application": APPLICATION,
}
"""The scripts by what Argo CD calls the kind."""
