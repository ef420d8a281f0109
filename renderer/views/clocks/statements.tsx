import type { ClockStatement } from '../../viewmodels/clocks/table.ts';

/** What there is to say about the chosen clock and about all of them. */
export function Statements({ statements }: { readonly statements: readonly ClockStatement[] }) {
  return (
    <section className="clocks-statements" aria-label="What was found about the clocks" data-pane="statements">
      {statements.map(({ key, lead, text, tone, cycle }) => (
        <div key={key} className="clocks-statement selectable" data-tone={tone}>
          <p>
            <b>{lead}</b> {text}
          </p>
          {cycle.length > 0 && (
            <ul>
              {cycle.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  );
}
