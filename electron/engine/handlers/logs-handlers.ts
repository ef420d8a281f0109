import { availableParallelism } from 'node:os';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { LogsMethods } from '#shared/rpc/areas/logs.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { densityOf } from '../search/density.ts';
import { LogSession } from '../search/log-session.ts';
import { askSql } from '../search/search-pool.ts';
import type { SearchRequest } from '../search/search-request.ts';
import type { SearchRun } from '../search/search-run.ts';
import { NotesDb } from '../store/notes-db.ts';
import { SQL_VIEWS } from '../store/sql-views.ts';
import type { HandlerTable } from './handler-table.ts';

/** The searches of one engine, by case. An engine that is gone takes them with it. */
const sessions = new WeakMap<EngineContext, Map<CaseId, LogSession>>();

/** More threads than two wait for the disk and for each other (measured on two cores); a machine with one core gets one. */
const MAX_THREADS = 2;
/** Cases whose logs stay open; a window of an older one searches again. */
const MAX_SESSIONS = 4;

export const logsHandlers: HandlerTable<'logs'> = {
  'logs.open': async ({ caseId }, ctx) => withSession(ctx, caseId, (session) => ok(session.describe())),

  'logs.search': async ({ caseId, nearNs, replaces, ...asked }, ctx) =>
    withSession<LogsMethods['logs.search']['result']>(ctx, caseId, (session) => {
      const request: SearchRequest = { ...asked, marks: marksOf(ctx, caseId, asked.query) };
      const run = session.search(request, nearNs, replaces);
      if (!run.ok) return ok({ ok: false, error: run.error });
      const list = { basis: asked.basis, fold: true, open: [] };
      return ok({ ok: true, searchId: run.value.id, state: session.state(run.value, list) });
    }),

  'logs.state': async ({ caseId, searchId, version, waitMs, list }, ctx) => {
    const known = runOf(ctx, caseId, searchId);
    if (!known.ok) return known;
    const { run, session } = known.value;
    if (run.version === version) await Promise.race([run.changed(), delay(waitMs)]);
    session.touch();
    return ok(session.state(run, list));
  },

  'logs.cancel': async ({ caseId, searchId }, ctx) => {
    const known = runOf(ctx, caseId, searchId);
    if (known.ok) known.value.run.cancel();
    return ok(null);
  },

  'logs.window': async ({ caseId, searchId, list, row, maxRows }, ctx) =>
    withRun(ctx, caseId, searchId, (run, session) => {
      const view = session.view(run, list);
      return ok({ version: view.version, total: view.total, row, rows: view.rows(row, maxRows) });
    }),

  'logs.locate': async ({ caseId, searchId, list, at }, ctx) =>
    withRun(ctx, caseId, searchId, (run, session) => {
      const view = session.view(run, list);
      return ok({ ...view.locate(at), total: view.total });
    }),

  'logs.step': async ({ caseId, searchId, list, row, to, by }, ctx) =>
    withRun(ctx, caseId, searchId, (run, session) => ok({ row: session.view(run, list).step(row, to, by) })),

  'logs.density': async ({ caseId, searchId, basis, fromNs, toNs, buckets }, ctx) =>
    withRun(ctx, caseId, searchId, (run) => ok(densityOf(run, { basis, fromNs, toNs, buckets }))),

  'logs.map': async ({ caseId, searchId, list, buckets }, ctx) =>
    withRun(ctx, caseId, searchId, (run, session) => ok(session.view(run, list).map(buckets))),

  'logs.without': async ({ caseId, searchId }, ctx) => {
    const known = runOf(ctx, caseId, searchId);
    if (!known.ok) return known;
    const { run, session } = known.value;
    const { terms, filters } = await session.without(run);
    const places = run.parsed.terms;
    return ok({
      terms: terms.flatMap((helps, index) => {
        const place = places[index];
        return place === undefined ? [] : [{ ...place, helps }];
      }),
      filters,
    });
  },

  'logs.sql': async ({ caseId, sql, maxRows }, ctx) => {
    const place = ctx.cases.place(caseId);
    if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
    const answer = await askSql(ctx.options.workerEntry, place.caseDb, { sql, maxRows });
    return ok(answer.ok ? { ok: true as const, ...answer.table } : answer);
  },

  'logs.views': async () => ok({ views: SQL_VIEWS.map(({ name, about, columns }) => ({ name, about, columns })) }),
};

