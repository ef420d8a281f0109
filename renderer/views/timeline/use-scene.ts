/** Puts the frame together out of what the user chose and what the engine answered. */
import { useMemo } from 'react';
import type { NoteId } from '#shared/model/note.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { type LaneBasis, shiftOf } from '#shared/views/lanes/index.ts';
import type { OverlayScene } from '../../charts/draw-overlay.ts';
import type { LaneScene } from '../../charts/lane-scene.ts';
import type { Palette } from '../../charts/palette.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { axisTicks } from '../../viewmodels/timeline/axis.ts';
import { faultPlace, markPlaces, orderPlaces } from '../../viewmodels/timeline/overlay.ts';
import type { OwnMark } from '../../viewmodels/timeline/own-marks.ts';
import type { RowLayout } from '../../viewmodels/timeline/rows.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { sectionClock, sectionWords } from '../../viewmodels/timeline/words.ts';
import type { Pictures } from './use-pictures.ts';
import type { ElementSize } from './use-size.ts';

export interface SceneParts {
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly size: ElementSize;
  readonly gutter: number;
  readonly axis: number;
  readonly palette: Palette | null;
  readonly layout: RowLayout;
  readonly scrollTop: number;
  readonly pictures: Pictures;
  readonly focusLane: number;
  readonly selected: OverlayScene['selected'];
  readonly area: OverlayScene['area'];
  readonly range: TimeSpan | null;
  readonly marks: readonly OwnMark[];
  readonly mark: NoteId | null;
}

export const anyDumpIn = (index: TimelineIndex): boolean =>
  index.lanes.some((lane) => lane.dump === 'present' || lane.dump === 'truncated');

export function useScene(parts: SceneParts): { readonly scene: LaneScene | null; readonly overlay: OverlayScene } {
  const { index, basis, span, size, gutter, axis, palette, layout, scrollTop, pictures, focusLane } = parts;
  const fixed = useMemo(() => {
    const anyDump = anyDumpIn(index);
    const captions = index.sections.map((section) => {
      const lanes = index.lanes.slice(section.laneFrom, section.laneTo);
      const pods =
        section.pods.length > 2 ? [`${section.pods.length} Pods`] : section.pods.map((pod) => `pod ${escapeText(pod)}`);
      const place = section.by === 'node' ? pods : [];
      return [...place, sectionClock(index, section.clock, basis), sectionWords(lanes, anyDump)].join(', ');
    });
    const shifts = [0, ...index.clocks.map((_, clock) => shiftOf(index, clock, basis))];
    return { anyDump, captions, shifts };
  }, [index, basis]);
  const scene = useMemo<LaneScene | null>(
    () =>
      palette === null || size.width < 10
        ? null
        : {
            size: { width: size.width, height: size.height, gutter, axis, ratio: size.ratio },
            palette,
            layout,
            scrollTop,
            span,
            lanes: index.lanes,
            sections: index.sections,
            groups: index.groups,
            ...fixed,
            slices: pictures.slices,
            heats: pictures.heats,
            focusLane,
            selectedCall: -1,
          },
    [palette, size, gutter, axis, layout, scrollTop, span, index, fixed, pictures, focusLane],
  );
  const { selected, area, range, marks, mark } = parts;
  const orders = useMemo(() => orderPlaces(index, pictures.slices, basis), [index, pictures.slices, basis]);
  const overlay = useMemo<OverlayScene>(
    () => ({
      ticks: axisTicks(span, BigInt(index.originNs), size.width - gutter, 100),
      fault: faultPlace(index, basis, span),
      marks: [
        ...markPlaces(index, basis),
        ...marks.map(({ id, at, to, label }) => ({ kind: 'own' as const, at, to, label, chosen: id === mark })),
      ],
      orders,
      selected,
      area,
      range,
    }),
    [index, basis, span, size.width, gutter, marks, mark, orders, selected, area, range],
  );
  return { scene, overlay };
}
