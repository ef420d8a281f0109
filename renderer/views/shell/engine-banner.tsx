import { useEffect, useState } from 'react';
import type { EngineState } from '#shared/rpc/window-channels.ts';
import { Button } from '../../components/button.tsx';
import { Banner } from '../../components/states.tsx';
import { bridge } from '../../data/bridge.ts';
import { askAgain, forgetAnswers } from '../../data/query.ts';

const WORDS: Readonly<Record<Exclude<EngineState, 'running'> | 'restarted', string>> = {
  restarting: 'The reading process stopped. It is being started again.',
  restarted:
    'The reading process stopped and was started again. Cases on disk are unharmed; an import that was running goes on where it stopped, and finished files are not read again.',
  stopped: 'The reading process stopped several times and stays down. Restart Firstfault; cases on disk are unharmed.',
};

/** Says what happened to the engine; stays until it is dismissed. */
export function EngineBanner() {
  const [said, setSaid] = useState<keyof typeof WORDS | null>(null);
  useEffect(
    () =>
      bridge.onEngineState((state) => {
        if (state === 'running') {
          forgetAnswers();
          // What it was asked when it stopped has failed. The list is safe to ask for again; what a case was asked may be what stopped it.
          askAgain('case.list');
        }
        setSaid(state === 'running' ? 'restarted' : state);
      }),
    [],
  );
  if (said === null) return null;
  return (
    <Banner tone={said === 'stopped' ? 'error' : 'warn'} text={WORDS[said]}>
      {said === 'restarted' && (
        <Button kind="plain" onClick={() => setSaid(null)}>
          Dismiss
        </Button>
      )}
    </Banner>
  );
}
