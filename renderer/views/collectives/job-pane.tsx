import { useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { JobAnswer } from '#shared/views/collectives/answers.ts';
import { copyText } from '../../data/clipboard.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import type { CollectivesTarget } from '../../stores/targets/collectives.ts';
import { columnQuality } from '../../viewmodels/collectives/call-times.ts';
import { chainModel } from '../../viewmodels/collectives/chain.ts';
import { groupName, kindName } from '../../viewmodels/collectives/groups.ts';
import { type Item, jobItems, type RowItem } from '../../viewmodels/collectives/items.ts';
import { setHeads } from '../../viewmodels/collectives/sets.ts';
import { type StepModel, stepsModel } from '../../viewmodels/collectives/steps.ts';
import { tableText } from '../../viewmodels/collectives/table-text.ts';
import { Bar, DifferenceNav } from './bar.tsx';
import { ChainPanel } from './chain-panel.tsx';
import { selectCall } from './open-record.ts';
import { type CellPlace, SetsTable } from './sets-table.tsx';
import { StepsStrip } from './steps-strip.tsx';
import { useScreenKeys } from './use-screen-keys.ts';

interface JobPaneProps {
  readonly caseId: CaseId;
  readonly answer: JobAnswer;
  readonly target: CollectivesTarget;
  readonly onChange: (patch: Partial<CollectivesTarget>) => void;
  readonly onGo: (next: CollectivesTarget) => void;
}

const NONE: ReadonlySet<number> = new Set();

/** All groups at once: chain of waiting, sets of ranks over a section a kind, steps to the end. */
export function JobPane({ caseId, answer, target, onChange, onGo }: JobPaneProps) {
  const basis = useSelection((state) => state.basis);
  const model = useMemo(() => jobModel(answer, basis), [answer, basis]);
  const { items, heads, chain, steps, focusRows } = model;
  const [selected, setSelected] = useState<CellPlace | null>(() => startPlace(items, focusRows));
  const at = focusRows.indexOf(selected?.item ?? -1);
  const step = (by: 1 | -1): void => {
    const next = focusRows[at < 0 ? 0 : Math.max(0, Math.min(focusRows.length - 1, at + by))];
    if (next !== undefined) setSelected({ item: next, set: selected?.set ?? 0 });
  };
  const openGroup = (group: string, seq: number | null): void => {
    if (group !== '') onGo({ group, seq });
  };
  const rowAt = (index: number): RowItem | undefined => {
    const item = items[index];
    return item?.kind === 'row' ? item : undefined;
  };
  useScreenKeys({
    onMatrix: () => {
      const group = rowAt(selected?.item ?? -1)?.group ?? answer.story.first?.group ?? answer.groups[0]?.id;
      if (group !== undefined) onGo({ group, seq: null, matrix: true });
    },
    onDifference: step,
  });
  const current = rowAt(focusRows[Math.max(0, at)] ?? -1);
  return (
    <>
      <Bar
        answer={answer}
        group={null}
        onGroup={(group) =>
          group === null ? onGo({ group: null, seq: null, whole: true }) : onGo({ group, seq: null })
        }
        onCopy={() => copyText(model.text())}
        end={
          <>
            <span className="cut">{waysOf(answer)}</span>
            <DifferenceNav
              total={focusRows.length}
              at={at}
              label={current === undefined ? '' : rowName(answer, current)}
              onStep={step}
            />
          </>
        }
      />
      <div className="collectives-main">
        <ChainPanel model={chain} onOpen={openGroup} />
        <div className="collectives-table">
          <SetsTable
            label="Calls of all groups by sets of ranks"
            heads={heads}
            moreSets={answer.moreSets}
            moreRanks={answer.moreRanks}
            quality={columnQuality(answer.rawRanks, answer.boundMs, basis)}
            count={items.length}
            itemAt={(index) => items[index]}
            selected={selected}
            reveal={String(selected?.item)}
            picked={NONE}
            onSelect={(place) => {
              setSelected(place);
              const row = rowAt(place.item);
              const set = answer.sets[place.set];
              if (row !== undefined && set !== undefined) selectCall(row, set.rank, null);
            }}
            onOpen={(place) => {
              const row = rowAt(place.item);
              if (row !== undefined) openGroup(row.group, row.pair === null && row.key !== '' ? row.seq : null);
            }}
            onPick={() => undefined}
            onSplit={(set) => onChange({ split: withSplit(target.split, answer.sets[set]?.ranks[0]) })}
            onMerge={(set) => onChange({ split: withoutSplit(target.split, answer, set) })}
          />
        </div>
      </div>
      <StepsStrip model={steps} onOpen={(one) => openMoment(caseId, one)} />
    </>
  );
}

function jobModel(answer: JobAnswer, basis: 'raw' | 'corrected') {
  const items = jobItems(answer, basis);
  const heads = setHeads(answer.sets, answer.sections[0]?.cells ?? []);
  return {
    items,
    heads,
    chain: chainModel(answer),
    steps: stepsModel(answer, basis),
    focusRows: items.flatMap((item, i) =>
      item.kind === 'row' && (item.differs || item.focus !== undefined) ? [i] : [],
    ),
    text: () =>
      tableText({
        title: `${plural(answer.groupsTotal, 'process group')}, ${waysOf(answer)}`,
        heads,
        sets: answer.sets,
        sections: answer.sections.map((section) => ({
          title: `${kindName(answer.kinds[section.kind])}${section.p2p ? ', point to point' : ''}`,
          rows: section.rows,
          cells: section.cells,
          focus: section.focus,
        })),
        contents: answer.contents,
      }),
  };
}

function startPlace(items: readonly Item[], focusRows: readonly number[]): CellPlace | null {
  const at = items.findIndex((item) => item.kind === 'row' && item.focus !== undefined);
  const item = at >= 0 ? at : focusRows[0];
  if (item === undefined) return null;
  const row = items[item];
  const set = row?.kind === 'row' ? row.cells.findIndex((cell) => cell.form === 'first' || cell.form === 'odd') : 0;
  return { item, set: Math.max(0, set) };
}

function waysOf(answer: JobAnswer): string {
  const ways = answer.sets.length + answer.moreSets;
  if (answer.ranks === 1) return '1 rank';
  return `${plural(answer.ranks, 'rank')} behave in ${ways === 1 ? 'one way' : `${formatCount(ways)} ways`}`;
}

function rowName(answer: JobAnswer, row: RowItem): string {
  const head = answer.groups.find((group) => group.id === row.group);
  const name = groupName(row.group, answer.kinds[head?.kind ?? -1], head?.desc ?? '');
  return row.pair === null ? `${name} #${row.seq}` : `${name} ${row.label}`;
}

export const withSplit = (split: readonly number[] | undefined, rank: number | undefined): readonly number[] =>
  rank === undefined ? (split ?? []) : [...new Set([...(split ?? []), rank])].slice(-16);

/** Puts a split set together again: all wishes that this column came from. */
export function withoutSplit(
  split: readonly number[] | undefined,
  { sets }: Pick<JobAnswer, 'sets'>,
  set: number,
): readonly number[] {
  if (sets[set]?.split !== true) return split ?? [];
  const ranks = new Set(sets.filter((one) => one.split).flatMap((one) => [...one.ranks]));
  return (split ?? []).filter((rank) => !ranks.has(rank));
}

/** The timeline at the step's moment, as corrected as the step is. */
function openMoment(caseId: CaseId, step: StepModel): void {
  useNavigation.getState().go({ screen: 'timeline', caseId, target: { lane: null, at: step.iso } });
}
