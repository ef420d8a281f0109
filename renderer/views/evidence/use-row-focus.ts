/** A virtual list as one stop of the keys: which row they are at, and where they go. */
import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react';

interface RowFocusParts {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** px of a row. */
  readonly height: number;
  /** Where the keys begin. */
  readonly start: number;
  readonly scrollTo: (index: number) => void;
  readonly onEnter: (index: number) => void;
}

export function useRowFocus({ scroller, count, height, start, scrollTo, onEnter }: RowFocusParts) {
  const [focused, setFocused] = useState<number | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = focused ?? Math.max(0, start);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2);
    const to = {
      ArrowDown: at + (focused === null ? 0 : 1),
      ArrowUp: at - 1,
      Home: 0,
      End: count - 1,
      PageDown: at + page,
      PageUp: at - page,
    }[event.key];
    if (event.key === 'Enter' && at < count) {
      event.preventDefault();
      onEnter(at);
    }
    if (to === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(to, count - 1));
    setFocused(next);
    scrollTo(next);
  };
  const onFocus = (event: FocusEvent): void => {
    const { currentTarget } = event;
    if (event.target === currentTarget && currentTarget.matches(':focus-visible')) setFocused(Math.max(0, start));
  };
  return { focused, keys: { onKeyDown, onFocus, onBlur: () => setFocused(null) } };
}
