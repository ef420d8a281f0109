/**
 * The list of shapes, most telling first: one line wins a line. A new shape is one file (or one more definition in the
 * file of its family) and one line here.
 */

import accelerateState from './accelerate-state.ts';
import { clockService } from './clock-service.ts';
import collectiveMismatch from './collective-mismatch.ts';
import { collectiveTimeout, nccl2Timeout } from './collective-timeout.ts';
import collectorNote from './collector-note.ts';
import dataLoaderKilled from './data-loader.ts';
import type { RecordSignature, Signature } from './define.ts';
import desyncReport from './desync.ts';
import { deviceAssert, gpuUnreachable } from './device-fault.ts';
import failureSummary from './failure-summary.ts';
import { glooClosed, glooConnectFailed, glooSizeMismatch, glooTimeout } from './gloo.ts';
import { KERNEL_SIGNATURES } from './kernel.ts';
import launchError from './launch-error.ts';
import {
  composerExit,
  deepspeedExit,
  horovodExit,
  lightningChild,
  mpiAbort,
  mpichExit,
  mpirunExit,
  mpirunSignal,
  spawnExit,
} from './launcher-exit.ts';
import { dumpSignal, dumpWritten, gilSuspected, heartbeatStuck } from './monitor-thread.ts';
import monitoredBarrier from './monitored-barrier.ts';
import { nativeCrash, nativeTerminate } from './native-terminate.ts';
import { ncclCollective, ncclNetwork } from './nccl-info.ts';
import ncclInit from './nccl-init.ts';
import ncclWarning from './nccl-warning.ts';
import operation, { finished } from './operations.ts';
import progress from './progress.ts';
import progressBar from './progress-bar.ts';
import { groupReady, rankAnnounced } from './rank-announced.ts';
import { rayMemoryKill } from './ray.ts';
import { rendezvousFailed, rendezvousResult, setUp } from './rendezvous.ts';
import { schedulerCancelled, slurmOom, slurmTaskExit } from './scheduler.ts';
import softwareVersion from './software-version.ts';
import { nameUnresolved, portInUse, storeLost, storeUnreachable, uniqueIdFailed } from './store.ts';
import { agentSignal, closingSignal, shutdownStuck, workerFailed, workerRestart } from './torchrun.ts';
import { bareException, traceback } from './traceback.ts';
import { asyncError, communicatorAborted, teardown, watchdogTerminated } from './watchdog.ts';
import workStatus from './work-status.ts';

export const RECORDS: readonly RecordSignature[] = [
  traceback,
  failureSummary,
  nativeTerminate,
  watchdogTerminated,
  asyncError,
  collectiveTimeout,
  rendezvousResult,
  mpirunExit,
  mpichExit,
  accelerateState,
  bareException,
];

export const SIGNATURES: readonly Signature[] = [
  collectiveMismatch,
  desyncReport,
  monitoredBarrier,
  dumpSignal,
  workStatus,
  nccl2Timeout,
  communicatorAborted,
  teardown,
  heartbeatStuck,
  gilSuspected,
  dumpWritten,
  storeLost,
  uniqueIdFailed,
  storeUnreachable,
  nameUnresolved,
  portInUse,
  glooConnectFailed,
  glooSizeMismatch,
  glooTimeout,
  glooClosed,
  workerFailed,
  closingSignal,
  shutdownStuck,
  agentSignal,
  workerRestart,
  rendezvousFailed,
  setUp,
  clockService,
  ncclInit,
  ncclWarning,
  ncclNetwork,
  ncclCollective,
  deviceAssert,
  nativeCrash,
  launchError,
  gpuUnreachable,
  dataLoaderKilled,
  schedulerCancelled,
  slurmOom,
  slurmTaskExit,
  deepspeedExit,
  composerExit,
  spawnExit,
  horovodExit,
  mpiAbort,
  rayMemoryKill,
  lightningChild,
  mpirunSignal,
  ...KERNEL_SIGNATURES,
  collectorNote,
  rankAnnounced,
  groupReady,
  softwareVersion,
  finished,
  operation,
  progressBar,
  progress,
];
