import { ChevronDown } from 'lucide-react';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../../components/layers.tsx';
import type { RowLayout } from '../../viewmodels/timeline/rows.ts';
import { useLocalKeys } from '../shell/platform.ts';
import type { Board } from './board-state.ts';

interface HeadProps {
  readonly board: Board;
  readonly change: (part: Partial<Board>) => void;
  readonly layout: RowLayout;
  readonly index: TimelineIndex;
  readonly height: number;
  readonly width: number;
}

/** Left end of the axis: how many lanes, at which height, and what is hidden of them. */
export function StageHead({ board, change, layout, index, height, width }: HeadProps) {
  const keys = useLocalKeys('timeline');
  const ranks = index.lanes.filter((lane) => lane.kind === 'rank').length;
  const shown = layout.shown.filter((lane) => index.lanes[lane]?.kind === 'rank').length;
  const foldAll = () => change({ toggled: new Set(index.sections.map((section) => section.id)) });
  return (
    // Keys and clicks of the menu are not those of the lanes beneath.
    <div
      className="timeline-head"
      style={{ height: `${height}px`, width: `${width}px` }}
      onPointerDown={(event) => event.stopPropagation()}
      onPointerUp={(event) => event.stopPropagation()}
    >
      <Menu
        trigger={
          <button type="button" className="timeline-head-button">
            {shown === ranks
              ? `${formatCount(ranks)} ${ranks === 1 ? 'lane' : 'lanes'}`
              : `${formatCount(shown)} of ${formatCount(ranks)}`}
            <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
      >
        <MenuLabel text="Height of lanes" />
        <MenuChoice
          value={board.tier}
          options={[
            { value: 'auto', label: 'As fits' },
            { value: 'full', label: 'Full, with labels' },
            { value: 'compact', label: 'Compact' },
            { value: 'heat', label: 'Pixels' },
          ]}
          onChoose={(value) => change({ tier: value as Board['tier'] })}
        />
        <MenuLine />
        <MenuItem label={layout.tier === 'heat' ? 'Unfold all places' : 'Fold all places'} onSelect={foldAll} />
        <MenuItem
          label={layout.tier === 'heat' ? 'Fold all places' : 'Unfold all places'}
          onSelect={() => change({ toggled: new Set() })}
        />
        <MenuItem
          label="Show hidden lanes"
          keys={keys.shown('show-all')}
          disabled={board.hidden.size === 0}
          onSelect={() => change({ hidden: new Set() })}
        />
        <MenuItem label="Show as table" keys={keys.shown('twin')} onSelect={() => change({ twin: true })} />
      </Menu>
      <span className="timeline-head-note">{`by ${index.sections.some((section) => section.by === 'node') ? 'node' : 'Pod'}`}</span>
    </div>
  );
}
