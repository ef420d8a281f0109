import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { SectionId } from '#shared/report/sections/types.ts';
import type { ReportChoices, SectionRow } from '#shared/rpc/areas/export.ts';
import { FileStatusGlyph } from '../../components/glyphs.tsx';
import { useNotices } from '../../stores/notices.ts';
import { moveSection, switchSection } from '../../viewmodels/report/words.ts';

interface SectionListProps {
  readonly rows: readonly SectionRow[];
  readonly choices: ReportChoices;
  readonly onChoose: (choices: ReportChoices) => void;
  /** Scrolls the preview there. */
  readonly onBring: (id: SectionId) => void;
  readonly shown: string | null;
}

/** Space switches, Alt+arrows or a drag moves, Enter shows. */
export function SectionList({ rows, choices, onChoose, onBring, shown }: SectionListProps) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const [current, setCurrent] = useState<SectionId>(choices.sections[0]?.id ?? 'verdict');
  const [dragged, setDragged] = useState<SectionId | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const ids = choices.sections.map(({ id }) => id);
  const focusRow = (id: SectionId): void => {
    setCurrent(id);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus());
  };
  const move = (id: SectionId, to: number): void => {
    const moved = moveSection(choices, id, to);
    onChoose(moved);
    const place = moved.sections.findIndex((row) => row.id === id) + 1;
    useNotices.getState().speak(`${byId.get(id)?.title ?? id}, place ${place} of ${ids.length}`);
    focusRow(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>, id: SectionId, on: boolean): void => {
    const at = ids.indexOf(id);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && event.altKey) move(id, at + step);
    else if (step !== 0) focusRow(ids[Math.max(0, Math.min(ids.length - 1, at + step))] ?? id);
    else if (event.key === 'Home') focusRow(ids[0] ?? id);
    else if (event.key === 'End') focusRow(ids.at(-1) ?? id);
    else if (event.key === ' ') onChoose(switchSection(choices, id, !on));
    else if (event.key === 'Enter') onBring(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div className="report-head">
        <b>Sections</b> <span>drag or Alt ↑↓</span>
      </div>
      <div className="section-list" role="listbox" aria-label="Sections" aria-multiselectable="true" ref={list}>
        {choices.sections.map(({ id, on }, index) => {
          const row = byId.get(id);
          return (
            <div
              key={id}
              role="option"
              aria-selected={on}
              tabIndex={id === current ? 0 : -1}
              className="section-row"
              data-row={id}
              data-on={on}
              data-empty={row?.empty === true}
              data-shown={shown === id}
              data-drag={dragged === id}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                event.dataTransfer.setData('text/x-firstfault-section', id);
                setDragged(id);
              }}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                event.stopPropagation();
                move(dragged, index);
                setDragged(null);
              }}
              onFocus={() => setCurrent(id)}
              onClick={() => onBring(id)}
              onKeyDown={(event) => onKeyDown(event, id, on)}
            >
              <GripVertical className="icon-14 section-grip" strokeWidth={1.75} aria-hidden="true" />
              <span
                className="section-check"
                aria-hidden="true"
                onClick={(event) => {
                  event.stopPropagation();
                  onChoose(switchSection(choices, id, !on));
                }}
              >
                {on ? '✓' : ''}
              </span>
              <span className="section-title">{row?.title ?? id}</span>
              <span className="sr-only">, </span>
              <RowCount row={row} />
              <span className="sr-only">{`, ${on ? 'on' : 'off'}`}</span>
            </div>
          );
        })}
      </div>
    </>
  );
}

function RowCount({ row }: { readonly row: SectionRow | undefined }) {
  if (row?.unscanned === true)
    return (
      <span className="section-count" data-tone="error">
        <FileStatusGlyph status="failed" /> not scanned
      </span>
    );
  return <span className="section-count">{row?.empty === true ? 'nothing' : (row?.count ?? '')}</span>;
}
