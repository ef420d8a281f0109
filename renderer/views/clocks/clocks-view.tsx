import './clocks-view.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import { formatCount } from '#shared/text/format.ts';
import type { ClocksView as StoredClocks } from '#shared/views/clocks/types.ts';
import { ClockBands } from '../../charts/clock-bands.tsx';
import { Choice, Segmented } from '../../components/fields.tsx';
import { Empty, Refreshing, Skeleton } from '../../components/states.tsx';
import { useClocks, useClocksProgress } from '../../data/clocks.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { onCursor, setCursor, useSelection } from '../../stores/selection.ts';
import type { ClocksTarget } from '../../stores/targets/clocks.ts';
import { anchorRows } from '../../viewmodels/clocks/anchors.ts';
import { type BandChoice, bandsPicture, MAX_BANDS } from '../../viewmodels/clocks/bands.ts';
import { isFlatOnOneScale, panelsPicture } from '../../viewmodels/clocks/panels.ts';
import { analysisWords } from '../../viewmodels/clocks/progress.ts';
import { possibleReferences, rebase } from '../../viewmodels/clocks/rebased.ts';
import {
  type ClockSort,
  clockStatements,
  clockTableRows,
  orderSentence,
  qualityCounts,
  sortClocks,
  titleOf,
} from '../../viewmodels/clocks/table.ts';
import { axisTicks } from '../../viewmodels/timeline/axis.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { ReadFailure } from '../shell/read-failure.tsx';
import { usePalette } from '../timeline/use-palette.ts';
import { AnchorColumn } from './anchor-column.tsx';
import { ClockTable } from './clock-table.tsx';
import { OwnScales } from './own-scales.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import { Statements } from './statements.tsx';

interface ClocksViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: ClocksTarget;
}

/** Which clocks wrote the stamps, how far they are apart over time, and which evidence says so. */
export function ClocksView({ caseId, report, target }: ClocksViewProps) {
  const clocks = useClocks(caseId);
  if (clocks.state === 'loading') return <Skeleton words="Reading what is known of the clocks" />;
  if (clocks.state === 'failed')
    return <ReadFailure title="The clocks cannot be read" error={clocks.error} method="clocks.view" />;
  if (report.clock.domains.length === 0)
    return (
      <Empty
        title="No clock"
        text="No file of this bundle carries a time. Logs with --timestamps, recorder dumps, Leases or Pod objects would."
      />
    );
  return (
    <>
      {clocks.refreshing && <Refreshing />}
      <Clocks caseId={caseId} report={report} target={target} {...clocks.value} />
    </>
  );
}

interface ClocksProps extends ClocksViewProps {
  readonly view: StoredClocks | null;
  readonly settings: readonly ClockSetting[];
}

