/** The comparison: bar, table, both cases on one axis. */
import { ChevronDown, ChevronUp, Flag, X } from 'lucide-react';
import { Fragment, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CompareAnswer, CompareSide } from '#shared/rpc/areas/compare.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Choice } from '../../components/fields.tsx';
import { StatusWord } from '../../components/glyphs.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { copyText } from '../../data/clipboard.ts';
import { startOf, useNavigation } from '../../stores/navigation.ts';
import type { CompareTarget } from '../../stores/targets/compare.ts';
import { alignOptions, defaultAlign } from '../../viewmodels/compare/alignment.ts';
import {
  type CompareLine,
  compareLines,
  compareSummary,
  compareText,
  sideFacts,
} from '../../viewmodels/compare/rows.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { CompareLanes } from './compare-lanes.tsx';
import { useDifferenceKeys } from './use-difference-keys.ts';

interface BoardProps {
  readonly caseId: CaseId;
  readonly other: CaseId;
  readonly target: CompareTarget;
  readonly answer: CompareAnswer;
  readonly onChange: (part: Partial<CompareTarget>) => void;
}

type RowLine = Extract<CompareLine, { readonly kind: 'row' }>;

export function CompareBoard({ caseId, other, target, answer, onChange }: BoardProps) {
  const only = target.differencesOnly === true;
  const options = useMemo(() => alignOptions(answer), [answer]);
  const align = options.find(({ value }) => value === target.align)?.value ?? defaultAlign(answer);
  const lines = useMemo(() => compareLines(answer.rows, only), [answer, only]);
  const [chosen, setChosen] = useState<string | null>(null);
  const table = useRef<HTMLDivElement>(null);
  const select = (key: string | null): void => {
    setChosen(key);
    if (key !== null)
      table.current?.querySelector(`[data-key="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: 1 | -1): void => {
    const keys = lines.flatMap((line) => (line.kind === 'row' && line.mark === 'differs' ? [line.key] : []));
    const at = keys.indexOf(chosen ?? '');
    select(keys[at < 0 ? (by === 1 ? 0 : keys.length - 1) : Math.max(0, Math.min(keys.length - 1, at + by))] ?? null);
  };
  useDifferenceKeys(step);
  const rows = lines.filter((line) => line.kind === 'row');
  const move = (to: number): void => select(rows[Math.max(0, Math.min(rows.length - 1, to))]?.key ?? null);
  return (
    <section className="compare" aria-label="Compare" data-help="screen/compare" data-pane="compare">
      <div className="compare-bar">
        <Choice
          label="align"
          value={align}
          options={options}
          onChoose={(value) => onChange({ align: options.find((one) => one.value === value)?.value ?? 'start' })}
        />
        <label className="compare-only">
          <input
            type="checkbox"
            checked={only}
            onChange={(event) => onChange({ differencesOnly: event.currentTarget.checked })}
          />
          differences only
        </label>
        <span className="compare-summary">{compareSummary(answer.rows)}</span>
        <IconButton label="Previous difference, Alt+Up" onClick={() => step(-1)}>
          <ChevronUp className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton label="Next difference, Alt+Down" onClick={() => step(1)}>
          <ChevronDown className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <Button kind="outlined" onClick={() => copyText(compareText(answer))}>
          Copy as text
        </Button>
        <Button kind="plain" onClick={() => useNavigation.getState().go(startOf('overview', caseId))}>
          <X className="icon-14" strokeWidth={1.75} aria-hidden="true" /> Close
        </Button>
      </div>
      <div
        ref={table}
        className="compare-table"
        role="grid"
        aria-label="Two cases, fact by fact"
        aria-rowcount={lines.length + 1}
        aria-activedescendant={chosen === null ? undefined : rowId(chosen)}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
          const at = rows.findIndex((line) => line.key === chosen);
          const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          move(to);
        }}
      >
        <div className="compare-row compare-head" role="row" aria-rowindex={1}>
          <span role="columnheader" className="quiet">
            {`${formatCount(answer.rows.length)} rows compared`}
          </span>
          <SideHead letter="A" side={answer.a} onOpen={() => open(caseId)} />
          <SideHead letter="B" side={answer.b} onOpen={() => open(other)} onOther={() => onChange({ other: null })} />
          <span role="columnheader" aria-label="Same or not" />
        </div>
        {lines.map((line, i) =>
          line.kind === 'head' ? (
            <div key={line.key} className="compare-section" role="row" aria-rowindex={i + 2}>
              <span role="gridcell">
                <strong>{line.title}</strong> <span className="quiet">{formatCount(line.count)}</span>
              </span>
            </div>
          ) : (
            <Row
              key={line.key}
              {...{ line, answer }}
              at={i}
              chosen={line.key === chosen}
              onChoose={() => setChosen(line.key)}
            />
          ),
        )}
      </div>
      <CompareLanes key={`${caseId} ${other} ${align}`} caseId={caseId} other={other} answer={answer} align={align} />
    </section>
  );
}

const rowId = (key: string): string => `compare-${key.replace(/[^a-zA-Z0-9]+/g, '-')}`;

function open(caseId: CaseId): void {
  useNavigation.getState().go(startOf('overview', caseId));
}

interface SideHeadProps {
  readonly letter: 'A' | 'B';
  readonly side: CompareSide;
  readonly onOpen: () => void;
  readonly onOther?: () => void;
}

function SideHead({ letter, side, onOpen, onOther }: SideHeadProps) {
  return (
    <span role="columnheader" className="compare-side">
      <span className="compare-side-name">
        <span className="compare-letter">{letter}</span>
        <button type="button" className="compare-open cut" title="Open this case" onClick={onOpen}>
          {escapeText(side.summary.name)}
        </button>
        {onOther !== undefined && (
          <Button kind="link" onClick={onOther}>
            Choose another
          </Button>
        )}
      </span>
      <span className="quiet cut">{sideFacts(side)}</span>
    </span>
  );
}

interface RowProps {
  readonly line: RowLine;
  readonly answer: CompareAnswer;
  readonly at: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Row({ line, answer, at, chosen, onChoose }: RowProps) {
  const { ranks } = line.row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys for all rows
    <div
      id={rowId(line.key)}
      className="compare-row"
      role="row"
      aria-rowindex={at + 2}
      aria-selected={chosen}
      data-mark={line.mark}
      data-key={line.key}
      onClick={onChoose}
    >
      <span role="gridcell" className="compare-name">
        <Breakable name={line.name} />
      </span>
      <span role="gridcell" className="selectable">
        <Value line={line} side={answer.a} text={line.a} ranks={ranks?.a ?? []} />
      </span>
      <span role="gridcell" className="selectable">
        <Value line={line} side={answer.b} text={line.b} ranks={line.b === 'same' ? [] : (ranks?.b ?? [])} />
      </span>
      <span role="gridcell" className="compare-mark">
        <Mark line={line} />
      </span>
    </div>
  );
}

/** The name of a variable breaks after an underscore, not in a word. */
function Breakable({ name }: { readonly name: string }) {
  return name.split(/(?<=_)/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

interface ValueProps {
  readonly line: RowLine;
  readonly side: CompareSide;
  readonly text: string;
  readonly ranks: readonly number[];
}

/** A first rank as its chip, a status with its glyph. */
function Value({ line, side, text, ranks }: ValueProps) {
  if (ranks.length > 0 && ranks.length <= 4) return <RankChip look="first" label={text} />;
  if (line.key === 'status' && line.mark === 'differs')
    return <StatusWord status={side.summary.outcome === 'no-failure' ? 'no-failure' : side.summary.status} size={10} />;
  return text;
}

function Mark({ line }: { readonly line: RowLine }) {
  if (line.mark === 'telling')
    return (
      <>
        <Flag className="icon-12" strokeWidth={1.75} aria-hidden="true" /> {line.note || 'same in both'}
      </>
    );
  const sign = { differs: '≠', equal: '=', unknown: '?' }[line.mark];
  const word = { differs: 'differs', equal: '', unknown: 'cannot be told' }[line.mark];
  return (
    <>
      <span className="compare-sign">{sign}</span> {word} <span className="quiet">{line.note}</span>
    </>
  );
}
