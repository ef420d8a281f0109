/**
 * `nvidia-smi -q -x`: the same tree as XML, one element a line.
 *
 *   <gpu id="00000000:9D:00.0">
 *       <minor_number>5</minor_number>
 *       <ecc_errors><volatile><dram_uncorrectable>2</dram_uncorrectable>…
 *       <gpu_recovery_action>Reset</gpu_recovery_action>
 *
 * Only tags and plain text between them: no entities, no declarations, nothing is resolved.
 */
import { pciAddress } from '../log/signatures/device-fault.ts';
import type { GpuState } from './smi-tree.ts';

const TOKEN = /<(\/?)([a-z][a-z0-9_]{0,60})(?: id="([0-9A-Fa-f:.]{1,40})")?\s{0,4}(\/?)>([^<]{0,400})/g;
const MAX_DEPTH = 40;

export interface SmiXml {
  /** What the elements of a line say about their GPU, if anything. */
  line(text: string): GpuState | undefined;
  readonly blocks: number;
  readonly attached: number | undefined;
  readonly driver: string | undefined;
  /** Local time of the command, as written. */
  readonly timestamp: string | undefined;
}

/** True for a file of this kind by its first lines. */
export const isSmiXml = (head: string): boolean => /<nvidia_smi_log>/.test(head);

export function createSmiXml(): SmiXml {
  let pci: string | undefined;
  let index: number | undefined;
  let open: string[] = [];
  const state = {
    blocks: 0,
    attached: undefined as number | undefined,
    driver: undefined as string | undefined,
    timestamp: undefined as string | undefined,
  };

  const element = (name: string, value: string): GpuState | undefined => {
    if (name === 'timestamp') state.timestamp = value;
    if (name === 'driver_version') state.driver = value;
    if (name === 'attached_gpus') state.attached = Number(value) || undefined;
    if (pci === undefined) return undefined;
    if (name === 'minor_number' && /^\d{1,3}$/.test(value)) index = Number(value);
    const what = fault(name, value, open);
    const path = open.slice(open.lastIndexOf('gpu') + 1).join('/');
    return what && { kind: 'gpu-state', what, pci, index, text: `${path}: ${value}` };
  };

  return {
    line(text) {
      let said: GpuState | undefined;
      for (const [, closing, name = '', id, empty, value = ''] of text.matchAll(TOKEN)) {
        if (closing !== '') {
          const at = open.lastIndexOf(name);
          if (at >= 0) open = open.slice(0, at);
          continue;
        }
        if (name === 'gpu') {
          pci = pciAddress(id ?? '');
          index = undefined;
          state.blocks += 1;
        }
        if (empty !== '' || open.length >= MAX_DEPTH) continue;
        open.push(name);
        if (value.trim() !== '') said = element(name, value.trim()) ?? said;
      }
      return said;
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
    get timestamp() {
      return state.timestamp;
    },
  };
}

function fault(name: string, value: string, open: readonly string[]): GpuState['what'] | undefined {
  if (name === 'gpu_recovery_action') return value === 'None' || value === 'N/A' ? undefined : 'recovery-action';
  if (open.includes('volatile') && name.includes('uncorrectable') && Number(value) > 0) return 'memory-error';
  const isRemap = open.includes('remapped_rows') && /^remapped_row_(?:pending|failure)$/.test(name);
  const isRetired = open.includes('retired_pages') && /^pending_(?:blacklist|retirement)$/.test(name);
  return (isRemap || isRetired) && value === 'Yes' ? 'remap' : undefined;
}
