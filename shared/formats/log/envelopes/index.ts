/** The layers that may lie around a message, in the order in which they are tried. A new one: one file, one line here. */
import type { EntryMemory, Envelope, LogLine } from '../log-line.ts';
import appRank from './app-rank.ts';
import appStamp from './app-stamp.ts';
import c10Header from './c10-header.ts';
import deepspeedRank from './deepspeed-rank.ts';
import determined from './determined.ts';
import dockerJson from './docker-json.ts';
import epochStamp from './epoch-stamp.ts';
import glogHeader from './glog-header.ts';
import hostPrefix from './host-prefix.ts';
import kail from './kail.ts';
import kubectlPrefix from './kubectl-prefix.ts';
import kubetail from './kubetail.ts';
import localRank from './local-rank.ts';
import mpirunTag from './mpirun-tag.ts';
import ncclOrigin from './nccl-origin.ts';
import rankPrefix from './rank-prefix.ts';
import rayActor from './ray-actor.ts';
import runtimeStamp from './runtime-stamp.ts';
import sectionHeader from './section-header.ts';
import shortDate from './short-date.ts';
import srunLabel from './srun-label.ts';
import stern from './stern.ts';
import sternJson from './stern-json.ts';
import structuredLine from './structured-line.ts';

/** Layers of runtimes and collectors: they may cut a message into records, which are joined before what lies inside. */
const CARRIERS: readonly Envelope[] = [
  sectionHeader,
  kubectlPrefix,
  runtimeStamp,
  dockerJson,
  sternJson,
  kubetail,
  kail,
  stern,
];

export const ENVELOPES: readonly Envelope[] = [
  sectionHeader,
  kubectlPrefix,
  runtimeStamp,
  dockerJson,
  sternJson,
  rankPrefix,
  c10Header,
  glogHeader,
  determined,
  appStamp,
  appRank,
  deepspeedRank,
  localRank,
  mpirunTag,
  srunLabel,
  shortDate,
  epochStamp,
  rayActor,
  ncclOrigin,
  kubetail,
  kail,
  stern,
  hostPrefix,
  structuredLine,
];

type Table = readonly (readonly Envelope[])[];

/** Layers by the code of the first character; other characters begin no layer. */
const byFirst = (envelopes: readonly Envelope[]): Table =>
  Array.from({ length: 128 }, (_, code) => envelopes.filter((e) => e.first.includes(String.fromCharCode(code))));

const CARRIER_TABLE = byFirst(CARRIERS);
const FULL_TABLE = byFirst(ENVELOPES);

/** More layers than this are not peeled. Real lines have six at most. */
const MAX_LAYERS = 10;

/** Takes off what runtimes and collectors put around `line.text`. */
export const peelCarriers = (line: LogLine, memory: EntryMemory): void => peel(CARRIER_TABLE, line, memory);

/** Takes all layers off `line.text`. */
export const peelEnvelopes = (line: LogLine, memory: EntryMemory): void => peel(FULL_TABLE, line, memory);

function peel(table: Table, line: LogLine, memory: EntryMemory): void {
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const envelopes = table[line.text.charCodeAt(0)];
    if (envelopes === undefined || !peelOne(envelopes, line, memory)) return;
  }
}

function peelOne(envelopes: readonly Envelope[], line: LogLine, memory: EntryMemory): boolean {
  for (const envelope of envelopes) if (envelope.peel(line, memory)) return true;
  return false;
}
