import { defineRecord, num } from './define.ts';

const FIELD = /^(Num processes|Process index|Local process index): (\d{1,7})\s*$/;
const OTHER = /^(?:Device|Mixed precision type|DeepSpeed|ds_config|Distributed environment): ?/;

/**
 * What accelerate prints of its state: `Distributed environment: …` and below it `Num processes: 8`, `Process index: 3`,
 * `Local process index: 3`, `Device: cuda:3`. The process index is the global rank.
 */
export default defineRecord({
  id: 'accelerate-state',
  literals: ['Num processes: '],
  open(message) {
    const fields = new Map<string, number>();
    const put = (text: string): boolean => {
      const match = FIELD.exec(text);
      const value = num(match?.[2]);
      if (match === null || value === undefined) return false;
      fields.set(match[1] ?? '', value);
      return true;
    };
    if (!put(message.text)) return undefined;
    return {
      take: ({ text }) => (put(text) || OTHER.test(text) ? 'more' : 'over'),
      close: () => {
        const rank = fields.get('Process index');
        const worldSize = fields.get('Num processes');
        const localRank = fields.get('Local process index');
        if (rank === undefined || worldSize === undefined || rank >= worldSize) return { hits: [] };
        const body = { kind: 'rank-announced', rank, worldSize, localRank, pid: undefined } as const;
        return { hits: [{ body, printer: { rank, basis: 'announced', localRank } }] };
      },
    };
  },
  samples: [
    {
      lines: ['Num processes: 8', 'Process index: 3', 'Local process index: 1', 'Device: cuda:1'],
      expect: [{ kind: 'rank-announced', rank: 3, worldSize: 8, localRank: 1, pid: undefined }],
    },
  ],
  nearMisses: ['Num processes: auto'],
});
