/**
 * The state of a node's GPUs as nvidia-smi or the DCGM exporter gives it:
 *
 *   GPU 5: NVIDIA H100 80GB HBM3 (UUID: GPU-5f0d…)                                nvidia-smi -L
 *   Unable to determine the device handle for GPU5: 0000:9D:00.0: GPU is lost.
 *   ==============NVSMI LOG==============                                          nvidia-smi -q
 *   <nvidia_smi_log> … <gpu id="00000000:9D:00.0">                               nvidia-smi -q -x
 *   index, pci.bus_id, ecc.errors.uncorrected.volatile.total, …                   nvidia-smi --query-gpu=… --format=csv
 *   |   5  NVIDIA H100 80GB HBM3   On  |   00000000:9D:00.0 Off |                0 |    nvidia-smi
 *   DCGM_FI_DEV_XID_ERRORS{gpu="5",pci_bus_id="00000000:9D:00.0",…} 79            dcgm exporter
 *
 * Only what is wrong becomes an event. Clock: the node's local time at the moment of the command (`Timestamp`, the line
 * above the table), or none. It is a state after the incident, perhaps after a reset: it supports, it does not order.
 * Not covered: CSV without its header, NVLink and fabric states.
 */
import {
  type Claim,
  defineLineFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
  type LineReader,
} from '../../model/format.ts';
import { readCtimeStamp } from '../kernel-line.ts';
import { type Draft, type LinePlace, originOf, toEvent } from '../log/event-draft.ts';
import { finishStates } from '../log/finish-states.ts';
import { LogLine } from '../log/log-line.ts';
import { readPath } from '../log/path-facts.ts';
import { PlaceBook } from '../log/place-book.ts';
import { bareMessage } from '../log/signatures/define.ts';
import { gpuUnreachable, pciAddress } from '../log/signatures/device-fault.ts';
import type { RawStamp } from '../log/stamp.ts';
import { plainText } from '../log/terminal-text.ts';
import { createYearKeeper } from '../log/year-keeper.ts';
import { headLines, looksLikeText } from '../text-head.ts';
import { readSmiCsvHeader, type SmiCsv } from './smi-csv.ts';
import { createSmiTree, type GpuState } from './smi-tree.ts';
import { createSmiXml, isSmiXml } from './smi-xml.ts';

