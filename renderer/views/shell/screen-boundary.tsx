import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { noteProblem } from '../../data/problems.ts';

interface State {
  readonly error: Error | null;
}

/** A fault in one screen leaves the rest of the window standing: rail, context, palette and all other screens still work. */
export class ScreenBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    noteProblem(`screen: ${error.name}${firstFrame(info.componentStack)}`);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className="case-shell-state">
        <Failure
          title="This screen stopped on a fault of Firstfault"
          text="The case is unharmed, and the other screens still work."
          onCopy={() => copyText(`${error.name}: ${error.message}\n${error.stack ?? ''}`)}
        >
          <Button kind="outlined" onClick={() => this.setState({ error: null })}>
            Try again
          </Button>
        </Failure>
      </div>
    );
  }
}

/** The component that failed; names of our own code only. */
const firstFrame = (stack: string | null | undefined): string => {
  const match = /at (\w+)/.exec(stack ?? '');
  return match ? ` in ${match[1]}` : '';
};
