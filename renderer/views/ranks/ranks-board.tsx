/** The screen: bar, map or table, scrubber, counts, the card of a rank. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount, plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Segmented } from '../../components/fields.tsx';
import { Banner } from '../../components/states.tsx';
import { usePreferences } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import type { LayoutKind } from '../../viewmodels/ranks/layout.ts';
import { legendRows } from '../../viewmodels/ranks/legend.ts';
import { COLOUR_WORDS, COLOURS, type MapColour } from '../../viewmodels/ranks/looks.ts';
import { placementSummary, unplacedReason } from '../../viewmodels/ranks/rows.ts';
import { useShownTheme } from '../shell/use-theme.ts';
import { useElementSize } from '../timeline/use-size.ts';
import { LegendTable } from './legend-table.tsx';
import { MapPane } from './map-pane.tsx';
import { RankCard } from './rank-card.tsx';
import { Scrubber } from './scrubber.tsx';
import { TwinTable } from './twin-table.tsx';
import { type RanksParts, useRanksModel } from './use-ranks-model.ts';

const LAYOUT_WORDS: Readonly<Record<LayoutKind, string>> = {
  place: 'node × local rank',
  pods: 'Pods',
  groups: 'group coordinates',
};
const MAX_GROUPS = 60;
/** Up to so many ranks the table stands below the map, if the screen is so high at normal text size, in px. */
const BOTH_UP_TO = 24;
const BOTH_FROM = 680;

export function RanksBoard(parts: RanksParts) {
  const { caseId, report, target, index } = parts;
  const model = useRanksModel(parts);
  const { rows, moment, colour, basis, change, span, handle } = model;
  const chosen = useSelection((state) => state.ranks);
  const theme = useShownTheme();
  const map = useRef<HTMLDivElement>(null);
  const main = useRef<HTMLDivElement>(null);
  const room = useElementSize(main);
  const textScale = usePreferences((state) => state.textScale);
  const [focus, setFocus] = useState<number>(() => rows.findIndex((row) => row.rank === target.rank));
  const legend = useMemo(() => legendRows(rows, index, moment, colour, basis), [rows, index, moment, colour, basis]);
  const group = report.collectives.groups.find((one) => one.group === target.group);
  const kept = useMemo(() => {
    if (chosen.length === 0 && group === undefined) return null;
    const [wanted, members] = [new Set(chosen), new Set(group?.ranks)];
    return new Set(
      rows.flatMap((row, i) =>
        (wanted.size === 0 || wanted.has(row.rank)) && (group === undefined || members.has(row.rank)) ? [i] : [],
      ),
    );
  }, [rows, chosen, group]);
  const opened = rows.find((row) => row.rank === target.rank);
  const open = (rank: number | null): void => {
    change({ rank });
    useSelection.getState().select(rank === null ? null : { kind: 'rank', rank });
  };
  useEffect(() => {
    if (target.rank !== null) setFocus(rows.findIndex((row) => row.rank === target.rank));
  }, [target.rank, rows]);
  const table = target.table === true;
  const both = !table && rows.length <= BOTH_UP_TO && room.height >= BOTH_FROM * textScale;
  const toggle = (): void => {
    change({ table: !table });
    if (table) requestAnimationFrame(() => map.current?.focus());
  };
  return (
    <section className="ranks" aria-label="Ranks" data-help="screen/ranks" data-pane="ranks">
      <div ref={main} className="ranks-main">
        <Bar parts={parts} model={model} kept={kept?.size ?? null} onToggle={toggle} />
        <Notes parts={parts} model={model} />
        {table ? (
          <TwinTable {...{ rows, index, moment, kept }} timeText={model.timeText} onOpen={open} onClose={toggle} />
        ) : (
          <MapPane
            key={theme}
            host={map}
            {...{ rows, index, model, kept, focus, setFocus }}
            most={mapRoom(room.height / textScale, legend.length, both ? rows.length : 0) * textScale}
            least={LEAST_MAP * textScale}
            selected={rows.findIndex((row) => row.rank === target.rank)}
            onOpen={open}
            onTable={toggle}
          />
        )}
        {both && <TwinTable {...{ rows, index, moment, kept }} timeText={model.timeText} onOpen={open} below />}
        {index.time === null ? (
          <p className="ranks-no-time">
            Nothing in this bundle carries a time: there is no moment to go to, and the map shows what the findings say
            of each rank. Recorder dumps, or logs taken with timestamps, would fill it.
          </p>
        ) : (
          span !== null && handle !== null && <Scrubber time={index.time} model={model} span={span} handle={handle} />
        )}
        <LegendTable rows={legend} total={rows.length} title={colourTitle(model)} timeText={model.timeText} />
      </div>
      {opened !== undefined && (
        <RankCard caseId={caseId} report={report} index={index} row={opened} model={model} onClose={() => open(null)} />
      )}
    </section>
  );
}

