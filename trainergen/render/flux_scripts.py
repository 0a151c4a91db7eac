"""The two shell scripts that a Flux TrainJob runs: one prepares the view and configuration, one starts the brokers."""

from __future__ import annotations

import json
from typing import NamedTuple

INSTALL_PATH = "/mnt/flux"
CONFIG_PATH = f"{INSTALL_PATH}/config"
BROKER_PORT = 8050


class FluxJob(NamedTuple):
    """What the scripts depend on."""

    name: str
    namespace: str
    nodes: int
    tasks: int
    gpus: int
    device: str
    queue_policy: str
    resource_ranges: bool

    @property
    def lead(self) -> str:
        """The host that runs the command."""
        return f"{self.name}-node-0-0"

    @property
    def hosts(self) -> str:
        """All hosts, in the notation of Flux host lists."""
        return host_list(self.name, self.nodes)

    @property
    def submit_flags(self) -> str:
        """Nodes, tasks and GPUs of the run. NB: Flux takes the GPUs of a node as the GPUs of each task."""
        gpus = f" -g {self.gpus}" if self.gpus > 0 else ""
        return f"-N {self.nodes} -n {self.tasks * self.nodes}{gpus}"

    @property
    def resource_flags(self) -> str:
        """How the resources of each host are described."""
        if not self.resource_ranges:
            return "--local"
        gpus = f" --gpu={index_range(self.gpus)}" if self.gpus > 0 else ""
        return f"--cores={index_range(self.tasks)}{gpus}"


def host_list(job: str, nodes: int) -> str:
    """The hosts of a TrainJob in the notation of Flux host lists."""
    return f"{job}-node-0-[{index_range(nodes)}]"


def index_range(size: int, start: int = 0) -> str:
    """``size`` numbers from ``start`` as Flux writes them: ``0``, ``0-3``."""
    return str(start) if size == 1 else f"{start}-{start + size - 1}"


def broker_configuration(job: FluxJob) -> str:
    """The content of ``broker.toml``."""
    domain = f"{job.name}.{job.namespace}.svc.cluster.local"
    return f"""\
[access]
allow-guest-user = true
allow-root-owner = true

[resource]
path = "{CONFIG_PATH}/etc/flux/system/R"

[bootstrap]
curve_cert = "{CONFIG_PATH}/etc/curve/curve.cert"
default_port = {BROKER_PORT}
default_bind = {_toml(f"tcp://{job.device}:%p")}
default_connect = "tcp://%h.{domain}:%p"
hosts = [{{host = "{job.hosts}"}}]

[archive]
dbpath = "{CONFIG_PATH}/var/lib/flux/job-archive.sqlite"
period = "1m"
busytimeout = "50s"

[sched-fluxion-qmanager]
queue-policy = {_toml(job.queue_policy)}
"""


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def init_script(job: FluxJob) -> str:
    """``init.sh``: copies the view out of the image and writes the configuration that all brokers share."""
    return _INIT.replace("@HOSTS@", job.hosts).replace("@BROKER@", broker_configuration(job))


def entrypoint_script(job: FluxJob) -> str:
    """``entrypoint.sh``: on the lead host runs its arguments under Flux, on the others follows the lead."""
    words = {"@LEAD@": job.lead, "@RESOURCES@": job.resource_flags, "@SUBMIT@": job.submit_flags, "@HOSTS@": job.hosts}
    script = _ENTRYPOINT
    for mark, word in words.items():
        script = script.replace(mark, word)
    return script


_INIT = """\
#!/bin/bash
# Prepares what the brokers of all hosts need: the Flux view of this image, the host list, the broker's configuration.

export PATH="/opt/view/bin:$PATH"
mkdir -p /opt/view/bin

config=/mnt/flux/config
mkdir -p "$config/etc/flux/system/cron.d" "$config/etc/flux/config" "$config/etc/curve"
mkdir -p "$config/var/lib/flux" "$config/run/flux"

echo '@HOSTS@' > "$config/etc/flux/system/hostlist"

cat > "$config/etc/flux/config/broker.toml" <<'END_OF_BROKER_TOML'
@BROKER@END_OF_BROKER_TOML
echo "configuration of the broker:"
cat "$config/etc/flux/config/broker.toml"

# The image has exactly one view; /opt/view only links to it.
mkdir -p /mnt/flux/view
for view in /opt/views/._view/*/; do
  cp -R "$view". /mnt/flux/view
done
cp -R /opt/software /mnt/flux/

touch /mnt/flux/prepared
echo "the view is ready in /mnt/flux"
"""

_ENTRYPOINT = """\
#!/bin/bash
# Starts a Flux broker on this host (@HOSTS@). The lead host runs the arguments as one command line.

root=/mnt/flux
view="$root/view"
config="$root/config"
etc="$config/etc/flux/config"
socket="local://$config/run/flux/local"
user_id=$(id -u)
command="$*"

# Behind what the image has, so that its own Python comes first.
export PATH="$PATH:$view/bin"
cp -R "$root"/software/* /opt/software/

for python_root in "$view"/lib/python3*; do
  python="$view/bin/${python_root##*/}"
  if [ -f "$python" ]; then
    ln -sf "$python" "$view/bin/python3"
    ln -sf "$python" "$view/bin/python"
  fi
  export PYTHONPATH="${PYTHONPATH:-}:$python_root/site-packages"
done
export FLUX_RC_EXTRA="$view/etc/flux/rc1.d"

cat > "$root/load-fluxion.sh" <<END
flux module remove sched-simple
flux module load sched-fluxion-resource
flux module load sched-fluxion-qmanager
END
cat > "$root/flux-view.sh" <<END
export PATH="$PATH"
export PYTHONPATH="${PYTHONPATH:-}"
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}:$view/lib"
export fluxsocket="$socket"
END

certificate="$config/etc/curve/curve.cert"
cp /curve/curve.cert "$certificate"
chmod go-r "$certificate"
chown -R "$user_id" "$certificate"

flux R encode --hosts="$(cat "$config/etc/flux/system/hostlist")" @RESOURCES@ > /tmp/R
mv /tmp/R "$config/etc/flux/system/R"

export STATE_DIR="$config/var/lib/flux"
export FLUX_OUTPUT_DIR=/tmp/fluxout
mkdir -p "$STATE_DIR" "$FLUX_OUTPUT_DIR" "$config/etc/flux/system/cron.d"

options=(
  "-Scron.directory=$config/etc/flux/system/cron.d"
  -Stbon.fanout=256
  "-Srundir=$config/run/flux"
  "-Sstatedir=$STATE_DIR"
  "-Slocal-uri=$socket"
  -Slog-stderr-level=0
  -Slog-stderr-mode=local
)

if [ "$(hostname)" = "@LEAD@" ]; then
  if [ -z "$command" ]; then
    echo "no command: starting an interactive broker"
    flux broker --config-path "$etc" "${options[@]}"
  else
    echo "running: flux run @SUBMIT@ $command"
    # The command is split at blanks on purpose: it came as one text.
    # shellcheck disable=SC2086
    flux start -o --config "$etc" "${options[@]}" flux run @SUBMIT@ $command
  fi
else
  until flux start -o --config "$etc" "${options[@]}"; do
    echo "the lead host @LEAD@ is not there yet, trying again in 15 seconds"
    sleep 15
  done
fi

touch "$root/finished"
"""
