import type { ChainModel, ChainRow } from '../../viewmodels/collectives/chain.ts';
import { CallGlyph } from './call-glyph.tsx';

interface ChainPanelProps {
  readonly model: ChainModel;
  readonly onOpen: (group: string, seq: number | null) => void;
}

/** Groups from the cause down; each row opens its group. */
export function ChainPanel({ model, onOpen }: ChainPanelProps) {
  return (
    <aside className="chain-panel" aria-label={model.head} data-pane="chain">
      <div className="chain-head">
        <h2>{model.head}</h2>
        <span className="quiet cut">{model.note}</span>
      </div>
      {model.chain.length === 0 && <p className="chain-why">Nobody waits for anybody, as far as is recorded.</p>}
      {model.chain.map((row) => (
        <Row key={row.key} row={row} onOpen={onOpen} />
      ))}
      {model.why.length > 0 && <div className="chain-group-head">All waiting leads to</div>}
      {model.why.map((one) => (
        <p key={one.key} className="chain-why selectable" title={one.whole}>
          <strong>{one.ranks}</strong>: {one.text}
        </p>
      ))}
      {model.agreeing.length > 0 && <div className="chain-group-head">Groups without a difference</div>}
      {model.agreeing.map((row) => (
        <Row key={row.key} row={row} onOpen={onOpen} />
      ))}
      {model.blind.length > 0 && <div className="chain-group-head">Recorders that hold nothing</div>}
      {model.blind.map((row) => (
        <Row key={row.key} row={row} onOpen={onOpen} />
      ))}
    </aside>
  );
}

const GLYPHS = {
  waiting: 'waiting',
  ring: 'waiting',
  differs: 'differs',
  completed: 'completed',
  missing: 'missing',
} as const;

function Row({ row, onOpen }: { readonly row: ChainRow; readonly onOpen: ChainPanelProps['onOpen'] }) {
  return (
    <button
      type="button"
      className="chain-row"
      data-joined={row.joined}
      data-weak={row.weak}
      data-glyph={row.glyph}
      onClick={() => onOpen(row.group, row.seq)}
    >
      {row.glyph === 'first' ? <span className="chain-first" /> : <CallGlyph glyph={GLYPHS[row.glyph]} />}
      <span className="chain-title cut">{row.title}</span>
      <span className="chain-count tabular cut">{row.count}</span>
      <span className="chain-sub">{row.sub}</span>
    </button>
  );
}
