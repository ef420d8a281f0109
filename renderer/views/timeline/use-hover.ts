/** What the tooltip says of the place under the pointer. The picture that is drawn answers at once; several lanes under one pixel ask the engine. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import type { LaneScene } from '../../charts/lane-scene.ts';
import { latestOf } from '../../data/timeline.ts';
import { lanesAt } from '../../viewmodels/timeline/rows.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import {
  callTooltip,
  emptyTooltip,
  instantTooltip,
  lanesTooltip,
  type TooltipText,
} from '../../viewmodels/timeline/tooltip.ts';
import { instantAt } from './use-actions.ts';
import type { PointerPlace } from './use-pointer.ts';

export interface ShownTooltip {
  readonly x: number;
  readonly y: number;
  readonly text: TooltipText;
}

interface HoverParts {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly scene: LaneScene | null;
}

/** The pointer must rest: while it moves, only the cursor follows. */
const REST_MS = 90;

export function useHover({ caseId, index, basis, span, scene }: HoverParts) {
  const [shown, setShown] = useState<ShownTooltip | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const pick = useMemo(() => latestOf('timeline.pick'), []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const look = useCallback(
    async (place: PointerPlace) => {
      const { row, at } = place;
      if (row === undefined || at === null || scene === null || row.kind === 'head') return setShown(null);
      const about = { index, basis, span };
      const perPx = (span.to - span.from) / (scene.size.width - scene.size.gutter);
      const show = (text: TooltipText | null): void =>
        setShown(text === null ? null : { x: place.clientX, y: place.clientY, text });
      if (row.kind === 'lane' && scene.slices !== null) {
        const hit = instantAt(scene.slices, row.lane, at, perPx * 6);
        const { instants, texts } = scene.slices;
        if (hit !== null) {
          const i = hit.row;
          return show(
            instantTooltip(about, {
              lane: row.lane,
              atNs: instants.atNs[i] ?? 0,
              kind: instants.kind[i] ?? 0,
              severity: instants.severity[i] ?? 0,
              clock: instants.clock[i] ?? -1,
              text: texts[instants.text[i] ?? -1] ?? '',
              count: instants.count[i] ?? 1,
            }),
          );
        }
      }
      const lanes = lanesAt(row, place.y);
      const got = await pick({ caseId, basis, lanes: [...lanes], from: at - perPx * 2, to: at + perPx * 2 });
      if (got?.ok !== true) return;
      const { call, states } = got.value;
      if (lanes.length > 1) show(lanesTooltip(about, lanes, states, call));
      else show(call === null ? emptyTooltip(about, lanes[0] ?? -1) : callTooltip(about, call));
    },
    [caseId, index, basis, span, scene, pick],
  );
  const onPlace = useCallback(
    (place: PointerPlace | null) => {
      clearTimeout(timer.current);
      if (place === null || place.zone !== 'lanes') return setShown(null);
      timer.current = setTimeout(() => void look(place), REST_MS);
    },
    [look],
  );
  return { shown, onPlace };
}
