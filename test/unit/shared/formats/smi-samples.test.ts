import { describe, expect, it } from 'vitest';
import { readGpuRows } from '#shared/formats/gpu-state/smi-samples.ts';

const HEADER = 'timestamp, index, pci.bus_id, utilization.gpu [%], memory.used [MiB], power.draw [W], temperature.gpu';
const ROW = '2026/03/14 10:25:02.123, 5, 00000000:9D:00.0, 98 %, 71234 MiB, 612.40 W, 61';

describe('rows of nvidia-smi', () => {
  it('give each measure of a GPU with its stamp, in percent, bytes, watts and degrees', () => {
    const row = readGpuRows(HEADER)?.(ROW);
    expect(row).toMatchObject({ index: 5, pci: '0000:9d:00.0' });
    expect(row?.ns).toBe(BigInt(Date.parse('2026-03-14T10:25:02.123Z')) * 1_000_000n);
    expect(row?.values).toEqual([
      { measure: 'utilization.gpu', value: 98 },
      { measure: 'memory.used', value: 71_234 * 2 ** 20 },
      { measure: 'power.draw', value: 612.4 },
      { measure: 'temperature.gpu', value: 61 },
    ]);
  });

  it('without units, as `nounits` writes them', () => {
    const read = readGpuRows('timestamp, index, utilization.gpu [%]');
    expect(read?.('2026/03/14 10:25:02.123, 0, 7')?.values).toEqual([{ measure: 'utilization.gpu', value: 7 }]);
  });

  it.each([
    ['no value', ROW.replace('98 %', '[N/A]'), ['memory.used', 'power.draw', 'temperature.gpu']],
    ['a lost GPU', ROW.replace('98 %', '[GPU is lost]'), ['memory.used', 'power.draw', 'temperature.gpu']],
    ['a negative number', ROW.replace('98 %', '-98 %'), ['memory.used', 'power.draw', 'temperature.gpu']],
  ])('leave out %s', (_what, text, left) => {
    expect(readGpuRows(HEADER)?.(text)?.values.map(({ measure }) => measure)).toEqual(left);
  });

  it.each([
    ['another number of cells', `${ROW}, 1`],
    ['no stamp', ROW.replace('2026/03/14 10:25:02.123', 'N/A')],
    ['no GPU', ROW.replace('5, 00000000:9D:00.0', '?, ?')],
    ['the header again', HEADER],
  ])('are none with %s', (_what, text) => {
    expect(readGpuRows(HEADER)?.(text)).toBeUndefined();
  });

  it.each([
    ['no time', 'index, utilization.gpu [%]'],
    ['no measure', 'timestamp, index, driver_version'],
    ['no table', 'GPU 0: NVIDIA H100 80GB HBM3'],
  ])('are not looked for where the header names %s', (_what, header) => {
    expect(readGpuRows(header)).toBeUndefined();
  });
});
