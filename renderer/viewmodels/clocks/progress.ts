/** How far the analysis with a new setting is, in words. */
import type { AnalysisStep, ClocksProgress } from '#shared/rpc/areas/clocks.ts';

const WORDS: Readonly<Record<AnalysisStep, string>> = {
  reading: 'Reading what the case holds',
  analysing: 'Analysing',
  drawing: 'Preparing the screens',
  writing: 'Writing the result',
};

/** Null = it waits for its turn. */
export function analysisWords(progress: ClocksProgress | null): { readonly words: string; readonly percent: number } {
  if (progress === null || progress.step === 'ended') return { words: 'Analysing the case again…', percent: 0 };
  const percent = Math.floor(progress.fraction * 100);
  return { words: `${WORDS[progress.step]}, ${percent} %`, percent };
}
