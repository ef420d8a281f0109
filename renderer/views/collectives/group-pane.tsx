import { useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { GroupAnswer, JobAnswer, RankSetColumn } from '#shared/views/collectives/answers.ts';
import { Empty, Failure, Refreshing, Skeleton } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useSelection } from '../../stores/selection.ts';
import type { CollectivesTarget } from '../../stores/targets/collectives.ts';
import { columnQuality } from '../../viewmodels/collectives/call-times.ts';
import type { CellModel } from '../../viewmodels/collectives/cells.ts';
import { ruleWords } from '../../viewmodels/collectives/chain.ts';
import { groupName } from '../../viewmodels/collectives/groups.ts';
import type { RowItem } from '../../viewmodels/collectives/items.ts';
import { type SetHead, setHeads } from '../../viewmodels/collectives/sets.ts';
import { tableText } from '../../viewmodels/collectives/table-text.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { AlignChoice, Bar, DifferenceNav, ShowChoice } from './bar.tsx';
import { CallDetail, type DetailSide } from './call-detail.tsx';
import { withoutSplit, withSplit } from './job-pane.tsx';
import { Legend } from './legend.tsx';
import { MatrixPane } from './matrix-pane.tsx';
import { openRecord, selectCall } from './open-record.ts';
import { type CellPlace, SetsTable } from './sets-table.tsx';
import { type GroupRows, useGroupRows } from './use-group-rows.ts';
import { useScreenKeys } from './use-screen-keys.ts';
import { useTimeRows } from './use-time-rows.ts';

interface GroupPaneProps {
  readonly caseId: CaseId;
  readonly group: string;
  readonly answer: JobAnswer;
  readonly target: CollectivesTarget;
  readonly onChange: (patch: Partial<CollectivesTarget>) => void;
  readonly onGo: (next: CollectivesTarget) => void;
}

/** One group: its calls by sets of ranks that behave alike, and one call in detail. */
export function GroupPane(props: GroupPaneProps) {
  const { caseId, group, answer: job, target, onChange, onGo } = props;
  const basis = useSelection((state) => state.basis);
  const byTime = target.byTime === true;
  const numbered = useGroupRows(caseId, group, byTime ? { ...target, show: 'around' } : target, basis);
  const answer = numbered.query.state === 'ready' ? numbered.query.value : null;
  const rows = useTimeRows(numbered, { caseId, group, answer, basis, on: byTime });
  const [selected, setSelected] = useState<CellPlace | null>(null);
  const [detail, setDetail] = useState(true);
  const heads = useMemo(() => (answer === null ? [] : setHeads(answer.sets, answer.cells)), [answer]);
  const focus = answer === null ? -1 : answer.focus < 0 ? firstRow(rows) : rows.indexOf(answer.focus);
  const shown = selected ?? (answer === null || focus < 0 ? null : { item: focus, set: oddSet(answer) });
  const item = shown === null ? undefined : rows.itemAt(shown.item);
  const row = item?.kind === 'row' ? item : undefined;
  const nav = useDifferences(answer, row, (seq) => {
    setSelected(null);
    onChange({ seq });
  });
  useScreenKeys({ onMatrix: () => onChange({ matrix: target.matrix !== true }), onDifference: nav.step });
  const place = (cell: CellPlace): void => {
    setSelected(cell);
    setDetail(true);
    const at = rows.itemAt(cell.item);
    const set = answer?.sets[cell.set];
    if (at?.kind === 'row' && set !== undefined) selectCall(at, set.rank, null);
  };
  return (
    <>
      <Bar
        answer={job}
        group={group}
        onGroup={(next) =>
          next === null ? onGo({ group: null, seq: null, whole: true }) : onGo({ group: next, seq: null })
        }
        onCopy={() => answer !== null && copyText(groupText(answer, heads, job))}
        end={
          answer !== null && (
            <>
              <span className="cut">{waysOf(answer)}</span>
              <DifferenceNav total={answer.differencesTotal} at={nav.at} label={nav.label} onStep={nav.step} />
            </>
          )
        }
      >
        <AlignChoice
          byTime={byTime}
          onChoose={(next) => onChange(next ? { byTime: true, show: 'around' } : { byTime: false })}
        />
        <ShowChoice show={target.show ?? 'around'} onShow={(show) => onChange({ show, byTime: false })} />
        <label className="check">
          <input
            type="checkbox"
            checked={target.hideEqual ?? false}
            onChange={(event) => onChange({ hideEqual: event.currentTarget.checked })}
          />
          hide equal
        </label>
      </Bar>
      <div className="collectives-table collectives-group">
        <PaneState query={rows.query} />
        {answer !== null && target.matrix === true && (
          <MatrixPane
            caseId={caseId}
            group={group}
            job={job}
            onOpen={(seq) => onChange({ matrix: false, seq, show: 'around' })}
          />
        )}
        {answer !== null && target.matrix !== true && (
          <GroupTable
            {...props}
            job={job}
            answer={answer}
            heads={heads}
            rows={rows}
            read={rows.read}
            shown={shown}
            row={row}
            onPlace={place}
            detail={detail}
            onDetail={setDetail}
          />
        )}
      </div>
    </>
  );
}