/** Lets go of a case's files, so that they can be removed. */
export function closeLogs(ctx: EngineContext, caseId: CaseId): void {
  const open = sessions.get(ctx);
  open?.get(caseId)?.close();
  open?.delete(caseId);
}

function withSession<T>(
  ctx: EngineContext,
  caseId: CaseId,
  act: (session: LogSession) => Result<T, RpcError>,
): Result<T, RpcError> {
  const session = sessionOf(ctx, caseId);
  if (!session.ok) return session;
  session.value.touch();
  return act(session.value);
}

function sessionOf(ctx: EngineContext, caseId: CaseId): Result<LogSession, RpcError> {
  const open = sessions.get(ctx) ?? new Map<CaseId, LogSession>();
  sessions.set(ctx, open);
  const known = open.get(caseId);
  if (known !== undefined) {
    open.delete(caseId);
    open.set(caseId, known);
    return ok(known);
  }
  // The reader checks that it is a case of this version; it says so in its own words if not.
  const reader = ctx.cases.reader(caseId);
  if (!reader.ok) return reader;
  const place = ctx.cases.place(caseId);
  if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
  try {
    const session = new LogSession({
      caseFile: place.caseDb,
      entry: ctx.options.workerEntry,
      threads: Math.min(MAX_THREADS, availableParallelism()),
      keep: firstRanks(reader.value.reportJson()),
    });
    open.set(caseId, session);
    for (const [oldest] of open) {
      if (open.size <= MAX_SESSIONS) break;
      closeLogs(ctx, oldest);
    }
    return ok(session);
  } catch (error) {
    return err({ code: 'case-damaged', detail: error instanceof Error ? error.message : String(error) });
  }
}

function runOf(
  ctx: EngineContext,
  caseId: CaseId,
  searchId: number,
): Result<{ readonly run: SearchRun; readonly session: LogSession }, RpcError> {
  const session = sessions.get(ctx)?.get(caseId);
  const run = session?.run(searchId);
  return session === undefined || run === undefined
    ? err({ code: 'record-not-found', detail: `search ${searchId}` })
    : ok({ run, session });
}

function withRun<T>(
  ctx: EngineContext,
  caseId: CaseId,
  searchId: number,
  act: (run: SearchRun, session: LogSession) => Result<T, RpcError>,
): Result<T, RpcError> {
  const known = runOf(ctx, caseId, searchId);
  if (!known.ok) return known;
  known.value.session.touch();
  return act(known.value.run, known.value.session);
}

/** Only looked up where the query asks for them. */
function marksOf(ctx: EngineContext, caseId: CaseId, query: string): SearchRequest['marks'] {
  const place = query.includes('has:') ? ctx.cases.place(caseId) : undefined;
  if (place === undefined) return [];
  try {
    return NotesDb.list(place.notesDb).flatMap(({ subject, starred, text }) =>
      subject.kind === 'line' ? [{ path: subject.path, line: subject.line, star: starred, note: text !== '' }] : [],
    );
  } catch {
    // Notes that cannot be read are told by their own screen; here nothing is marked.
    return [];
  }
}

function firstRanks(json: string | undefined): ReadonlySet<number> {
  const report: unknown = json === undefined ? undefined : JSON.parse(json);
  const verdict = typeof report === 'object' && report !== null && 'verdict' in report ? report.verdict : undefined;
  const ranks =
    typeof verdict === 'object' && verdict !== null && 'firstRanks' in verdict && Array.isArray(verdict.firstRanks)
      ? verdict.firstRanks
      : [];
  return new Set(ranks.filter((rank) => typeof rank === 'number'));
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