function Clocks({ caseId, report: told, target, view: stored, settings }: ClocksProps) {
  const { report, view, own } = useMemo(() => rebase(told, stored, target.reference), [told, stored, target.reference]);
  const rows = useMemo(() => clockTableRows(report, settings), [report, settings]);
  const chosen = rows.some(({ id }) => id === target.clock) ? target.clock : firstChoice(report, view);
  const [wanted, setDrawing] = useState<Drawing | null>(null);
  const drawing = wanted ?? (isFlatOnOneScale(report) ? 'own' : 'uncertain');
  const [sort, setSort] = useState<{ readonly by: ClockSort; readonly descending: boolean }>(AS_TROUBLE);
  const sorted = useMemo(() => sortClocks(rows, sort.by, sort.descending), [rows, sort]);
  const [point, setPoint] = useState<string | null>(null);
  const [setting, setSetting] = useState<string | null>(null);
  const column = useRef<HTMLElement>(null);
  const { replace } = useNavigation();
  const choose = useCallback(
    (clock: string) => {
      setPoint(null);
      replace({ screen: 'clocks', caseId, target: { ...target, clock } });
      useSelection.getState().select({ kind: 'clock', clock });
    },
    [caseId, replace, target],
  );
  const compareWith = (reference: string) => {
    setPoint(null);
    const more = reference === told.clock.reference ? {} : { reference };
    replace({ screen: 'clocks', caseId, target: { clock: chosen, ...more } });
  };
  const band = view?.bands.find(({ clock }) => clock === chosen) ?? null;
  const anchors = useMemo(() => (band === null ? [] : anchorRows(report, band, own)), [report, band, own]);
  const statements = useMemo(() => clockStatements(report, chosen, own), [report, chosen, own]);
  return (
    <div className="clocks" data-column={chosen !== null}>
      <div className="clocks-main">
        <Bar
          caseId={caseId}
          report={report}
          told={told}
          view={view}
          drawing={drawing}
          onDrawing={setDrawing}
          onReference={compareWith}
        />
        <div className="clocks-scroll">
          {view === null ? (
            <Unrelated report={report} />
          ) : (
            <Bands
              report={report}
              view={view}
              isOwn={own === null}
              chosen={chosen}
              drawing={drawing}
              point={point}
              onPoint={setPoint}
              onClock={choose}
            />
          )}
          <ClockTable
            rows={sorted}
            sort={sort}
            onSort={setSort}
            chosen={chosen}
            onChoose={choose}
            onOpen={() => column.current?.querySelector<HTMLElement>('button')?.focus()}
            onSet={setSetting}
          />
          <Statements statements={statements} />
        </div>
        <Legend view={view} withPoints={own === null} />
      </div>
      {chosen !== null && (
        <AnchorColumn
          paneRef={column}
          caseId={caseId}
          title={titleOf(report, chosen)}
          row={rows.find(({ id }) => id === chosen)}
          anchors={anchors}
          point={point}
          onPoint={setPoint}
        />
      )}
      {setting !== null && (
        <SettingDialog
          caseId={caseId}
          report={told}
          clock={setting}
          settings={settings}
          onClose={() => setSetting(null)}
        />
      )}
    </div>
  );
}

/** How the clocks are drawn. */
type Drawing = BandChoice | 'own';
const AS_TROUBLE = { by: 'trouble', descending: false } as const;

/** The clock of the first fault, else the least certain of those that are related. */
function firstChoice(report: Report, view: StoredClocks | null): string | null {
  const { reference, domains } = report.clock;
  const first = view?.firstFault?.clock;
  if (first !== undefined && first !== reference) return first;
  const width = (id: string): number => {
    const offset = domains.find((one) => one.id === id)?.offsetMs;
    return offset?.low == null || offset.high === null ? -1 : offset.high - offset.low;
  };
  const related = (view?.bands ?? []).filter(({ clock }) => clock !== reference);
  const node = (id: string): number => (domains.find((one) => one.id === id)?.kind === 'node' ? 1 : 0);
  return (
    [...related].sort((a, b) => node(b.clock) - node(a.clock) || width(b.clock) - width(a.clock))[0]?.clock ??
    domains[0]?.id ??
    null
  );
}

interface BarProps {
  readonly caseId: CaseId;
  readonly report: Report;
  /** As the case has it. */
  readonly told: Report;
  readonly view: StoredClocks | null;
  readonly drawing: Drawing;
  readonly onDrawing: (drawing: Drawing) => void;
  readonly onReference: (clock: string) => void;
}

function Bar({ caseId, report, told, view, drawing, onDrawing, onReference }: BarProps) {
  const { reference } = report.clock;
  const possible = useMemo(() => possibleReferences(told), [told]);
  const progress = useClocksProgress(caseId);
  return (
    <div className="clocks-bar" data-pane="filters">
      {reference !== null && possible.length > 1 && (
        <Choice
          label="compared with"
          value={reference}
          options={possible.map((id) => ({
            value: id,
            label: `${titleOf(told, id)}${id === told.clock.reference ? ' (reference)' : ''}`,
          }))}
          onChoose={onReference}
        />
      )}
      {view !== null && view.bands.length > 2 && (
        <Segmented
          label="Bands"
          value={drawing}
          options={[
            { value: 'own', label: 'own scales' },
            {
              value: 'uncertain',
              label: view.bands.length > MAX_BANDS ? `least certain ${MAX_BANDS}` : 'one scale',
            },
            { value: 'chosen', label: 'chosen only' },
          ]}
          onChoose={onDrawing}
        />
      )}
      <span className="clocks-order">
        {progress !== null && `${analysisWords(progress).words}. `}
        {qualityCounts(report)}
        {'. '}
        <b>{orderSentence(report, view)}</b>
      </span>
    </div>
  );
}

