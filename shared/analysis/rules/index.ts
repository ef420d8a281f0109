/** The list of rules. One line per rule; order does not matter to the verdict. */
import type { FactName, RuleDefinition } from '../../model/finding.ts';
import cudaFailedInWatchdog from './cuda-failed-in-watchdog.ts';
import fingerprintsDiffer from './fingerprints-differ.ts';
import glooSizeCheck from './gloo-size-check.ts';
import hostOutOfMemory from './host-out-of-memory.ts';
import rankKilled from './rank-killed.ts';
import rankRaised from './rank-raised.ts';
import sharedMemoryTooSmall from './shared-memory-too-small.ts';

export const RULES: readonly RuleDefinition<FactName>[] = [
  cudaFailedInWatchdog,
  fingerprintsDiffer,
  glooSizeCheck,
  hostOutOfMemory,
  rankKilled,
  rankRaised,
  sharedMemoryTooSmall,
];
