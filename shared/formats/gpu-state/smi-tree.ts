/**
 * `nvidia-smi -q`: one block per GPU, `Key : Value` lines whose indentation nests sections.
 *
 *   GPU 00000000:18:00.0
 *       GPU Recovery Action                   : None
 *       ECC Errors
 *           Volatile
 *               DRAM Uncorrectable            : 0
 *
 * Volatile counters count since the driver was loaded; aggregate ones over the life of the GPU, which says nothing of
 * this incident and is left out.
 */
import type { EventBody } from '../../model/events.ts';
import { pciAddress } from '../log/signatures/device-fault.ts';

export type GpuState = Extract<EventBody, { kind: 'gpu-state' }>;

const BLOCK = /^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\s*$/;
const PAIR = /^( {0,60})(\S.{0,80}?) *: (.{0,200})$/;
const SECTION = /^( {1,60})(\S[^:]{0,80})$/;

export interface SmiTree {
  /** What a line says about its GPU, if anything. */
  line(text: string): GpuState | undefined;
  /** GPUs with a block. */
  readonly blocks: number;
  /** `Attached GPUs`. */
  readonly attached: number | undefined;
  readonly driver: string | undefined;
}

export function createSmiTree(): SmiTree {
  let pci: string | undefined;
  let index: number | undefined;
  let sections: { readonly depth: number; readonly name: string }[] = [];
  const state = { blocks: 0, attached: undefined as number | undefined, driver: undefined as string | undefined };

  const about = (what: GpuState['what'], key: string, value: string): GpuState => ({
    kind: 'gpu-state',
    what,
    pci,
    index,
    text: `${[...sections.map(({ name }) => name), key].join(', ')}: ${value}`,
  });

  const pair = (depth: number, key: string, value: string): GpuState | undefined => {
    if (key === 'Attached GPUs') state.attached = Number(value) || undefined;
    if (key === 'Driver Version') state.driver = value;
    if (pci === undefined) return undefined;
    sections = sections.filter((section) => section.depth < depth);
    const inside = (name: string) => sections.some((section) => section.name === name);
    if (key === 'Minor Number' && /^\d{1,3}$/.test(value)) index = Number(value);
    if (key === 'GPU Recovery Action' && value !== 'None' && value !== 'N/A')
      return about('recovery-action', key, value);
    if (inside('Volatile') && /Uncorrectable/.test(key) && Number(value) > 0) return about('memory-error', key, value);
    if (inside('Remapped Rows') && /^(?:Pending|Remapping Failure Occurred)$/.test(key) && value === 'Yes')
      return about('remap', key, value);
    if (inside('Retired Pages') && /^Pending/.test(key) && value === 'Yes') return about('remap', key, value);
    return undefined;
  };

  return {
    line(text) {
      const block = BLOCK.exec(text);
      if (block !== null) {
        pci = pciAddress(block[1] ?? '');
        index = undefined;
        sections = [];
        state.blocks += 1;
        return undefined;
      }
      const found = PAIR.exec(text);
      if (found !== null) return pair((found[1] ?? '').length, found[2] ?? '', (found[3] ?? '').trim());
      const section = SECTION.exec(text);
      if (section !== null) {
        const depth = (section[1] ?? '').length;
        sections = [...sections.filter((known) => known.depth < depth), { depth, name: (section[2] ?? '').trim() }];
      }
      return undefined;
    },
    get blocks() {
      return state.blocks;
    },
    get attached() {
      return state.attached;
    },
    get driver() {
      return state.driver;
    },
  };
}
