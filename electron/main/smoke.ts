/** `--smoke-analyze=PATH`: a package proves that it works, without a window and without an inspector. */
import type { Result } from '#shared/lib/result.ts';
import type { JobState } from '#shared/model/job.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import type { EngineLink } from './engine-link.ts';

const POLL_MS = 50;
const TIMEOUT_MS = 120_000;

/** One line of JSON and the exit status that goes with it. `missing`: files of the window that the package lacks. */
export async function runSmoke<P>(
  engine: EngineLink<P>,
  path: string,
  missing: readonly string[],
): Promise<{ line: string; exitCode: 0 | 1 }> {
  try {
    if (missing.length > 0) throw new Error(`the package lacks ${missing.join(', ')}`);
    const { jobId } = unwrap(await engine.request('bundle.import', { paths: [path], keep: true }));
    const job = await endOf(engine, jobId);
    if (job.kind !== 'done')
      throw new Error(`import ended as ${job.kind}${job.kind === 'failed' ? `: ${job.code}` : ''}`);
    const { report } = unwrap(await engine.request('case.open', { caseId: job.caseId }));
    const { outcome, firstRanks } = report.verdict;
    return { line: JSON.stringify({ smoke: 'ok', outcome, firstRanks }), exitCode: 0 };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { line: JSON.stringify({ smoke: 'failed', error: text }), exitCode: 1 };
  }
}

async function endOf<P>(engine: EngineLink<P>, jobId: JobState['jobId']): Promise<JobState> {
  for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += POLL_MS) {
    const job = unwrap(await engine.request('job.get', { jobId }));
    if (job.kind === 'done' || job.kind === 'failed' || job.kind === 'cancelled') return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`the import did not end within ${TIMEOUT_MS / 1000} s`);
}

function unwrap<T>(result: Result<T, RpcError>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${result.error.detail}`);
}