function PaneState({ query }: { readonly query: GroupRows['query'] }) {
  if (query.state === 'ready') return query.refreshing ? <Refreshing /> : null;
  if (query.state === 'loading') return <Skeleton words="Folding ranks into sets" />;
  return (
    <Failure
      title="The group cannot be read"
      text={RPC_ERROR_WORDS[query.error.code]}
      onCopy={() => copyText(`${query.error.code}: ${query.error.detail}`)}
    />
  );
}

interface GroupTableProps extends Omit<GroupPaneProps, 'answer' | 'onGo'> {
  readonly job: JobAnswer;
  readonly answer: GroupAnswer;
  readonly heads: readonly SetHead[];
  readonly rows: GroupRows;
  /** Ranks whose times stand in the table; 0 = its rows go by their numbers. */
  readonly read: number;
  readonly shown: CellPlace | null;
  readonly row: RowItem | undefined;
  readonly onPlace: (place: CellPlace) => void;
  readonly detail: boolean;
  readonly onDetail: (open: boolean) => void;
}

/** The table and, below it, the chosen call side by side. */
function GroupTable(props: GroupTableProps) {
  const { caseId, target, onChange, answer, heads, rows, shown, row } = props;
  const basis = useSelection((state) => state.basis);
  if (rows.count === 0)
    return <NoRows answer={answer} hidden={target.hideEqual === true || target.show === 'differences'} />;
  const sides = sidesOf(answer, heads, target.sides, shown?.set ?? 0);
  const split = (set: number): void => onChange({ split: withSplit(target.split, answer.sets[set]?.ranks[0]) });
  const open = (cell: CellPlace): void => {
    const at = rows.itemAt(cell.item);
    const set = answer.sets[cell.set];
    if (at?.kind === 'row' && set !== undefined) void openRecord(caseId, at, set.rank);
  };
  return (
    <>
      <SetsTable
        label="Calls of the group by sets of ranks"
        heads={heads}
        moreSets={answer.moreSets}
        moreRanks={answer.moreRanks}
        quality={columnQuality(answer.rawRanks, answer.boundMs, basis)}
        byTime={props.read > 0}
        count={rows.count}
        itemAt={rows.itemAt}
        onRange={rows.onRange}
        selected={shown}
        reveal={`${props.read > 0} ${target.show ?? 'around'} ${target.seq} ${answer.focus} ${answer.total}`}
        picked={pickedSets(answer, sides)}
        onSelect={props.onPlace}
        onOpen={open}
        onPick={(set) => onChange({ sides: toggleSide(sides, answer.sets[set]) })}
        onSplit={split}
        onMerge={(set) => onChange({ split: withoutSplit(target.split, answer, set) })}
      />
      <Legend cells={shownCells(rows)}>
        {props.read > 0 && (
          <span>{`≈ order not determined; times of ${plural(props.read, 'rank')}, each set at its first`}</span>
        )}
      </Legend>
      {props.detail && row !== undefined && sides.length > 0 && (
        <CallDetail
          caseId={caseId}
          call={row}
          label={row.pair === null ? `#${row.seq}${row.part > 0 ? `·${row.part + 1}` : ''}` : row.label}
          sides={sides}
          reason={row.seq === answer.group.divergence?.seq ? reasonOf(props.job, sides) : ''}
          hideEqual={target.hideEqual ?? false}
          selectedRank={answer.sets[shown?.set ?? 0]?.rank ?? -1}
          onClose={() => props.onDetail(false)}
          onSplit={heads[0]?.canSplit === true ? () => split(0) : undefined}
        />
      )}
    </>
  );
}

/** In sight at first; a group of transfers alone has no call to look at. */
const LOOKED_AT = 300;

function firstRow(rows: GroupRows): number {
  for (let i = 0; i < Math.min(rows.count, LOOKED_AT); i++) if (rows.itemAt(i)?.kind === 'row') return i;
  return -1;
}

function shownCells(rows: GroupRows): CellModel[] {
  const cells: CellModel[] = [];
  for (let i = 0; i < Math.min(rows.count, LOOKED_AT); i++) {
    const item = rows.itemAt(i);
    if (item?.kind === 'row') cells.push(...item.cells);
  }
  return cells;
}

/** Why one of the sides is named. */
function reasonOf(job: JobAnswer, sides: readonly DetailSide[]): string {
  const root = job.story.roots.find((one) => sides.some((side) => side.rank === one.rank));
  return root === undefined ? '' : `rank ${root.rank} ${ruleWords(root.how)}`;
}

