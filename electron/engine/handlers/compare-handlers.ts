import { ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { CompareMeeting, CompareSide } from '#shared/rpc/areas/compare.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { compareReports } from '#shared/views/compare/index.ts';
import {
  callPaceNs,
  callStreams,
  laneSets,
  runSteps,
  type StepLine,
  sharedCall,
  sharedStep,
} from '#shared/views/compare/run.ts';
import { compareRuns, inSections, type RunFacts } from '#shared/views/compare/run-rows.ts';
import type { LanesView } from '#shared/views/lanes/index.ts';
import { ranksIndex } from '#shared/views/ranks/index.ts';
import type { EngineContext } from '../engine.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { caseHandlers } from './case-handlers.ts';
import { askCase } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';
import { ranksSources } from './ranks-handlers.ts';

export const compareHandlers: HandlerTable<'compare'> = {
  'compare.cases': async ({ a, b }, ctx) => {
    const [one, two] = [await sideOf(a, ctx), await sideOf(b, ctx)];
    if (!one.ok) return one;
    if (!two.ok) return two;
    const [x, y] = [one.value, two.value];
    return ok({
      a: x.side,
      b: y.side,
      rows: inSections([...compareReports(x.report, y.report), ...compareRuns(x.facts, y.facts)]),
      call: callOf(x, y),
      step: stepOf(x, y),
    });
  },
};

interface Side {
  readonly side: CompareSide;
  readonly report: Report;
  readonly facts: RunFacts;
}

/** Groups of which calls are compared. */
const MOST_GROUPS = 4;

async function sideOf(caseId: CaseId, ctx: EngineContext): Promise<Result<Side, RpcError>> {
  const opened = await caseHandlers['case.open']({ caseId }, ctx);
  if (!opened.ok) return opened;
  const { summary, report } = opened.value;
  return askCase(ctx, caseId, (reader) => {
    const sources = ranksSources(reader);
    const { lanes, stored } = sources;
    const index = ranksIndex(sources);
    const { time } = index;
    const steps = lanes === undefined ? null : runSteps(lanes, stepLines(reader, lanes));
    const sets = lanes === undefined ? null : laneSets(lanes, stored, index);
    return ok({
      report,
      facts: {
        lanes,
        index,
        steps,
        streams: lanes === undefined ? [] : callStreams(lanes, MOST_GROUPS),
      },
      side: {
        summary,
        gaps: report.gaps.filter(({ state }) => state !== 'present').length,
        originNs: time?.originNs ?? null,
        spans: time?.spans ?? null,
        onset: time?.fault == null ? null : { kind: time.fault.kind, at: time.fault.at, boundNs: time.fault.boundNs },
        ranks: time?.ranks.length ?? report.ranks.length,
        sets: sets?.sets ?? [],
        setsAt: sets?.at ?? null,
        paceNs: (lanes === undefined ? null : callPaceNs(lanes)) ?? steps?.usualNs ?? null,
      },
    });
  });
}

/** More lines than these tell nothing more of steps. */
const MAX_PROGRESS = 60_000;

function stepLines(reader: CaseReader, lanes: LanesView): readonly StepLine[] {
  const origin = BigInt(lanes.originNs);
  return reader.progressEvents(MAX_PROGRESS).flatMap(({ entry, rank, ns, json }): StepLine[] => {
    const step = stepIn(JSON.parse(json));
    if (step === null) return [];
    return [{ entry: Number(entry), rank: rank === null ? null : Number(rank), step, rawNs: Number(ns - origin) }];
  });
}

/** Of an event as this program stored it. */
function stepIn(event: unknown): number | null {
  if (typeof event !== 'object' || event === null || !('body' in event)) return null;
  const { body } = event;
  const step = typeof body === 'object' && body !== null && 'step' in body ? body.step : undefined;
  return typeof step === 'number' && Number.isSafeInteger(step) && step >= 0 ? step : null;
}

/** Where A stops, else where B does, else the last call that both hold. */
function callOf(x: Side, y: Side): CompareMeeting | null {
  const wanted = divergenceOf(x.report) ?? divergenceOf(y.report);
  const found = sharedCall(x.facts.streams, y.facts.streams, wanted);
  return found === null ? null : { name: `${found.group} #${found.seq}`, a: found.a, b: found.b };
}

function divergenceOf({ collectives }: Report): { readonly group: string; readonly seq: number } | null {
  const first = collectives.firstDivergence;
  if (first === null) return null;
  const known = collectives.groups.find(({ group }) => group === first.group);
  return { group: known?.desc || first.group, seq: first.seq };
}

function stepOf(x: Side, y: Side): CompareMeeting | null {
  const { steps: a } = x.facts;
  const { steps: b } = y.facts;
  const step = a === null || b === null ? null : sharedStep(a, b);
  const [one, two] = [a?.at.get(step ?? -1), b?.at.get(step ?? -1)];
  return one === undefined || two === undefined ? null : { name: `step ${step}`, a: one, b: two };
}
