import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/states.tsx';
import { useWithout } from '../../data/log-places.ts';
import type { LogSearch } from '../../data/log-search.ts';
import { useSelection } from '../../stores/selection.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { withoutTerm } from '../../viewmodels/logs/query-edit.ts';
import { stateWords } from '../../viewmodels/logs/search-words.ts';

interface NoMatchesProps {
  readonly search: LogSearch;
  readonly onQuery: (query: string) => void;
}

/** Nothing matches: which term takes the last match away, and the button that drops it. */
export function NoMatches({ search, onQuery }: NoMatchesProps) {
  // Places are those of the query that was searched, which may not be the one in the field.
  const query = search.params?.query ?? '';
  const whole = search.state?.status === 'done';
  const without = useWithout(search, whole);
  const { setRange, setRanks } = useSelection();
  const helping = without?.terms.filter(({ helps }) => helps === true) ?? [];
  const words = !whole
    ? `${search.state === null ? '' : stateWords(search.state)}. There may be matches in the rest.`
    : without === null
      ? 'All text was searched. Looking for the term that takes the last match away.'
      : reason(helping.length, without.terms.length, without.filters === true);
  return (
    <Empty title={whole ? '0 matches' : '0 matches so far'} text={words}>
      {helping.map((term) => (
        <Button key={term.at} kind="outlined" onClick={() => onQuery(withoutTerm(query, term))}>
          {`Drop ${escapeText(query.slice(term.at, term.at + term.length))}`}
        </Button>
      ))}
      {without?.filters === true && (
        <Button
          kind="outlined"
          onClick={() => {
            setRange(null);
            setRanks([]);
          }}
        >
          Search the whole case
        </Button>
      )}
    </Empty>
  );
}

function reason(helping: number, terms: number, filters: boolean): string {
  if (filters) return 'The range or the ranks of the context bar leave nothing over.';
  if (helping === 0 && terms > 1)
    return 'All text was searched. No single term is the reason: two or more would have to go.';
  if (helping === 0) return 'All text was searched.';
  return helping === 1
    ? 'All text was searched. One term takes the last match away.'
    : 'All text was searched. Dropping one of these terms brings matches.';
}
