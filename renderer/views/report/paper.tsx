import './paper.css';
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReportDocument } from '#shared/report/sections/types.ts';
import type { Page } from '../../viewmodels/report/pages.ts';
import { Blocks, PaperText } from './blocks.tsx';

interface PaperProps {
  readonly document: ReportDocument;
  readonly pages: readonly Page[];
}

/** Light pages, whatever the theme: what is exported is on white. Text nodes only. */
export function Paper({ document, pages }: PaperProps) {
  const host = useRef<HTMLDivElement>(null);
  const zoom = useFit(host);
  const now = useMemo(() => ({ document, pages, shown: pages.length }), [document, pages]);
  // What fits the window comes at once; the other pages are made in slices between frames, like any change of all of them.
  const first = useMemo(() => ({ ...now, shown: Math.min(AT_ONCE, now.shown) }), [now]);
  const drawn = useDeferredValue(now, first);
  return (
    <div className="paper-pages" data-theme="light" data-complete={drawn === now} ref={host} style={{ zoom }}>
      {drawn.pages.slice(0, drawn.shown).map((page, index) => (
        <OnePage
          // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name than their number
          key={index}
          document={drawn.document}
          page={page}
          number={index + 1}
          total={drawn.pages.length}
        />
      ))}
    </div>
  );
}

/** Two pages are more than the largest window shows. */
const AT_ONCE = 2;

interface OnePageProps {
  readonly document: ReportDocument;
  readonly page: Page;
  readonly number: number;
  readonly total: number;
}

const OnePage = memo(function OnePage({ document, page, number, total }: OnePageProps) {
  const { redacted } = document;
  return (
    <article className="paper" aria-label={`Page ${number} of ${total}`}>
      <header className="paper-head">
        <span>
          Incident report, <PaperText text={document.title} redacted={redacted} />
          {redacted && ', redacted'}
        </span>
        <span>
          page {number} of {total}
        </span>
      </header>
      {page.map((part) => (
        <section key={part.id} data-section={part.title === null ? undefined : part.id}>
          {part.title !== null && part.id !== 'verdict' && <h2>{part.title}</h2>}
          <Blocks blocks={part.blocks} redacted={redacted} />
        </section>
      ))}
      {number === total && (
        <footer className="paper-foot">
          <PaperText text={document.foot} redacted={redacted} />
        </footer>
      )}
    </article>
  );
});

/** Width of a page with its margins, in px at normal size. */
const PAGE_WIDTH = 720;
/** Smaller than this nobody reads it: then lines break earlier than on paper. */
const LEAST_ZOOM = 0.8;

/** Pages are made smaller before their lines are broken otherwise than on paper. */
function useFit(host: React.RefObject<HTMLDivElement | null>): number {
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    const pane = host.current?.parentElement;
    if (!pane) return;
    const observer = new ResizeObserver(() => {
      setZoom(Math.min(1, Math.max(LEAST_ZOOM, Math.floor((pane.clientWidth / PAGE_WIDTH) * 100) / 100)));
    });
    observer.observe(pane);
    return () => observer.disconnect();
  }, [host]);
  return zoom;
}
