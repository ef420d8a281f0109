import { type RefObject, useLayoutEffect } from 'react';
import { selectStep, useNavigation } from '../../stores/navigation.ts';
import { keepScroll, keptScroll } from '../../stores/scroll-memory.ts';

/** Keeps the scroll position of a region for its view state and puts it back when that state is shown again. */
export function useKeptScroll(ref: RefObject<HTMLElement | null>, region: string): void {
  const stepId = useNavigation((state) => selectStep(state).id);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const top = keptScroll(stepId, region);
    if (top !== undefined) element.scrollTop = top;
    const onScroll = () => keepScroll(stepId, region, element.scrollTop);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [ref, region, stepId]);
}