const LISTED = /^GPU (\d{1,3}): .{1,120} \(UUID: (?:GPU|MIG)-[0-9a-fA-F-]{8,60}\)\s*$/;
const BANNER = /^=+NVSMI LOG=+\s*$/;
const TABLE = /^\| NVIDIA-SMI \S{1,20} {1,20}(?:Driver Version|KMD Version)/;
const ROW = /^\| {1,4}(\d{1,3}) {2}\S.{5,60}\| {1,4}([0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d) /;
const METRIC = /^(DCGM_FI_\w{1,80})\{([^{}]{0,2000})\} ([\d.eE+-]{1,30})(?: \d{1,15})?\s*$/;
const HEADING = /^# nvidia-smi output from ([a-z0-9][a-z0-9.-]{0,252})\s*$/;
const STAMP = /^Timestamp {1,60}: (.{20,40})$/;

/** The report that holds the output of nvidia-smi among much else. */
const BUG_REPORT = /^Start of NVIDIA bug report log file/m;

function claim(head: EntryHead): Claim | undefined {
  if (!looksLikeText(head.text) || BUG_REPORT.test(head.text)) return undefined;
  const lines = headLines(head.text, head.whole).filter((line) => line.trim() !== '');
  const first = lines[0] ?? '';
  if (lines.some((line) => BANNER.test(line))) return { score: 0.95, why: 'the banner of nvidia-smi -q' };
  if (lines.some((line) => TABLE.test(line))) return { score: 0.93, why: 'the table of nvidia-smi' };
  if (HEADING.test(first)) return { score: 0.94, why: 'a heading for the output of nvidia-smi' };
  if (lines.some((line) => METRIC.test(line))) return { score: 0.94, why: 'metrics of the DCGM exporter' };
  if (isSmiXml(head.text)) return { score: 0.96, why: 'the root element of nvidia-smi -q -x' };
  if (readSmiCsvHeader(first) !== undefined) return { score: 0.94, why: 'the header of nvidia-smi --query-gpu' };
  const listed = lines.filter((line) => LISTED.test(line)).length;
  if (listed * 2 > lines.length) return { score: 0.94, why: 'the list of GPUs of nvidia-smi -L' };
  if (
    lines.length > 0 &&
    lines.length <= 4 &&
    lines.every((line) => gpuUnreachable.match(bareMessage(line)) !== undefined)
  )
    return { score: 0.75, why: 'nvidia-smi says that it cannot reach a GPU' };
  return undefined;
}

export default defineLineFormat({
  id: 'gpu-state',
  title: 'GPU state',
  claim,
  open: (context, emit) => new GpuStateReader(context, emit),
});

class GpuStateReader implements LineReader {
  private readonly context: EntryContext;
  private readonly emit: (output: FormatOutput) => void;
  private readonly path: ReturnType<typeof readPath>;
  private readonly years = createYearKeeper((draft: Draft) => this.pass(draft));
  private readonly book: PlaceBook;
  private readonly tree = createSmiTree();
  private readonly xml = createSmiXml();
  private csv: SmiCsv | undefined;
  private readonly current = new LogLine();
  private readonly listed = new Set<number>();
  private listedAt: LinePlace | undefined;
  private host: string | undefined;
  private stamp: RawStamp | undefined;
  private rows = 0;
  /** The GPU whose rows are being read. */
  private gpu: Pick<GpuState, 'index' | 'pci'> | undefined;
  private metrics = 0;
  private found = 0;

  constructor(context: EntryContext, emit: (output: FormatOutput) => void) {
    this.context = context;
    this.emit = emit;
    const path = readPath(context.path);
    this.path = { ...path, pod: undefined, container: undefined, fileRank: undefined };
    this.current.reset('');
    this.book = new PlaceBook(this.current, (draft) => this.years.pass(draft));
  }

  line(raw: string, line: number, byte: number, length: number): number {
    const place = { line, byte, length };
    const text = plainText(raw);
    this.current.reset(text);
    this.current.outer = this.stamp;
    this.book.countLine(this.current, place);
    const stamp = readCtimeStamp(STAMP.exec(text)?.[1] ?? text);
    if (stamp !== undefined) this.stamp = stamp;
    const heading = HEADING.exec(text);
    if (heading?.[1] !== undefined) {
      this.host = heading[1];
      this.book.noteHost(heading[1]);
    }
    const said = this.read(text, place);
    if (said !== undefined) this.say(said, text, place);
    return Number.NaN;
  }

  private read(text: string, place: LinePlace): GpuState | undefined {
    const listed = LISTED.exec(text);
    if (listed !== null) {
      this.listed.add(Number(listed[1]));
      this.listedAt = place;
      return undefined;
    }
    const lost = gpuUnreachable.match(bareMessage(text))?.body;
    if (lost?.kind === 'gpu-state') return lost;
    if (text.startsWith('DCGM_')) return this.metric(text);
    if (text.startsWith('|')) return this.row(text);
    if (/^\s{0,200}</.test(text)) return this.element(text);
    if (text.includes(', ')) return this.cells(text);
    return this.tree.line(text);
  }

  /** Two rows a GPU: name and address, then what it measures, where `ERR!` stands for what could not be read. */
  private row(text: string): GpuState | undefined {
    const match = ROW.exec(text);
    if (match !== null) {
      this.rows += 1;
      this.gpu = { index: Number(match[1]), pci: pciAddress(match[2] ?? '') };
    }
    const { gpu } = this;
    if (gpu === undefined || !text.includes('ERR!')) return undefined;
    this.gpu = undefined;
    return { kind: 'gpu-state', what: 'lost', ...gpu, text: `GPU ${gpu.index} ${gpu.pci ?? ''}: ERR!` };
  }

  private element(text: string): GpuState | undefined {
    const said = this.xml.line(text);
    const { timestamp } = this.xml;
    if (timestamp !== undefined) this.stamp ??= readCtimeStamp(timestamp);
    return said;
  }

  private cells(text: string): GpuState | undefined {
    const header = readSmiCsvHeader(text);
    if (header !== undefined) {
      this.csv ??= header;
      return undefined;
    }
    const said = this.csv?.row(text);
    this.stamp = this.csv?.stamp ?? this.stamp;
    return said?.body;
  }

  /** Counters that are zero on a sound GPU. */
  private metric(text: string): GpuState | undefined {
    const match = METRIC.exec(text);
    if (match === null) return undefined;
    this.metrics += 1;
    const [, name = '', labels = '', value = ''] = match;
    if (!(Number(value) > 0)) return undefined;
    const what =
      name === 'DCGM_FI_DEV_XID_ERRORS'
        ? 'last-xid'
        : /_ROW_REMAP_(?:FAILURE|PENDING)$/.test(name)
          ? 'remap'
          : /_ECC_DBE_VOL_/.test(name)
            ? 'memory-error'
            : undefined;
    if (what === undefined) return undefined;
    const label = (key: string) => new RegExp(`(?:^|,)${key}="([^"]{0,253})"`).exec(labels)?.[1];
    this.host = label('Hostname') ?? label('hostname') ?? this.host;
    const gpu = label('gpu');
    return {
      kind: 'gpu-state',
      what,
      pci: pciAddress(label('pci_bus_id') ?? ''),
      index: gpu === undefined || !/^\d{1,3}$/.test(gpu) ? undefined : Number(gpu),
      text: `${name} ${Number(value)}`,
    };
  }

  private say(body: GpuState, text: string, place: LinePlace): void {
    this.found += 1;
    this.current.reset(text);
    this.current.outer = this.stamp;
    this.current.host = this.host;
    const origin = originOf(this.current, place, this.path.host);
    this.book.gate.offer({ body, origin, printer: undefined, text: text.trim(), lastLine: place.line }, '');
  }

  private pass(draft: Draft): void {
    this.emit({ kind: 'event', event: toEvent(draft, this.context.entry, undefined) });
  }

  end(): void {
    const highest = Math.max(-1, ...this.listed);
    const place = this.listedAt;
    for (let index = 0; index < highest && place !== undefined; index++) {
      if (this.listed.has(index)) continue;
      const text = `GPU ${index} is not in the list of GPUs 0 to ${highest}`;
      this.say({ kind: 'gpu-state', what: 'missing', pci: undefined, index, text }, text, place);
    }
    const { context, path, book, years, emit } = this;
    finishStates({ context, path, book, years, emit });
    this.emit({ kind: 'summary', text: this.summary() });
  }

  private summary(): string {
    const gpus = this.listed.size || this.tree.blocks || this.xml.blocks || this.rows || (this.csv?.gpus ?? 0);
    const attached = this.tree.attached ?? this.xml.attached;
    const driver = this.tree.driver ?? this.xml.driver;
    const parts = [
      gpus > 0 ? `${gpus}${attached === undefined ? '' : ` of ${attached}`} GPUs` : '',
      this.metrics > 0 ? `${this.metrics} metrics` : '',
      driver === undefined ? '' : `driver ${driver}`,
      this.found === 0 ? 'nothing wrong in it' : this.found === 1 ? '1 fault' : `${this.found} faults`,
    ];
    return parts.filter((part) => part !== '').join(', ');
  }
}
