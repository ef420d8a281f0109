import { usePanels } from '../../stores/panels.ts';
import { rulePage } from './pages.ts';

/** The name of a rule; it leads to what the rule says, how sure it is and when it can be wrong. */
export function RuleLink({ rule }: { readonly rule: string }) {
  const page = rulePage(rule);
  if (!page) return <>{`rule ${rule}`}</>;
  return (
    <button
      type="button"
      className="rule-link"
      title={page.title}
      onClick={() => usePanels.getState().open({ kind: 'help', page: page.id })}
    >
      {`rule ${rule}`}
    </button>
  );
}
