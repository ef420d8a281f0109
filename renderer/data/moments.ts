/** Where ranks stand at a moment, asked while a handle or the pointer moves: one question at a time, always the newest one next. */
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';

type Params = Methods['ranks.at']['params'];
type Answer = Methods['ranks.at']['result'];

export interface MomentAsker {
  readonly ask: (params: Params) => void;
  readonly stop: () => void;
}

/** `onAnswer` gets answers in the order of their questions; those that were overtaken before they were sent are left out. */
export function momentAsker(
  onAnswer: (answer: Answer, params: Params) => void,
  onProblem: (error: RpcError) => void,
): MomentAsker {
  let next: Params | null = null;
  let busy = false;
  let stopped = false;
  const run = async (): Promise<void> => {
    while (next !== null && !stopped) {
      const params = next;
      next = null;
      const answer = await bridge.request('ranks.at', params);
      if (stopped) return;
      if (answer.ok) onAnswer(answer.value, params);
      else onProblem(answer.error);
    }
    busy = false;
  };
  return {
    ask: (params) => {
      next = params;
      if (busy) return;
      busy = true;
      void run();
    },
    stop: () => {
      stopped = true;
    },
  };
}
