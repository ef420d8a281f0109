/**
 * Changes that prove nothing must not name anybody else: the order of files, names, clocks, a symptom's missing file, a file sent
 * twice, noise. And evidence that is taken away must show in the verdict.
 */
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { analyseFiles, type BundleFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident, type Incident, type IncidentSpec } from '../support/incidents/index.ts';
import { judge } from '../support/judge.ts';
import { addNoise, duplicateFile, renameAll, shuffleFiles, withoutFiles } from '../support/transform.ts';

const INCIDENTS = CATALOGUE.map((spec) => ({ spec, incident: buildIncident(spec) }));
const FAILING = INCIDENTS.filter(
  ({ incident }) => incident.truth.outcome === 'named' || incident.truth.outcome === 'group',
);

function answer(
  files: BundleFiles,
  incident: Incident,
): { readonly answer: string; readonly status: string; readonly said: string } {
  const { report, input } = analyseFiles(files, incident.name);
  assertSound(report, input);
  const { verdict } = report;
  const said = `${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}: ${verdict.summary}`;
  return { answer: judge(verdict, incident.truth).answer, status: verdict.status, said };
}

describe.each(INCIDENTS)('$incident.name', ({ spec, incident }) => {
  test('the order of the files changes nothing', () => {
    const first = analyseFiles(incident.files, 'b').report;
    expect(analyseFiles(shuffleFiles(incident.files, 1), 'b').report).toEqual(first);
    expect(analyseFiles(new Map([...incident.files].reverse()), 'b').report).toEqual(first);
  });

  test('other clocks never name another rank', () => {
    for (const shiftMs of [-90_000, 45_000]) {
      const clocks = Array.from({ length: spec.nodes }, (_, node) => ({
        offsetMs: node === spec.nodes - 1 ? shiftMs : 0,
      }));
      const shifted = buildIncident({ ...spec, clocks });
      const { answer: given, said } = answer(shifted.files, shifted);
      expect(given, `${shiftMs} ms: ${said}`).not.toBe('wrong');
    }
  });

  test('other host names change nothing but names', () => {
    const names = new Map(
      Object.keys(incident.truth.nodeOffsetsMs).map((name, i) => [name, `q${'x'.repeat(name.length - 2)}${9 - i}`]),
    );
    const renamed = analyseFiles(renameAll(incident.files, names), 'b').report.verdict;
    const original = analyseFiles(incident.files, 'b').report.verdict;
    const inTheOtherNames: typeof original = JSON.parse(
      JSON.stringify(original),
      (_, value) => names.get(value) ?? value,
    );
    expect({ ...renamed, ...TEXTS }).toEqual({ ...inTheOtherNames, ...TEXTS });
  });

  test('noise lines never name another rank', () => {
    const logs = [...incident.files.keys()].filter((path) => path.endsWith('.log'));
    for (const line of [
      'I0000 00:00:00.000000 cuda_dnn.cc:529] Loaded cuDNN version 91002',
      'warnings.warn(',
      '  0%|          | 0/100 [00:00<?, ?it/s]',
    ]) {
      const noisy = logs.reduce((files, log) => addNoise(files, log, line), incident.files);
      const { answer: given, said } = answer(noisy, incident);
      expect(given, said).not.toBe('wrong');
    }
  });

  test('a log sent twice never names another rank and invents no Pod, whatever the copy is called', () => {
    // Only names of files tell of Pods.
    const files = withoutFiles(incident.files, (path) => /\.(?:ya?ml|json|txt)$/.test(path));
    const whole = analyseFiles(files, 'b').result.facts.rankMap.pods.map((place) => place.pod);
    for (const path of [...files.keys()].filter((one) => one.endsWith('.log')).slice(0, 4))
      for (const as of [`copy/${path}`, '0-first.log', 'zz-last.log']) {
        const { answer: given, said } = answer(duplicateFile(incident.files, path, as), incident);
        expect(given, `${path} also as ${as}: ${said}`).not.toBe('wrong');
        const pods = analyseFiles(duplicateFile(files, path, as), 'b').result.facts.rankMap.pods.map(
          (place) => place.pod,
        );
        expect(pods, `${path} also as ${as}`).toEqual(whole);
      }
  });
});

/** Sentences and places follow names and orders; compared elsewhere. */
const TEXTS = { summary: '', because: [], against: [], wouldChange: [], nextChecks: [], candidates: [] };

describe.each(FAILING)('$incident.name, with less', ({ spec, incident }) => {
  test('without a symptom rank: never wrong', () => {
    const guiltyNodes = Object.values(incident.truth.ranksOfPods).map((ranks) =>
      ranks.some((r) => incident.truth.firstRanks.includes(r)),
    );
    for (const [node, guilty] of guiltyNodes.entries()) {
      if (guilty) continue;
      const ranks = Object.values(incident.truth.ranksOfPods)[node] ?? [];
      const less = buildIncident({ ...spec, missing: { logsOfNodes: [node], dumpsOfRanks: ranks } });
      const { answer: given, said } = answer(less.files, less);
      expect(given, `${incident.name} without node ${node}: ${said}`).not.toBe('wrong');
    }
  });

  test('without the deciding files: nothing wrong, nothing established', () => {
    const deciding = new Set(incident.truth.deciding);
    const rest = withoutFiles(incident.files, (path) => deciding.has(path));
    if (rest.size === 0) return;
    const { answer: given, status, said } = answer(rest, incident);
    expect(given, said).not.toBe('wrong');
    expect(status, said).not.toBe('established');
  });

  test('without each deciding file alone: never wrong', () => {
    for (const path of incident.truth.deciding) {
      const { answer: given, said } = answer(
        withoutFiles(incident.files, (p) => p === path),
        incident,
      );
      expect(given, `${incident.name} without ${path}: ${said}`).not.toBe('wrong');
    }
  });

  test('dumps alone: never wrong', () => {
    const dumps = withoutFiles(incident.files, (path) => !path.startsWith('flight-recorder/'));
    if (dumps.size === 0) return;
    const { answer: given, said } = answer(dumps, incident);
    expect(given, said).not.toBe('wrong');
  });

  test('logs alone: never wrong', () => {
    const logs = withoutFiles(incident.files, (path) => !path.endsWith('.log'));
    if (logs.size === 0) return;
    const { answer: given, said } = answer(logs, incident);
    expect(given, said).not.toBe('wrong');
  });
});

test('the catalogue covers every kind of fault', () => {
  const kinds = new Set<IncidentSpec['fault']['kind']>(CATALOGUE.map((spec) => spec.fault.kind));
  expect(kinds.size).toBe(17);
});
