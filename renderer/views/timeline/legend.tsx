import type { LegendEntry, LegendKey } from '../../viewmodels/timeline/legend.ts';

/** One row at the foot: what the forms on screen mean. */
export function Legend({
  groups,
  scale,
}: {
  readonly groups: readonly (readonly LegendEntry[])[];
  readonly scale: string;
}) {
  return (
    <div className="timeline-legend" role="note" aria-label="Legend">
      {groups.map((group) => (
        <div className="timeline-legend-group" key={group.map((entry) => entry.key).join()}>
          {group.map((entry) => (
            <span className="timeline-legend-entry" key={entry.key}>
              <Sample kind={entry.key} />
              {entry.word}
            </span>
          ))}
        </div>
      ))}
      {scale !== '' && <span className="timeline-legend-scale">{scale}</span>}
    </div>
  );
}

function Sample({ kind }: { readonly kind: LegendKey }) {
  return (
    <svg className="legend-sample" data-kind={kind} viewBox="0 0 20 12" aria-hidden="true">
      {SHAPES[kind] ?? <rect x="0" y="0" width="20" height="12" rx="2" />}
    </svg>
  );
}

const diamond = 'M10 1l5 5-5 5-5-5z';

const SHAPES: Readonly<Partial<Record<LegendKey, React.ReactNode>>> = {
  waiting: (
    <>
      <rect className="tint" width="20" height="12" />
      <path className="hatch" d="M2 12 14 0M-4 12 8 0M8 12 20 0M14 12 26 0" />
      <path className="edge" d="M0 .5h20M0 11.5h20" />
    </>
  ),
  enqueued: <rect className="outline" x=".5" y=".5" width="19" height="11" />,
  differs: <rect className="outline" x=".5" y=".5" width="19" height="11" />,
  failed: <rect className="outline" x=".5" y=".5" width="19" height="11" />,
  'never-enqueued': <rect className="outline" x=".5" y=".5" width="19" height="11" strokeDasharray="3 2" />,
  'open-end': (
    <>
      <rect width="3" height="12" />
      <path className="edge" d="M0 .5h18M0 11.5h18" />
    </>
  ),
  share: (
    <>
      <rect width="5" height="12" opacity=".25" />
      <rect x="5" width="5" height="12" opacity=".4" />
      <rect x="10" width="5" height="12" opacity=".6" />
      <rect x="15" width="5" height="12" opacity=".95" />
    </>
  ),
  certain: <path d={diamond} />,
  likely: (
    <>
      <path className="outline" d={diamond} />
      <path d="M10 1v10L5 6z" />
    </>
  ),
  undecided: <path className="outline" d={diamond} strokeDasharray="2 1.6" />,
  whisker: (
    <>
      <path className="outline" d="M1 6h18M1 2v8M19 2v8" />
      <rect x="6" y="4" width="8" height="4" />
    </>
  ),
  'no-file': <path className="hatch" d="M0 12 12 0M6 12 18 0M-6 12 6 0M12 12 24 0" />,
  'no-records': (
    <path className="hatch" d="M2 2h1m4 0h1m4 0h1m4 0h1M2 6h1m4 0h1m4 0h1m4 0h1M2 10h1m4 0h1m4 0h1m4 0h1" />
  ),
  overwritten: <path className="hatch" d="M0 12 12 0M8 12 20 0M0 0l12 12M8 0l12 12" />,
  'own-log': <path className="edge" d="M0 9.5h20" />,
  event: <circle className="outline" cx="10" cy="6" r="3.4" />,
  warning: <path d="M10 2l4.5 8h-9z" />,
  error: <path className="outline" d="M7 3l6 6m0-6-6 6" />,
};
