import type { HelpPage } from '../types.ts';

export const clocks: HelpPage = {
  id: 'topic/clocks',
  kind: 'topic',
  title: 'Times and clocks',
  lead: 'Each node has a clock of its own; stamps of two nodes are compared only where their offset is bounded.',
  sections: [
    {
      title: 'What a time shows',
      text: 'A corrected time is on the reference clock and carries a bound: the true moment lies within it. A raw time is what the record says, on its own clock. Unknown is shown as unknown, never as zero.',
    },
    {
      title: 'Offsets',
      text: 'An offset is that clock minus the reference clock: positive means ahead. It comes with a guaranteed interval, in which it must lie, and a likely one.\n\n- **good**: guaranteed to 100 ms or better\n- **loose**: guaranteed, wider\n- **incomplete**: one side is open, or only likely bounds are known\n- **contradictory**: the evidence excludes itself; a clock was set while the job ran, or a file belongs elsewhere\n- **none**: nothing relates this clock to the others',
    },
    {
      title: 'Where offsets come from',
      text: '- pairs of stamps that one write carries: Leases of nodes, Pod status with managed fields, events\n- what must come before what: a collective that needs everybody ends nowhere before the last rank enqueued it\n- output of chrony, ntpq, timedatectl and of a collector that took times before and after',
    },
    {
      title: 'What does not order two nodes',
      text: '- the nine digits behind the seconds of a torch log line: they belong to another clock than the seconds\n- the time of a file: it is when it was collected or unpacked\n- kernel stamps after a suspend: they drift\n- the moment a launcher prints a failure: it is when it noticed',
    },
  ],
  keywords: ['time', 'offset', 'skew', 'drift', 'bound', 'reference', 'lease', 'ntp', 'chrony', 'zone'],
  seeAlso: ['rule/job-runs-short', 'topic/collecting'],
};
