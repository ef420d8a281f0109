import type { MethodName, RpcError } from '#shared/rpc/contract.ts';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { askAgain } from '../../data/query.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';

interface ReadFailureProps {
  /** What failed, as a sentence without its full stop. */
  readonly title: string;
  readonly error: RpcError;
  /** Asked again by the button. */
  readonly method: MethodName;
}

/** A screen whose question was not answered: why, what still works, and what to do. */
export function ReadFailure({ title, error, method }: ReadFailureProps) {
  return (
    <div className="case-shell-state">
      <Failure
        title={title}
        text={`${RPC_ERROR_WORDS[error.code]} The other screens still work.`}
        onCopy={() => copyText(`${error.code}: ${error.detail}`)}
      >
        <Button kind="outlined" onClick={() => askAgain(method)}>
          Try again
        </Button>
      </Failure>
    </div>
  );
}
