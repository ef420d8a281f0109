/** What a view shows while it has nothing to show, or not everything. */
import './states.css';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Button } from './button.tsx';

const BARS = ['62%', '86%', '44%', '71%', '53%'] as const;

/** How to leave a screen that takes long; null where there is nowhere to go. Whoever frames the screens provides it. */
export const LeaveWaiting = createContext<(() => void) | null>(null);

/** Bars after 150 ms (by the style sheet), the words after a second; from two seconds on how long it takes, and a way out. */
export function Skeleton({ words, rows = 5 }: { readonly words: string; readonly rows?: number }) {
  const leave = useContext(LeaveWaiting);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((known) => known + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="skeleton" role="status" aria-label={words}>
      {BARS.slice(0, rows).map((width) => (
        <div key={width} className="skeleton-bar" style={{ width }} />
      ))}
      {seconds >= 1 && <div className="skeleton-words">{seconds < 2 ? words : `${words}, ${seconds} s`}</div>}
      {seconds >= 2 && leave !== null && (
        <div className="skeleton-leave">
          <Button kind="outlined" onClick={leave}>
            Stop waiting
          </Button>
        </div>
      )}
    </div>
  );
}

interface FailureProps {
  readonly title: string;
  /** What failed, where, and what still works. */
  readonly text: string;
  readonly onCopy?: (() => void) | undefined;
  readonly children?: ReactNode;
}

export function Failure({ title, text, onCopy, children }: FailureProps) {
  return (
    <div className="failure" role="alert">
      <div className="failure-title">{title}</div>
      <div className="failure-text">{text}</div>
      {(onCopy || children) && (
        <div className="failure-actions">
          {children}
          {onCopy && (
            <Button kind="plain" onClick={onCopy}>
              Copy details
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Bold sentence with the number, one reason, one way out. */
export function Empty({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <div className="empty-title">{title}</div>
      <div className="empty-text">{text}</div>
      {children}
    </div>
  );
}

export function Banner({
  tone,
  text,
  children,
}: {
  readonly tone: 'plain' | 'warn' | 'error';
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="banner" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <span className="banner-text">{text}</span>
      {children}
    </div>
  );
}

export function Refreshing() {
  return <div className="refreshing" role="status" aria-label="Refreshing" />;
}
