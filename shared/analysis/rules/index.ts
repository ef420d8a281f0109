/** The list of rules. One line per rule; order does not matter to the verdict. */
import type { FactName, RuleDefinition } from '../../model/finding.ts';
import addressNeverPublished from './address-never-published.ts';
import addressUnreachable from './address-unreachable.ts';
import allJoinedNoProgress from './all-joined-no-progress.ts';
import cpuContention from './cpu-contention.ts';
import cudaFailedInWatchdog from './cuda-failed-in-watchdog.ts';
import dataLoaderWorkerKilled from './data-loader-worker-killed.ts';
import desyncReport from './desync-report.ts';
import duplicateGpu from './duplicate-gpu.ts';
import endedWithoutAWord from './ended-without-a-word.ts';
import errorBehindAWait from './error-behind-a-wait.ts';
import errorsWithoutEffect from './errors-without-effect.ts';
import externalSignal from './external-signal.ts';
import fingerprintsDiffer from './fingerprints-differ.ts';
import finishedBeforeOthers from './finished-before-others.ts';
import glooSizeCheck from './gloo-size-check.ts';
import gpuInBadState from './gpu-in-bad-state.ts';
import gpuXid from './gpu-xid.ts';
import hostOutOfMemory from './host-out-of-memory.ts';
import hostPressure from './host-pressure.ts';
import ibRefusedTransfer from './ib-refused-transfer.ts';
import ibRetryExceeded from './ib-retry-exceeded.ts';
import interfaceChoice from './interface-choice.ts';
import interpreterLockHeld from './interpreter-lock-held.ts';
import jobEndedWell from './job-ended-well.ts';
import jobRunsShort from './job-runs-short.ts';
import jobStillRunning from './job-still-running.ts';
import launcherNamesAVictim from './launcher-names-a-victim.ts';
import launcherQuotesException from './launcher-quotes-exception.ts';
import linkDown from './link-down.ts';
import missingWorker from './missing-worker.ts';
import modelsDiffer from './models-differ.ts';
import monitoredBarrier from './monitored-barrier.ts';
import nameUnresolved from './name-unresolved.ts';
import ncclCallsDiffer from './nccl-calls-differ.ts';
import ncclConnectFailed from './nccl-connect-failed.ts';
import ncclCudaFailure from './nccl-cuda-failure.ts';
import ncclSizeMismatch from './nccl-size-mismatch.ts';
import nodeLost from './node-lost.ts';
import nodeVanished from './node-vanished.ts';
import operationNeverEnded from './operation-never-ended.ts';
import peerAccess from './peer-access.ts';
import podRemoved from './pod-removed.ts';
import portInUse from './port-in-use.ts';
import rankKilled from './rank-killed.ts';
import rankNeverEnqueued from './rank-never-enqueued.ts';
import rankRaised from './rank-raised.ts';
import rasCounts from './ras-counts.ts';
import schedulerTaskExit from './scheduler-task-exit.ts';
import sequencesDiverge from './sequences-diverge.ts';
import sharedMemoryTooSmall from './shared-memory-too-small.ts';
import silentRank from './silent-rank.ts';
import stacksDiffer from './stacks-differ.ts';
import storageStalled from './storage-stalled.ts';
import versionsDiffer from './versions-differ.ts';
import waitedForRank from './waited-for-rank.ts';
import worldSizeDisagreement from './world-size-disagreement.ts';

export const RULES: readonly RuleDefinition<FactName>[] = [
  addressNeverPublished,
  addressUnreachable,
  allJoinedNoProgress,
  cpuContention,
  cudaFailedInWatchdog,
  dataLoaderWorkerKilled,
  desyncReport,
  duplicateGpu,
  endedWithoutAWord,
  errorBehindAWait,
  errorsWithoutEffect,
  externalSignal,
  fingerprintsDiffer,
  finishedBeforeOthers,
  glooSizeCheck,
  gpuInBadState,
  gpuXid,
  hostOutOfMemory,
  hostPressure,
  ibRefusedTransfer,
  ibRetryExceeded,
  interfaceChoice,
  interpreterLockHeld,
  jobEndedWell,
  jobRunsShort,
  jobStillRunning,
  launcherNamesAVictim,
  launcherQuotesException,
  linkDown,
  missingWorker,
  modelsDiffer,
  monitoredBarrier,
  nameUnresolved,
  ncclCallsDiffer,
  ncclConnectFailed,
  ncclCudaFailure,
  ncclSizeMismatch,
  nodeLost,
  nodeVanished,
  operationNeverEnded,
  peerAccess,
  podRemoved,
  portInUse,
  rankKilled,
  rankNeverEnqueued,
  rankRaised,
  rasCounts,
  schedulerTaskExit,
  sequencesDiverge,
  sharedMemoryTooSmall,
  silentRank,
  stacksDiffer,
  storageStalled,
  versionsDiffer,
  waitedForRank,
  worldSizeDisagreement,
];
