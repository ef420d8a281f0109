import type { HelpPage } from '../types.ts';

export const exitStatuses: HelpPage = {
  id: 'topic/exit-statuses',
  kind: 'topic',
  title: 'Exit statuses',
  lead: 'What the exit of a process proves, and what the terminal program returns.',
  sections: [
    {
      title: 'Of workers and containers',
      text: [
        '- **1**: the program ended by an exception, or called exit(1); which one stands in its log. Of a container it is mostly the launcher, which passes on that a worker failed',
        '- **-6 / 134** (SIGABRT): native code gave up; after a watchdog line it is a consequence',
        '- **-7 / 135** (SIGBUS): often shared memory that is too small',
        '- **-9 / 137** (SIGKILL): killed; by the kernel for lack of memory only if a kernel line, `OOMKilled` or the counter of its cgroup (`oom_kill` in memory.events) says so, else by a person, a launcher or the kubelet',
        '- **-11 / 139** (SIGSEGV): a crash in native code',
        '- **-15 / 143** (SIGTERM): told to stop; by the launcher when another worker failed, or from outside',
        '- **127, 126**: the command was not found or may not be run',
      ].join('\n'),
    },
    {
      title: 'Of a container and of its ranks',
      text: 'The exit of a container is that of its first process, mostly the launcher. It says little about the ranks in it.',
    },
    {
      title: 'Of `analyze`',
      text: '- **0**: analysed, whatever the verdict\n- **2**: usage, or a path that is not there\n- **3**: nothing in the bundle could be read\n- **4**: the bundle as a whole was refused for safety\n- **5**: an error of this program, or a report or case that could not be written\n- **130**: cancelled',
    },
  ],
  keywords: [
    'exit code',
    'signal',
    '137',
    '139',
    '143',
    '134',
    'SIGKILL',
    'SIGTERM',
    'SIGABRT',
    'SIGSEGV',
    'OOMKilled',
  ],
  seeAlso: ['cause/killed', 'cause/host-out-of-memory', 'rule/rank-killed'],
};
