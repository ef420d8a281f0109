/**
 * What Polyaxon keeps of a run's logs: files named by the epoch seconds of their last record, each a JSON document of up to 2000 records
 * of all containers, one Pod after the other, the time of the container runtime cut to microseconds.
 *
 *   {"logs": [{"timestamp": "2026-03-14T09:00:05.120391+00:00", "node": "gpu-a11-0", "pod": "…", "container": "pytorch", "value": "…"}]}
 */
import type { NodePlace } from '../topology.ts';
import { utf8 } from './text.ts';

const CHUNK = 2000;

export interface Chunked {
  /** `2026-03-14T09:00:05.120391204Z` */
  readonly stamp: string;
  readonly text: string;
  readonly place: NodePlace;
  readonly container: string;
}

export function writePlxLogs(records: readonly Chunked[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const said = records.filter(({ text }) => text.trim() !== '');
  for (let from = 0; from < said.length; from += CHUNK) {
    const chunk = said.slice(from, from + CHUNK);
    const last = chunk.at(-1)?.stamp ?? '';
    const seconds = Date.parse(`${last.slice(0, 19)}Z`) / 1000;
    const logs = chunk.map(({ stamp, text, place, container }) => ({
      timestamp: `${stamp.slice(0, 26)}+00:00`,
      node: place.node,
      pod: place.pod,
      container,
      value: text.trim(),
    }));
    files.set(`plxlogs/${seconds}.${last.slice(20, 26)}`, utf8(JSON.stringify({ logs })));
  }
  return files;
}
