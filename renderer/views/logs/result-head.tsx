import './result-head.css';
import { useCallback, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ListChoice, LogCase } from '#shared/rpc/areas/logs.ts';
import { formatCount, nameRanks } from '#shared/text/format.ts';
import { DensityStrip } from '../../charts/density-strip.tsx';
import { Button } from '../../components/button.tsx';
import { useDensity } from '../../data/log-places.ts';
import type { LogSearch } from '../../data/log-search.ts';
import { useOrigin } from '../../data/origin.ts';
import { useSelection } from '../../stores/selection.ts';
import { densityScene, totalAt } from '../../viewmodels/logs/density-view.ts';
import { rowTime } from '../../viewmodels/logs/line-rows.ts';
import { searchWords } from '../../viewmodels/logs/search-words.ts';
import { isoToNs } from '../../viewmodels/times.ts';

interface ResultHeadProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly logCase: LogCase;
  readonly search: LogSearch;
  readonly list: ListChoice;
  readonly themeKey: string;
  readonly onFold: (on: boolean) => void;
  readonly onTime: (timeNs: number) => void;
}

/** px of a bar. */
const BAR_PX = 4;

/** Counts, and the strip of lines by time. */
export function ResultHead({ caseId, report, logCase, search, list, themeKey, onFold, onTime }: ResultHeadProps) {
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState<number | null>(null);
  const { setRange } = useSelection();
  const origin = useOrigin(caseId);
  const span = useMemo(() => shownSpan(logCase, search), [logCase, search]);
  const buckets = Math.max(0, Math.floor(width / BAR_PX));
  const density = useDensity(search, list.basis, span, buckets);
  const scene = useMemo(
    () =>
      density === null || span === null ? null : densityScene(density, { originNs: logCase.originNs, ...span }, width),
    [density, span, logCase, width],
  );
  const fault = useMemo(() => faultIn(report, logCase, span, list.basis), [report, logCase, span, list.basis]);
  const words = searchWords(logCase, search.state, list.basis);
  const momentAt = (share: number): number => (span === null ? 0 : span.fromNs + share * (span.toNs - span.fromNs));
  const onWidth = useCallback((px: number) => setWidth(px), []);
  const bucket = hover === null ? -1 : Math.min(buckets - 1, Math.floor(hover * buckets));
  return (
    <div className="logs-head">
      <div className="logs-counts" role="status">
        <strong>{words.count}</strong>
        <span>{words.files}</span>
        <span>{words.order}</span>
        <FoldChoice search={search} list={list} onFold={onFold} />
        <span className="logs-counts-end">
          {words.state}
          {search.state?.status === 'searching' && (
            <Button kind="link" onClick={search.stop}>
              Stop
            </Button>
          )}
        </span>
      </div>
      <div className="logs-peak" aria-hidden="true">
        {scene !== null && bucket >= 0 && hover !== null
          ? `${rowTime(logCase.originNs, momentAt(hover))}  ${formatCount(totalAt(scene, bucket))} lines: ${formatCount(scene.errors[bucket] ?? 0)} errors, ${formatCount(scene.warnings[bucket] ?? 0)} warnings`
          : (scene?.peakWords ?? '')}
      </div>
      <DensityStrip
        scene={scene}
        fault={fault}
        themeKey={themeKey}
        label={scene?.words ?? 'Lines by time'}
        onWidth={onWidth}
        onHover={setHover}
        onPick={(share) => onTime(momentAt(share))}
        onRange={(from, to) => {
          if (origin === null) return;
          const shift = Number(origin - BigInt(logCase.originNs));
          setRange({ from: momentAt(from) - shift, to: momentAt(to) - shift });
        }}
      />
    </div>
  );
}

function FoldChoice({ search, list, onFold }: Pick<ResultHeadProps, 'search' | 'list' | 'onFold'>) {
  const why = search.state?.notFolded ?? null;
  if (why === 'too-many') return <span>not folded: more than 250 000 lines</span>;
  return (
    <Button kind="link" aria-pressed={list.fold} onClick={() => onFold(!list.fold)}>
      {list.fold ? 'Unfold similar lines' : 'Fold similar lines'}
    </Button>
  );
}

/** The range of the context bar, else the whole case with a hair of room at both ends. */
function shownSpan(logCase: LogCase, search: LogSearch): { readonly fromNs: number; readonly toNs: number } | null {
  const range = search.params?.range ?? null;
  if (range !== null) return range;
  if (logCase.span === null) return null;
  const { fromNs, toNs } = logCase.span;
  const offsets = logCase.files.map(({ offset }) =>
    search.params?.basis === 'raw' ? 0 : (offset?.estimate ?? 0) * 1e6,
  );
  const room = Math.max(1e6, (toNs - fromNs) / 200);
  return { fromNs: fromNs - Math.max(0, ...offsets) - room, toNs: toNs - Math.min(0, ...offsets) + room };
}

function faultIn(
  report: Report,
  logCase: LogCase,
  span: { readonly fromNs: number; readonly toNs: number } | null,
  basis: ListChoice['basis'],
): { readonly share: number; readonly label: string } | null {
  const { at, firstRanks } = report.verdict;
  const epoch = at === null ? null : isoToNs(at.time);
  if (epoch === null || span === null || basis === 'raw') return null;
  const share = (Number(epoch - BigInt(logCase.originNs)) - span.fromNs) / (span.toNs - span.fromNs);
  if (share < 0 || share > 1) return null;
  const who =
    firstRanks.length === 0 ? '' : `, ${firstRanks.length > 4 ? `${firstRanks.length} ranks` : nameRanks(firstRanks)}`;
  return { share, label: `first fault${who}` };
}