function Unrelated({ report }: { readonly report: Report }) {
  const count = report.clock.domains.length;
  return count === 1 ? (
    <Empty
      title="One clock"
      text="There is no second one to compare it with. All times are shown as they were written."
    />
  ) : (
    <Empty
      title={`${formatCount(count)} clocks, none related to another`}
      text="Nothing in this bundle ties two of them together: times of different clocks are not compared. Recorder dumps of ranks on both, Leases or Pod objects (kubectl get -o yaml --show-managed-fields) would."
    />
  );
}

interface BandsProps {
  readonly report: Report;
  readonly view: StoredClocks;
  /** Against the case's own reference. */
  readonly isOwn: boolean;
  readonly chosen: string | null;
  readonly drawing: Drawing;
  readonly point: string | null;
  readonly onPoint: (key: string) => void;
  readonly onClock: (clock: string) => void;
}

const TICK_PX = 92;

function Bands({ drawing, ...props }: BandsProps) {
  const { report, view, isOwn, chosen, point, onPoint, onClock } = props;
  const panels = useMemo(
    () => (drawing === 'own' ? panelsPicture(view, report, { chosen, withPoints: isOwn }) : null),
    [view, report, chosen, drawing, isOwn],
  );
  const ticksFor = useCallback(
    (width: number, span: TimeSpan = { from: view.momentsNs[0] ?? 0, to: view.momentsNs.at(-1) ?? 1 }) =>
      axisTicks(span, BigInt(view.originNs), width, TICK_PX).filter((tick) => tick.major),
    [view],
  );
  const fault = useMemo(
    () =>
      view.firstFault && {
        atNs: view.firstFault.atNs,
        label: `first fault, ${titleOf(report, view.firstFault.clock)}`,
      },
    [view, report],
  );
  if (panels !== null) return <OwnScales picture={panels} {...{ ticksFor, fault, point, onPoint, onClock }} />;
  return <OneScale {...props} choice={drawing === 'own' ? 'uncertain' : drawing} {...{ ticksFor, fault }} />;
}

interface OneScaleProps extends Omit<BandsProps, 'drawing'> {
  readonly choice: BandChoice;
  readonly ticksFor: (widthPx: number) => readonly { readonly at: number; readonly label: string }[];
  readonly fault: { readonly atNs: number; readonly label: string } | null;
}

function OneScale({ report, view, isOwn, chosen, choice, ...rest }: OneScaleProps) {
  const host = useRef<HTMLDivElement>(null);
  const palette = usePalette(host);
  const height = useHeight(host);
  const picture = useMemo(
    () => bandsPicture(view, report, { chosen, choice, withPoints: isOwn }),
    [view, report, chosen, choice, isOwn],
  );
  return (
    <div className="clocks-bands" ref={host} data-pane="bands">
      {palette !== null && height > 0 && (
        <ClockBands {...rest} {...{ picture, palette, height }} onHover={setCursor} listenCursor={onCursor} />
      )}
      {picture.hidden > 0 && (
        <p className="clocks-hidden">{`${formatCount(picture.hidden)} more related clocks are in the table only.`}</p>
      )}
    </div>
  );
}

/** px of the place for the drawing, which follows the window. */
function useHeight(host: { readonly current: HTMLDivElement | null }): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, [host]);
  return height;
}

/** Only what is on screen. */
function Legend({ view, withPoints }: { readonly view: StoredClocks | null; readonly withPoints: boolean }) {
  if (view === null) return null;
  const rejected = view.bands.some((band) => band.rejected.length > 0);
  return (
    <div className="clocks-legend" aria-hidden="true">
      <span className="legend-guaranteed">guaranteed</span>
      <span className="legend-likely">likely, estimate</span>
      {withPoints && <span className="legend-mark">▼ upper anchor</span>}
      {withPoints && <span className="legend-mark">▲ lower anchor</span>}
      {withPoints && rejected && <span className="legend-mark">○ rejected</span>}
      {view.steps.length > 0 && <span className="legend-mark">gap: the clock was set</span>}
    </div>
  );
}