/** Height for the map where all parts below have what they need at least, px at normal text size. `tableRows`: of the table twin below it, 0 = none. */
function mapRoom(height: number, legendRows: number, tableRows: number): number {
  const legend = Math.min(Math.max(height * 0.34, 96), (legendRows + 1) * ROW);
  const table = tableRows === 0 ? 0 : (Math.min(tableRows, MOST_TABLE_ROWS) + 1) * ROW + TABLE_BAR;
  return Math.max(tableRows === 0 ? LEAST_MAP : LEAST_BESIDE_TABLE, height - BAR - SCRUBBER - legend - table);
}
const [LEAST_MAP, LEAST_BESIDE_TABLE, BAR, SCRUBBER] = [304, 200, 40, 112];
const [ROW, TABLE_BAR, MOST_TABLE_ROWS] = [28, 52, 6];

type Model = ReturnType<typeof useRanksModel>;

/** Head of the counts; numbers of calls are those of one group. */
function colourTitle({ colour, countedGroup }: Model): string {
  const words = COLOUR_WORDS[colour];
  const of =
    colour === 'sequence' && countedGroup !== null ? `, ${escapeText(countedGroup.desc || countedGroup.name)}` : '';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${of}`;
}

interface BarProps {
  readonly parts: RanksParts;
  readonly model: Model;
  readonly kept: number | null;
  readonly onToggle: () => void;
}

function Bar({ parts, model, kept, onToggle }: BarProps) {
  const { index, target, report } = parts;
  const { rows, layouts, layout, colour, change } = model;
  const { ranks, nodes, pods, unplaced } = placementSummary(rows);
  const { attempts } = report.incident;
  const groups = report.collectives.groups.slice(0, MAX_GROUPS);
  const colours = COLOURS.filter((kind) => index.time !== null || kind === 'state' || kind === 'evidence');
  return (
    <div className="ranks-bar">
      <Choice
        label="colour"
        value={colour}
        options={colours.map((value) => ({ value, label: COLOUR_WORDS[value] }))}
        onChoose={(value) => change({ colour: value as MapColour })}
      />
      <Choice
        label="layout"
        value={layout}
        options={layouts.map((value) => ({ value, label: LAYOUT_WORDS[value] }))}
        onChoose={(value) => change({ layout: value as LayoutKind })}
      />
      {groups.length > 1 && (
        <Choice
          label={
            groups.length < report.collectives.groups.length
              ? `group, the first ${MAX_GROUPS} of ${formatCount(report.collectives.groups.length)}`
              : 'group'
          }
          value={target.group ?? ''}
          options={[
            { value: '', label: 'all' },
            ...groups.map((group) => ({
              value: group.group,
              label: escapeText((group.desc || group.group).slice(0, 60)),
            })),
          ]}
          onChoose={(value) => change({ group: value })}
        />
      )}
      <span className="ranks-bar-summary">
        {kept === null ? plural(ranks, 'rank') : `${formatCount(kept)} of ${plural(ranks, 'rank')}`}
        {nodes > 0 ? `, ${plural(nodes, 'node')}` : pods > 0 ? `, ${plural(pods, 'Pod')}` : ''}
        {unplaced === 0 ? ', none unplaced' : `, ${formatCount(unplaced)} unplaced`}
        {attempts > 1 &&
          report.verdict.attempt !== null &&
          `, attempt ${report.verdict.attempt}, ${formatCount(attempts)} in all`}
      </span>
      <Segmented
        label="Map or table"
        value={target.table === true ? 'table' : 'map'}
        options={[
          { value: 'map', label: 'Map' },
          { value: 'table', label: 'Table  V' },
        ]}
        onChoose={(value) => (value === 'table') !== (target.table === true) && onToggle()}
      />
    </div>
  );
}

function Notes({ parts, model }: { readonly parts: RanksParts; readonly model: Model }) {
  const { rows, problem, layout } = model;
  const conflicts = rows.filter((row) => row.conflicts.length > 0);
  const unplaced = rows.filter((row) => row.node === null && row.pod === null);
  const [first] = unplaced;
  const [claimed] = conflicts;
  return (
    <>
      {problem !== null && (
        <Banner tone="error" text={`This moment could not be read: ${problem}. The last one stays.`} />
      )}
      {claimed !== undefined && (
        <Banner
          tone="warn"
          text={`${plural(conflicts.length, 'rank')} with claims that exclude each other, flagged on the map. ${escapeText(claimed.conflicts[0] ?? '')}`}
        >
          <Button kind="plain" onClick={() => model.change({ rank: claimed.rank })}>
            {`Show rank ${claimed.rank}`}
          </Button>
        </Banner>
      )}
      {first !== undefined && unplaced.length === rows.length && layout !== 'groups' && (
        <Banner
          tone="plain"
          text={`No rank is placed: ${unplacedReason(first)}. Pod YAML (kubectl get pods -o yaml) would place them.`}
        />
      )}
      {parts.report.incident.worldSize === null && (
        <Banner
          tone="plain"
          text="How many ranks the job had is not told: only those that the bundle speaks of are drawn."
        />
      )}
    </>
  );
}
