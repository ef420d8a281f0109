/**
 * Writes the larger example incident: `build/resources/example/large.tar.gz` and what is true about it.
 *
 *   node build/scripts/make-examples.ts
 *
 * The only place outside the tests that uses the test-side generator: nothing of it is shipped, only what it wrote.
 * Same generator, same archive; a test compares.
 */
import { writeFile } from 'node:fs/promises';
import { buildIncident } from '../../test/support/incidents/index.ts';
import { LARGE_EXAMPLE } from '../../test/support/incidents/large-example.ts';
import { saveAsTarGz } from '../../test/support/incidents/save.ts';

const folder = new URL('../resources/example/', import.meta.url);
const incident = buildIncident(LARGE_EXAMPLE);
await saveAsTarGz(incident, new URL('large.tar.gz', folder).pathname);
const { truth } = incident;
const expected = {
  outcome: truth.outcome,
  firstRanks: truth.firstRanks,
  stage: truth.stages[0],
  causes: truth.causes,
  pod: truth.pod,
  node: truth.node,
  nodeOffsetsMs: Object.fromEntries(Object.entries(truth.nodeOffsetsMs).map(([node, ms]) => [node, Math.round(ms)])),
  dumps: truth.dumps.length,
};
await writeFile(new URL('large.expected.json', folder), `${JSON.stringify(expected, null, 2)}\n`);
const bytes = [...incident.files.values()].reduce((sum, content) => sum + content.length, 0);
console.log(`large example: ${incident.files.size} files, ${bytes} bytes unpacked`);
