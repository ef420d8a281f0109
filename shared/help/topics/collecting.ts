import type { HelpPage } from '../types.ts';

export const collecting: HelpPage = {
  id: 'topic/collecting',
  kind: 'topic',
  title: 'Collecting a bundle',
  lead: 'In the order in which things vanish; nothing of it changes the cluster.',
  sections: [
    {
      title: 'While the job still hangs',
      text: 'Collect before anybody deletes it. For each rank, the stack tells more than all else:\n\n```\npy-spy dump --native --pid PID > stack.RANK.txt\n```',
    },
    {
      title: 'Events, objects and Leases first',
      text: 'Events expire after an hour. Managed fields relate the clocks of the nodes.\n\n```\nkubectl get events -A -o json > events.json\nkubectl get pods -n NAMESPACE -o json --show-managed-fields > pods.json\nkubectl get nodes -o json --show-managed-fields > nodes.json\nkubectl get leases -n kube-node-lease -o json --show-managed-fields > leases.json\nkubectl get pytorchjobs,jobsets,jobs -n NAMESPACE -o json > jobs.json\n```',
    },
    {
      title: 'Logs of every Pod, whole',
      text: 'Never with `-l` alone: it gives the last ten lines of each. Never with `--tail` or `--limit-bytes`. The log before a restart is the one that counts.\n\n```\nkubectl logs -n NAMESPACE POD --all-containers --timestamps --previous > POD.previous.log\nkubectl logs -n NAMESPACE POD --all-containers --timestamps > POD.log\n```',
    },
    {
      title: 'Dumps',
      text: 'The folder that the file prefix names, of every Pod. They are gone with the Pod unless they lie on a volume.',
    },
    {
      title: 'Nodes',
      text: "```\ndmesg --time-format iso > NODE.dmesg.txt\nnvidia-smi -q > NODE.nvidia-smi.txt\nchronyc tracking > NODE.chrony.txt\n(date -u; grep . /proc/pressure/* /proc/loadavg /proc/meminfo; df -h; df -i) > NODE.pressure.txt\n```\n\nOf a container, best while it still runs: its cgroup and its counters are gone with it.\n\n```\nkubectl exec -n NAMESPACE POD -c CONTAINER -- sh -c 'date -u; cd /sys/fs/cgroup; grep -s . cpu.stat memory.events memory.max memory.peak cpu/cpu.stat memory/memory.oom_control; df -h' > POD.pressure.txt\n```",
    },
    {
      title: 'What may be left out',
      text: 'Secrets are not needed. Values of unknown variables may be masked; names should stay, and equal values should get equal masks.',
    },
  ],
  keywords: ['collect', 'kubectl', 'logs', 'previous', 'events', 'py-spy', 'dmesg', 'bundle', 'ask'],
  seeAlso: ['topic/settings', 'topic/file-kinds', 'topic/clocks'],
};

export const settings: HelpPage = {
  id: 'topic/settings',
  kind: 'topic',
  title: 'Settings that make a failure decidable',
  lead: 'The report tells which of them were on, and holds a patch with those that were not.',
  sections: [
    {
      title: 'The recorder',
      text: '`TORCH_FR_BUFFER_SIZE=2000` (before torch 2.14: `TORCH_NCCL_TRACE_BUFFER_SIZE`) keeps the last calls of every rank; `TORCH_NCCL_DUMP_ON_TIMEOUT=1` writes them when one rank times out; `TORCH_FR_DUMP_TEMP_FILE` (before: `TORCH_NCCL_DEBUG_INFO_TEMP_FILE`) says where. That place must outlive the Pod.',
    },
    {
      title: 'NCCL',
      text: '`NCCL_DEBUG=INFO` with `NCCL_DEBUG_SUBSYS=INIT,ENV,NET` names the GPU, the interface and the version of every rank once, and prints warnings. Without it the failing device stays unnamed.',
    },
    {
      title: 'Output',
      text: '`PYTHONUNBUFFERED=1` and `PYTHONFAULTHANDLER=1`; one file a rank by `torchrun --log-dir DIR --tee 3`.',
    },
    {
      title: 'The Pod',
      text: 'A memory volume on `/dev/shm`; `restartPolicy: Never`; `cleanPodPolicy: None` (PyTorchJob) or `maxRestarts: 0` (JobSet), so that what failed is still there.',
    },
    {
      title: 'States in the review',
      text: '- **missing**: not set, and the next failure will be harder to decide\n- **in the way**: set to a value that hides something\n- **differs**: not the same in all Pods\n- **not told**: masked, filled from elsewhere, or no Pod in the bundle; masked is not unset\n- **worth knowing**: changes how this bundle reads',
    },
  ],
  keywords: [
    'TORCH_FR_BUFFER_SIZE',
    'TORCH_NCCL_TRACE_BUFFER_SIZE',
    'NCCL_DEBUG',
    'patch',
    'environment',
    'PyTorchJob',
    'JobSet',
    'Polyaxon',
    'shm',
  ],
  seeAlso: ['topic/collecting', 'cause/shared-memory'],
};
