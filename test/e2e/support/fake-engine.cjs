/**
 * An engine that answers out of one JSON file instead of reading bundles: for states of the window that a real bundle
 * reaches only with effort. Takes the place of `.vite/build/engine.cjs` in a scratch copy of the app.
 *
 * FIRSTFAULT_FAKE_SCENARIO names the file: { cases, reports, entries, texts, records, jobs, errors }.
 * Text of the request `case.open` for the case `crash` ends the process: to see what the window says.
 */
'use strict';
const fs = require('node:fs');

const scenario = JSON.parse(fs.readFileSync(process.env.FIRSTFAULT_FAKE_SCENARIO, 'utf8'));
const ports = [];
const ok = (value) => ({ ok: true, value });
const err = (code, detail = '') => ({ ok: false, error: { code, detail } });

function textOf(entryId) {
  return Buffer.from(scenario.texts?.[entryId] ?? `line of ${entryId}\n`, 'utf8');
}

/** Of entries with stamps, all on clocks that nothing relates, as the reports of the scenarios have it; files of whole seconds suffice. */
function coverageOf(entries) {
  const ns = (iso) => BigInt(Date.parse(iso)) * 1_000_000n;
  const dated = entries.filter((entry) => entry.first !== null && entry.last !== null);
  if (dated.length === 0) return null;
  const [origin] = dated.map(({ first }) => ns(first)).sort((a, b) => Number(a - b));
  const files = dated.map(({ id, kind, first, last }) => ({
    ...{ entry: id, of: kind === 'event list' ? 'events' : 'log', nodes: [], pods: [], ranks: [], clock: -1 },
    ...{ fromNs: Number(ns(first) - origin), toNs: Number(ns(last) - origin) },
  }));
  return { version: 1, originNs: String(origin), clocks: [], files, pods: [], fault: null };
}

