import { RankChip } from '../../components/rank-chip.tsx';
import type { StepModel, StepsModel } from '../../viewmodels/collectives/steps.ts';
import { OrderGlyph } from './call-glyph.tsx';

interface StepsStripProps {
  readonly model: StepsModel;
  readonly onOpen: (step: StepModel) => void;
}

/** Who, what, where, when: each step with how sure its order is. */
export function StepsStrip({ model, onOpen }: StepsStripProps) {
  if (model.steps.length === 0) return null;
  return (
    <section className="steps" aria-label="From the first call to the end of the job" data-pane="steps">
      <div className="steps-head">
        <h2>From the first call to the end of the job</h2>
        <span className="quiet cut">{model.note}</span>
      </div>
      <div className="steps-list">
        {model.steps.map((step) => (
          <button
            key={step.key}
            type="button"
            className="step"
            onClick={() => onOpen(step)}
            title="Open at this moment"
          >
            <span className="step-title cut">
              {step.first ? <RankChip look="first" label={step.title} /> : step.title}
            </span>
            <span className="step-what cut" title={step.what}>
              {step.what}
            </span>
            <span className="step-where cut" title={step.where}>
              {step.where}
            </span>
            <Time step={step} />
            <span className="step-order cut">{step.orderWord}</span>
            {step.share !== undefined && (
              <span className="step-share" aria-hidden="true">
                <span style={{ width: `${Math.max(0.5, step.share * 100)}%` }} />
              </span>
            )}
          </button>
        ))}
      </div>
    </section>
  );
}

function Time({ step }: { readonly step: StepModel }) {
  const order = step.order === 'first' || step.order === 'earlier' ? undefined : step.order;
  return (
    <span className="step-time mono-11">
      {order !== undefined && step.time !== '' && <OrderGlyph order={order} />}
      {step.time !== '' && <span>{step.time}</span>}
      <span className="quiet cut">{step.quality}</span>
    </span>
  );
}