/** Steps from one difference to the next; the chosen one is the row that is looked at. */
function useDifferences(answer: GroupAnswer | null, row: RowItem | undefined, onSeq: (seq: number) => void) {
  const list = answer?.differences ?? [];
  const [seq, setSeq] = useState<number | null>(null);
  useEffect(() => {
    if (row !== undefined && row.pair === null) setSeq(row.seq);
  }, [row]);
  const at = list.findIndex((one) => one.seq === seq);
  const step = (by: 1 | -1): void => {
    const next =
      at >= 0
        ? list[at + by]
        : by === 1
          ? list.find((one) => one.seq > (seq ?? -1))
          : list.findLast((one) => one.seq < (seq ?? 0));
    if (next !== undefined) onSeq(next.seq);
  };
  const current = list[Math.max(0, at)];
  const label =
    current === undefined ? '' : `#${current.seq}${current.likelyConsequence ? ', likely a consequence' : ''}`;
  return { at, step, label };
}

/** The set that the eye goes to first: named, else set apart, else the largest. */
function oddSet(answer: GroupAnswer): number {
  const first = answer.sets.findIndex((set) => set.look === 'first');
  return Math.max(0, first >= 0 ? first : answer.sets.findIndex((set) => set.look === 'odd'));
}

const MAX_SIDES = 4;
const LOOKS = { first: 'first', odd: 'bystander', waits: 'victim', fine: 'bystander', silent: 'unknown' } as const;

/** The ranks asked for, else the first set beside the chosen or the odd one. */
function sidesOf(
  answer: GroupAnswer,
  heads: readonly SetHead[],
  wanted: readonly number[] | undefined,
  chosen: number,
): DetailSide[] {
  const { sets } = answer;
  const side = (index: number, rank: number): DetailSide | undefined => {
    const set = sets[index];
    const head = heads[index];
    if (set === undefined || head === undefined || rank < 0) return undefined;
    return {
      rank,
      look: LOOKS[set.look],
      set: `${head.letter}, ${set.ranks.length === 1 ? 'alone' : plural(set.ranks.length, 'rank')}`,
    };
  };
  const asked = (wanted ?? []).flatMap(
    (rank) =>
      side(
        sets.findIndex((set) => set.ranks.includes(rank)),
        rank,
      ) ?? [],
  );
  if (asked.length > 0) return asked.slice(0, MAX_SIDES);
  const other =
    chosen > 0
      ? chosen
      : oddSet(answer) > 0
        ? oddSet(answer)
        : sets.findIndex((set, i) => i > 0 && set.look !== 'silent');
  return [0, other].flatMap((index) => (index < 0 ? [] : (side(index, sets[index]?.rank ?? -1) ?? [])));
}

function pickedSets(answer: GroupAnswer, sides: readonly DetailSide[]): ReadonlySet<number> {
  return new Set(sides.map((side) => answer.sets.findIndex((set) => set.ranks.includes(side.rank))));
}

function toggleSide(sides: readonly DetailSide[], set: RankSetColumn | undefined): readonly number[] {
  const ranks = sides.map((side) => side.rank);
  if (set === undefined) return ranks;
  const own = ranks.filter((rank) => set.ranks.includes(rank));
  const next = own.length > 0 ? ranks.filter((rank) => !own.includes(rank)) : [...ranks, set.rank];
  return next.slice(-MAX_SIDES);
}

function waysOf(answer: GroupAnswer): string {
  const ways = answer.sets.length + answer.moreSets;
  const ranks = answer.sets.reduce((sum, set) => sum + set.ranks.length, answer.moreRanks);
  if (ranks === 1) return '1 rank';
  return `${plural(ranks, 'rank')} behave in ${ways === 1 ? 'one way' : `${formatCount(ways)} ways`}`;
}

function groupText(answer: GroupAnswer, heads: readonly SetHead[], job: JobAnswer): string {
  return tableText({
    title: `${groupName(answer.group.id, job.kinds[answer.group.kind], answer.group.desc)}, ${waysOf(answer)}`,
    heads,
    sets: answer.sets,
    sections: [{ title: '', rows: answer.rows, cells: answer.cells, focus: answer.focus }],
    contents: answer.contents,
  });
}

function NoRows({ answer, hidden }: { readonly answer: GroupAnswer; readonly hidden: boolean }) {
  return hidden ? (
    <Empty
      title="0 calls differ"
      text="All members that can be compared agree in every call that their recorders hold. Clear hide equal, or show all calls."
    />
  ) : (
    <Empty
      title="0 calls recorded"
      text={`${plural(answer.group.dumps, 'dump')} of ${plural(answer.group.size, 'member')} name this group, and none holds a record of a call in it.`}
    />
  );
}
