import './divergence.css';
import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { useNavigation } from '../../stores/navigation.ts';
import { divergenceModel } from '../../viewmodels/divergence.ts';

/** The call on which the ranks part: who does what, and where their stacks differ. */
export function Divergence({ caseId, report }: { readonly caseId: CaseId; readonly report: Report }) {
  const model = useMemo(() => divergenceModel(report), [report]);
  if (model === null) return null;
  const firstRanks = new Set(report.verdict.firstRanks);
  const named =
    firstRanks.size > 0 && (report.collectives.firstDivergence?.ranks ?? []).every((rank) => firstRanks.has(rank));
  return (
    <section className="overview-section" aria-label="First call that parts the ranks">
      <div className="section-head">
        <h2>First call that parts the ranks</h2>
        <span className="quiet">
          {model.call}, {model.kind}, {model.basis}
        </span>
        <Button kind="link" className="divergence-open" onClick={() => openInCollectives(caseId, report)}>
          Open in Collectives
        </Button>
      </div>
      {model.sides.map((side) => (
        <div key={side.key} className="divergence-side">
          <span>
            <RankChip look={side.deviates ? (named ? 'first-outlined' : 'victim') : 'bystander'} label={side.ranks} />
          </span>
          <span className="mono">{side.does}</span>
        </div>
      ))}
      {model.why !== '' && <p className="divergence-note">{model.why}</p>}
      {model.stacks.length > 0 && (
        <div className="divergence-stacks">
          {model.stacks.map((stack) => (
            <div key={stack.key}>
              <div className="divergence-stack-head">
                stack of {stack.ranks}
                {stack.folded > 0 && `, after ${plural(stack.folded, 'equal frame')}`}
              </div>
              {stack.frames.map((frame, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: frames of one immutable stack, in their order
                <div key={index} className="divergence-frame mono-11" data-differs={frame.differs} title={frame.whole}>
                  {frame.text}
                </div>
              ))}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

function openInCollectives(caseId: CaseId, report: Report): void {
  const found = report.collectives.firstDivergence;
  if (found === null) return;
  // The number of a transfer counts another thing than the calls of its group.
  const seq = /^(?:send|recv) /.test(found.expected) ? null : found.seq;
  useNavigation.getState().go({ screen: 'collectives', caseId, target: { group: found.group, seq } });
}
