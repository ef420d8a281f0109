import './help-view.css';
import { X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../components/button.tsx';
import { SearchField } from '../../components/fields.tsx';
import { BareDialog } from '../../components/layers.tsx';
import { usePanels } from '../../stores/panels.ts';
import { type HelpBlock, type HelpPiece, helpBlocks, searchHelp } from '../../viewmodels/help-text.ts';
import { HELP_PAGES, helpPage } from './pages.ts';

/** The offline help: pages at the left, found by words; the page at the right. Text nodes only. */
export function HelpView({ page }: { readonly page: string | null }) {
  const close = usePanels((state) => state.close);
  const [query, setQuery] = useState('');
  const [id, setId] = useState(helpPage(page)?.id ?? HELP_PAGES[0]?.id ?? '');
  const found = useMemo(() => searchHelp(HELP_PAGES, query), [query]);
  const shown = helpPage(id);
  const article = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts at its top
  useEffect(() => {
    if (article.current) article.current.scrollTop = 0;
  }, [id]);
  return (
    <BareDialog title="Help" className="help" onClose={close}>
      <nav className="help-list" aria-label="Pages">
        <SearchField
          label="Search the help"
          value={query}
          onChange={(text) => {
            setQuery(text);
            const first = searchHelp(HELP_PAGES, text)[0];
            if (text !== '' && first) setId(first.id);
          }}
        />
        <div className="help-pages">
          {found.map((item) => (
            <button
              key={item.id}
              type="button"
              className="help-item cut"
              aria-current={item.id === id ? 'page' : undefined}
              onClick={() => setId(item.id)}
            >
              {item.title}
            </button>
          ))}
          {found.length === 0 && <p className="quiet">{`No page holds “${query}”.`}</p>}
        </div>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long page is scrolled with the keys */}
      <article ref={article} className="help-page selectable" tabIndex={0} aria-label={shown?.title ?? 'Help'}>
        {shown && <h2 className="help-title">{shown.title}</h2>}
        {shown &&
          helpBlocks(shown.text).map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one immutable page, in their order
            <Block key={`${id} ${index}`} block={block} onPage={setId} />
          ))}
      </article>
      <IconButton label="Close the help" className="help-close" onClick={close}>
        <X className="icon-16" strokeWidth={1.75} />
      </IconButton>
    </BareDialog>
  );
}

interface BlockProps {
  readonly block: HelpBlock;
  readonly onPage: (id: string) => void;
}

function Block({ block, onPage }: BlockProps) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3 data-level={block.level}>
          <Pieces pieces={block.pieces} onPage={onPage} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <Pieces pieces={block.pieces} onPage={onPage} />
        </p>
      );
    case 'code':
      return <pre className="help-code mono">{block.text}</pre>;
    case 'list': {
      const items = block.items.map((pieces, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one immutable list, in their order
        <li key={index}>
          <Pieces pieces={pieces} onPage={onPage} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

interface PiecesProps {
  readonly pieces: readonly HelpPiece[];
  readonly onPage: (id: string) => void;
}

function Pieces({ pieces, onPage }: PiecesProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one immutable text, in their order
  return pieces.map((piece, index) => <Piece key={index} piece={piece} onPage={onPage} />);
}

function Piece({ piece, onPage }: { readonly piece: HelpPiece; readonly onPage: (id: string) => void }) {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'bold':
      return <strong>{piece.text}</strong>;
    case 'code':
      return <code className="mono">{piece.text}</code>;
    case 'page': {
      const page = helpPage(piece.page);
      if (!page) return piece.page;
      return (
        <button type="button" className="help-link" onClick={() => onPage(page.id)}>
          {page.title}
        </button>
      );
    }
  }
}
