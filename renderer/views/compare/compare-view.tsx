import './compare-view.css';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { StatusWord } from '../../components/glyphs.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { useCases } from '../../data/cases.ts';
import { copyText } from '../../data/clipboard.ts';
import { useQuery } from '../../data/query.ts';
import { useNavigation } from '../../stores/navigation.ts';
import type { CompareTarget } from '../../stores/targets/compare.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { calendarDay } from '../../viewmodels/times.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { goToCases } from '../shell/commands.ts';
import { CompareBoard } from './compare-board.tsx';

interface CompareViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: CompareTarget;
}

export function CompareView({ caseId, target }: CompareViewProps) {
  const { other } = target;
  const answer = useQuery('compare.cases', other === null ? null : { a: caseId, b: other });
  if (other === null) return <Choose caseId={caseId} target={target} />;
  if (answer.state === 'loading') return <Skeleton words="Comparing the two cases" />;
  if (answer.state === 'failed')
    return (
      <Failure
        title="The two cases cannot be compared"
        text={RPC_ERROR_WORDS[answer.error.code]}
        onCopy={() => copyText(`${answer.error.code}: ${answer.error.detail}`)}
      >
        <Button kind="outlined" onClick={() => put(caseId, { ...target, other: null })}>
          Choose another case
        </Button>
      </Failure>
    );
  return (
    <CompareBoard
      caseId={caseId}
      other={other}
      target={target}
      answer={answer.value}
      onChange={(part) => put(caseId, { ...target, ...part })}
    />
  );
}

function put(caseId: CaseId, target: CompareTarget): void {
  useNavigation.getState().replace({ screen: 'compare', caseId, target });
}

/** The second case, out of all that are on this machine. */
function Choose({ caseId, target }: { readonly caseId: CaseId; readonly target: CompareTarget }) {
  const cases = useCases();
  if (cases.state === 'loading') return <Skeleton words="Reading the list of cases" />;
  if (cases.state === 'failed')
    return (
      <Failure
        title="The list of cases cannot be read"
        text={RPC_ERROR_WORDS[cases.error.code]}
        onCopy={() => copyText(`${cases.error.code}: ${cases.error.detail}`)}
      />
    );
  const others = cases.value.cases.filter((one) => one.caseId !== caseId);
  if (others.length === 0)
    return (
      <Empty
        title="0 other cases"
        text="There is nothing to compare this case with. Open a second bundle; it becomes a case of its own."
      >
        <Button kind="outlined" onClick={goToCases}>
          Show all cases
        </Button>
      </Empty>
    );
  return (
    <section className="compare-choose" aria-label="Compare" data-pane="compare">
      <h2>
        Compare with{' '}
        <span className="quiet">{`${formatCount(others.length)} other ${others.length === 1 ? 'case' : 'cases'}`}</span>
      </h2>
      <ul>
        {others.map((one) => (
          <li key={one.caseId}>
            <button
              type="button"
              className="compare-case"
              onClick={() => put(caseId, { ...target, other: one.caseId })}
            >
              <span className="compare-case-name cut">{escapeText(one.name)}</span>
              <span className="quiet tabular">
                {one.incidentStart === null ? 'no time' : calendarDay(one.incidentStart)}
              </span>
              <span className="quiet tabular">
                {one.ranks === null ? 'ranks unknown' : `${formatCount(one.ranks)} ranks`}
              </span>
              <StatusWord status={one.outcome === 'no-failure' ? 'no-failure' : one.status} size={10} />
              <span className="cut">{escapeText(one.summary)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
