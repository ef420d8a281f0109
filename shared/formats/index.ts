/**
 * The list of formats and the choice among them. A new format is one file (or folder) and one line here.
 *
 * Detection reads a bounded head of the content; names are hints that a format may add to its score, never a reason of
 * their own. The highest score wins. Two equal winners are a fault of the formats that a test catches; until it is
 * mended the one listed first is taken, so that the result stays the same for the same bytes.
 */
import type { Claim, EntryHead, Format } from '../model/format.ts';
import collectorRecord from './collector-record/index.ts';
import describePod from './describe-pod.ts';
import eventsTable from './events-table.ts';
import recorderJson from './flight-recorder/json.ts';
import recorderPickle from './flight-recorder/pickle.ts';
import gpuState from './gpu-state/index.ts';
import hostState from './host-state/index.ts';
import htmlPage from './ignored/html-page.ts';
import image from './ignored/image.ts';
import nestedArchive from './ignored/nested-archive.ts';
import otherBinary from './ignored/other-binary.ts';
import unknownBinary from './ignored/unknown-binary.ts';
import kernelLog from './kernel-log.ts';
import podLog from './log/pod-log.ts';
import logExport from './log-export/index.ts';
import mpiHostfile from './mpi-hostfile.ts';
import ncclRas from './nccl-ras.ts';
import ncclRasJson from './nccl-ras-json.ts';
import nodesTable from './nodes-table.ts';
import nvidiaBugReport from './nvidia-bug-report.ts';
import objectsJson from './objects-json.ts';
import objectsYaml from './objects-yaml.ts';
import podsTable from './pods-table.ts';
import timeService from './time-service/index.ts';
import torchErrorFile from './torch-error-file.ts';
import unknownText from './unknown-text.ts';

export const FORMATS: readonly Format[] = [
  // recorder dumps
  recorderPickle,
  recorderJson,
  // Kubernetes
  objectsYaml,
  objectsJson,
  podsTable,
  eventsTable,
  nodesTable,
  describePod,
  // logs and reports
  podLog,
  logExport,
  kernelLog,
  gpuState,
  hostState,
  nvidiaBugReport,
  torchErrorFile,
  ncclRas,
  ncclRasJson,
  timeService,
  mpiHostfile,
  // about the collecting
  collectorRecord,
  // known, and not read
  htmlPage,
  image,
  nestedArchive,
  otherBinary,
  // last resorts
  unknownText,
  unknownBinary,
];

export interface FormatClaim extends Claim {
  readonly format: Format;
}

/** All claims on a head, highest score first; equal scores in the order of the list. */
export function claimsOn(head: EntryHead): readonly FormatClaim[] {
  const claims: FormatClaim[] = [];
  for (const format of FORMATS) {
    const claim = format.claim(head);
    if (claim !== undefined && claim.score > 0) claims.push({ ...claim, format });
  }
  return claims.sort((a, b) => b.score - a.score);
}

/** The format that reads this entry, and why, in words for the file list. Undefined for an entry without content. */
export function detectFormat(head: EntryHead): { readonly format: Format | undefined; readonly why: string } {
  const best = claimsOn(head)[0];
  return best === undefined ? { format: undefined, why: 'no content' } : { format: best.format, why: best.why };
}
