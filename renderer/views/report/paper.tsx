import './paper.css';
import { useEffect, useRef, useState } from 'react';
import type { ReportDocument } from '#shared/report/sections/types.ts';
import type { Page } from '../../viewmodels/report/pages.ts';
import { Blocks, PaperText } from './blocks.tsx';

interface PaperProps {
  readonly document: ReportDocument;
  readonly pages: readonly Page[];
}

/** Light pages, whatever the theme: what is exported is on white. Text nodes only. */
export function Paper({ document, pages }: PaperProps) {
  const { redacted } = document;
  const host = useRef<HTMLDivElement>(null);
  const zoom = useFit(host);
  return (
    <div className="paper-pages" data-theme="light" ref={host} style={{ zoom }}>
      {pages.map((page, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name than their number
        <article key={index} className="paper" aria-label={`Page ${index + 1} of ${pages.length}`}>
          <header className="paper-head">
            <span>
              Incident report, <PaperText text={document.title} redacted={redacted} />
              {redacted && ', redacted'}
            </span>
            <span>
              page {index + 1} of {pages.length}
            </span>
          </header>
          {page.map((part) => (
            <section key={part.id} data-section={part.title === null ? undefined : part.id}>
              {part.title !== null && part.id !== 'verdict' && <h2>{part.title}</h2>}
              <Blocks blocks={part.blocks} redacted={redacted} />
            </section>
          ))}
          {index === pages.length - 1 && (
            <footer className="paper-foot">
              <PaperText text={document.foot} redacted={redacted} />
            </footer>
          )}
        </article>
      ))}
    </div>
  );
}

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