const handlers = {
  'case.list': () =>
    scenario.errors?.['case.list'] ? err(scenario.errors['case.list']) : ok({ cases: scenario.cases, skipped: 0 }),
  'case.open': ({ caseId }) => {
    if (caseId === 'crash') process.exit(7);
    const report = scenario.reports[caseId];
    const summary = scenario.cases.find((item) => item.caseId === caseId);
    return report && summary ? ok({ summary, report }) : err('case-not-found', caseId);
  },
  'case.delete': ({ caseId }) => {
    scenario.cases = scenario.cases.filter((item) => item.caseId !== caseId);
    for (const port of ports) port.postMessage({ t: 'top', topic: 'cases.changed', value: null });
    return ok(null);
  },
  'case.edit': ({ caseId, name, pinned }) => {
    const known = scenario.cases.find((item) => item.caseId === caseId);
    if (!known) return err('case-not-found', caseId);
    if (name !== null) known.name = name;
    if (pinned !== null) known.pinned = pinned;
    for (const port of ports) port.postMessage({ t: 'top', topic: 'cases.changed', value: null });
    return ok(known);
  },
  'notes.list': () => ok({ notes }),
  'notes.add': ({ caseId, subject, text, starred, restore }) => {
    const now = '2026-02-19T16:40:00.000Z';
    const note = { id: restore?.id ?? ++lastNote, subject, text, starred, created: now, changed: now };
    return notesChanged(caseId, [...notes, note], note);
  },
  'notes.edit': ({ caseId, id, text }) => {
    const changed = { ...notes.find((note) => note.id === id), text };
    return notesChanged(
      caseId,
      notes.map((note) => (note.id === id ? changed : note)),
      changed,
    );
  },
  'notes.remove': ({ caseId, id }) =>
    notesChanged(
      caseId,
      notes.filter((note) => note.id !== id),
      notes.find((note) => note.id === id) ?? null,
    ),
  'notes.star': ({ caseId, subject, on }) => {
    const same = (note) => JSON.stringify(note.subject) === JSON.stringify(subject);
    const known = notes.find(same);
    const created = '2026-02-19T16:40:00.000Z';
    if (on && !known)
      return notesChanged(
        caseId,
        [...notes, { id: ++lastNote, subject, text: '', starred: true, created, changed: created }],
        null,
      );
    const next = notes.map((note) => (same(note) ? { ...note, starred: on } : note));
    return notesChanged(
      caseId,
      next.filter((note) => note.starred || note.text !== ''),
      null,
    );
  },
  'evidence.coverage': () => ok(coverageOf(scenario.entries)),
  'entry.list': ({ offset, maxRows }) =>
    ok({ rows: scenario.entries.slice(offset, offset + maxRows), total: scenario.entries.length }),
  'entry.text': ({ entryId, fromLine, maxLines }) => {
    const generated = scenario.generatedLines?.[entryId];
    if (generated) {
      const count = Math.max(0, Math.min(maxLines, generated - fromLine + 1));
      return ok({
        totalLines: generated,
        lines: Array.from({ length: count }, (_, i) => ({
          line: fromLine + i,
          byte: (fromLine + i - 1) * 40,
          text: `2026-02-18T10:28:25.000Z line ${fromLine + i} of many`,
          cut: false,
        })),
      });
    }
    const lines = [];
    let byte = 0;
    for (const [index, text] of textOf(entryId).toString('utf8').replace(/\n$/, '').split('\n').entries()) {
      lines.push({ line: index + 1, byte, text: text.slice(0, 8192), cut: text.length > 8192 });
      byte += Buffer.byteLength(text) + 1;
    }
    return ok({ totalLines: lines.length, lines: lines.slice(fromLine - 1, fromLine - 1 + maxLines) });
  },
  'entry.bytes': ({ entryId, from, maxBytes }) => {
    if (scenario.notStored?.includes(entryId)) return err('bytes-not-stored');
    const bytes = scenario.hex?.[entryId] ? Buffer.from(scenario.hex[entryId], 'hex') : textOf(entryId);
    return ok({ from, bytes: new Uint8Array(bytes.subarray(from, from + maxBytes)), total: bytes.length });
  },
  'entry.record': ({ entryId, record }) => {
    const view = scenario.records?.[entryId];
    return view ? ok({ ...view, record }) : err('record-not-found');
  },
  'example.import': () => startJob(),
  'bundle.import': () => startJob(),
  'job.get': ({ jobId }) => (current?.jobId === jobId ? ok(current) : err('job-not-found')),
  'job.cancel': ({ jobId }) => {
    clearTimeout(timer);
    publish({ kind: 'cancelled', jobId, title: current?.title ?? '' });
    return ok(null);
  },
};

let notes = scenario.notes ?? [];
let lastNote = 100;

function notesChanged(caseId, next, changed) {
  notes = next;
  for (const port of ports) port.postMessage({ t: 'top', topic: 'notes.changed', value: { caseId } });
  return ok({ notes, changed });
}

let current;
let timer;
let jobs = 0;

function publish(state) {
  current = state;
  for (const port of ports) port.postMessage({ t: 'top', topic: 'job.changed', value: state });
}

/** Plays the states of `scenario.jobs`, `stepMs` apart; the last one stays. */
function startJob() {
  const jobId = `job-${++jobs}`;
  const states = scenario.jobs.map((state) => ({ ...state, jobId }));
  const play = (index) => {
    if (!states[index]) return;
    publish(states[index]);
    timer = setTimeout(() => play(index + 1), scenario.stepMs ?? 50);
  };
  play(0);
  return ok({ jobId });
}

function answer(port, privileged, message) {
  const { id, method, params } = message;
  const handler = method === 'bundle.import' && !privileged ? undefined : handlers[method];
  const result = handler ? handler(params) : err('unknown-method', method);
  const reply = result.ok
    ? { t: 'res', id, ok: true, value: result.value }
    : { t: 'res', id, ok: false, error: result.error };
  setTimeout(() => port.postMessage(reply), scenario.delayMs?.[method] ?? 0);
}

process.parentPort.on('message', ({ data, ports: [port] }) => {
  if (!port) {
    answer(process.parentPort, true, data);
    return;
  }
  ports.push(port);
  port.on('message', (event) => answer(port, false, event.data));
  port.start();
});
