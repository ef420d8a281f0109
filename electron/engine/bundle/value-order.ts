/**
 * What is read first where a container lets us choose: what names the ranks, then what parted them, then everything else. Judged by names
 * only, since nothing is open yet: a wrong guess costs time and changes nothing in the result.
 */
import { withoutCompression } from './compression-ending.ts';

/** 0 is read first: objects and events of the cluster, then recorder dumps, then the rest. */
export type Value = 0 | 1 | 2;

const DUMP = /(?:nccl[_-]?trace|fr[_-]?trace|comm_lib_trace|flight[_-]?recorder|nccl[_-]?dump)/;
const DUMP_ENDING = /\.(?:pickle|pkl)$/;
const LOG_ENDING = /\.(?:log|out|err|stdout|stderr)(?:\.[0-9a-z-]+)?$/;
const OBJECT_ENDING = /\.(?:ya?ml|json)$/;
const OBJECT_NAME = /^(?:pods?|events?|nodes?|leases?|jobs?|describe|status|objects?|workloads?)(?:[-_.].*)?$/;

/** Longer lists of objects are exports of logs, as a rule. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

export function readingValue(path: string, bytes: number): Value {
  const whole = withoutCompression(path.toLowerCase());
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  if (LOG_ENDING.test(name)) return 2;
  if (DUMP.test(name) || DUMP_ENDING.test(name)) return 1;
  if (bytes <= MAX_OBJECT_BYTES && (OBJECT_ENDING.test(name) || OBJECT_NAME.test(name))) return 0;
  // A folder of dumps: its files have no ending of their own.
  return DUMP.test(whole) && !name.includes('.') ? 1 : 2;
}
