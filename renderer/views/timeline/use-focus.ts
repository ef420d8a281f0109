/** The lane and the call in focus: stepping along a lane, from lane to lane, along what is related; and what that selects for all views. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { entryId } from '#shared/model/ids.ts';
import type { TimelineCall, TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { latestOf } from '../../data/timeline.ts';
import { type Selected, useSelection } from '../../stores/selection.ts';
import type { RowLayout } from '../../viewmodels/timeline/rows.ts';

export interface Focus {
  readonly lane: number;
  readonly call: TimelineCall | null;
}

interface FocusParts {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly layout: RowLayout;
}

/** What the other views get to know of a call. */
export function selectedOf(index: TimelineIndex, call: TimelineCall): Selected | null {
  const rank = index.lanes[call.lane]?.rank ?? null;
  const group = index.groups[call.group];
  if (call.entry !== null && call.line !== null) return { kind: 'line', entryId: entryId(call.entry), line: call.line };
  if (rank === null) return null;
  if (group === undefined || call.seq < 0) return { kind: 'rank', rank };
  const record =
    call.entry === null || call.record === null ? null : { entryId: entryId(call.entry), record: call.record };
  return { kind: 'call', group: group.id, seq: call.seq, rank, record };
}

export function useFocus({ caseId, index, basis, layout }: FocusParts) {
  const [focus, setFocus] = useState<Focus | null>(null);
  const step = useMemo(() => latestOf('timeline.step'), []);
  const find = useMemo(() => latestOf('timeline.find'), []);
  const selected = useSelection((state) => state.selected);

  const choose = useCallback(
    (call: TimelineCall | null, lane: number) => {
      setFocus({ lane, call });
      const wanted = call === null ? null : selectedOf(index, call);
      if (wanted !== null) useSelection.getState().select(wanted);
    },
    [index],
  );

  // Something that another view selected: its lane, and the call if it is one. Again when the basis changes, since times move.
  useEffect(() => {
    if (selected === null) return setFocus((old) => (old === null ? null : { lane: old.lane, call: null }));
    const rank = selected.kind === 'rank' || selected.kind === 'call' ? selected.rank : null;
    const lane = index.lanes.findIndex((one) => rank !== null && one.rank === rank);
    if (lane < 0) return;
    if (selected.kind === 'rank') return setFocus((old) => (old?.lane === lane ? old : { lane, call: null }));
    if (selected.kind !== 'call') return;
    void find({ caseId, basis, rank: selected.rank, group: selected.group, seq: selected.seq }).then((got) => {
      if (got?.ok === true && got.value !== null) setFocus({ lane, call: got.value });
    });
  }, [selected, basis, caseId, index, find]);

  const stepRecord = useCallback(
    async (by: 1 | -1, near: number): Promise<TimelineCall | null> => {
      const lane = focus?.lane ?? layout.shown[0];
      if (lane === undefined) return null;
      const from = focus?.call ?? null;
      const ask = (way: 1 | -1) =>
        step({ caseId, basis, lane, call: from?.call ?? null, at: from?.startNs ?? near, by: way });
      let got = await ask(by);
      // From a moment behind the last record the first step is to that record, and the like before the first one.
      if (got?.ok === true && got.value === null && from === null) got = await ask(by === 1 ? -1 : 1);
      if (got?.ok !== true || got.value === null) return null;
      choose(got.value, lane);
      return got.value;
    },
    [caseId, basis, focus, layout, step, choose],
  );

  /** The same call on the next lane of its group that has it. */
  const stepRelated = useCallback(
    async (by: 1 | -1): Promise<TimelineCall | null> => {
      const call = focus?.call;
      const group = call === null || call === undefined ? undefined : index.groups[call.group];
      if (call === null || call === undefined || group === undefined || call.seq < 0) return null;
      const order = layout.shown;
      const start = order.indexOf(call.lane);
      for (let i = 1; i < order.length; i++) {
        const lane = order[(start + by * i + order.length * i) % order.length] ?? -1;
        const rank = index.lanes[lane]?.rank;
        if (rank === null || rank === undefined) continue;
        const got = await find({ caseId, basis, rank, group: group.id, seq: call.seq });
        if (got?.ok !== true) return null;
        if (got.value === null) continue;
        choose(got.value, lane);
        return got.value;
      }
      return null;
    },
    [caseId, basis, focus, index, layout, find, choose],
  );

  return { focus, setFocus, choose, stepRecord, stepRelated };
}
