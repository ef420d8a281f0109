/** What was called, as people say it: `all_reduce 25 557 032 bf16`. */
import { elementCounts } from '#shared/analysis/collectives/calls.ts';
import { formatCount } from '#shared/text/format.ts';
import type { CallContent } from '#shared/views/collectives/types.ts';
import { escapeText } from '../escape-text.ts';

const DTYPES: ReadonlyMap<string, string> = new Map([
  ['Float', 'fp32'],
  ['Double', 'fp64'],
  ['Half', 'fp16'],
  ['BFloat16', 'bf16'],
  ['Long', 'int64'],
  ['Int', 'int32'],
  ['Short', 'int16'],
  ['Char', 'int8'],
  ['Byte', 'uint8'],
  ['Bool', 'bool'],
]);
const MAX_OP = 60;
const MAX_DTYPE = 16;

export const opText = (content: CallContent): string => cut(escapeText(content.op), MAX_OP);

/** Elements and type; empty where none were recorded. `sizes vary` where ranks legally pass unlike parts. */
export function sizeText(content: CallContent): string {
  const shapes = hasShapes(content.inputs) ? content.inputs : content.outputs;
  if (!hasShapes(shapes)) return '';
  return [elementsText(shapes), dtypeText(content.dtypes), content.varies ? '(sizes vary)' : '']
    .filter((part) => part !== '')
    .join(' ');
}

const hasShapes = (shapes: string): boolean => shapes !== '' && shapes !== '[]';

function elementsText(shapes: string): string {
  if (shapes.endsWith('…')) return 'many tensors';
  const counts = elementCounts(shapes);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (!Number.isFinite(total)) return '';
  return counts.length === 1 ? formatCount(total) : `${formatCount(total)} in ${formatCount(counts.length)} tensors`;
}

/** `bf16`; several types are listed once each. */
export function dtypeText(dtypes: string): string {
  const names = [...new Set(dtypes.split(','))].filter((name) => name !== '');
  return names
    .slice(0, 3)
    .map((name) => DTYPES.get(name) ?? cut(escapeText(name), MAX_DTYPE))
    .join(', ');
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
