/** Blocks of a report as elements. Every text is a text node, with what is hidden in it made visible. */
import { Fragment } from 'react';
import type { Block, ListItem } from '#shared/report/sections/types.ts';
import { breakPieces } from '#shared/report/sections/words.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { StatusGlyph } from '../../components/glyphs.tsx';
import { escapePieces } from '../../viewmodels/escape-text.ts';
import { paperPieces } from '../../viewmodels/report/words.ts';
import { FigureDrawing } from './figure-drawing.tsx';

interface TextProps {
  readonly text: string;
  readonly redacted: boolean;
}

export function PaperText({ text, redacted }: TextProps) {
  return paperPieces(text, redacted).map((piece, i) =>
    piece.standIn ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one immutable text, in their order
      <span key={i} className="stand-in">
        {piece.text}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <EscapedText key={i} pieces={escapePieces(piece.text)} />
    ),
  );
}

export function Blocks({ blocks, redacted }: { readonly blocks: readonly Block[]; readonly redacted: boolean }) {
  return blocks.map((block, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one immutable document, in their order
    <OneBlock key={i} block={block} redacted={redacted} />
  ));
}

function OneBlock({ block, redacted }: { readonly block: Block; readonly redacted: boolean }) {
  switch (block.kind) {
    case 'statement':
      return <Statement block={block} redacted={redacted} />;
    case 'facts':
      return (
        <dl>
          {block.rows.map(([label, value]) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>
                <PaperText text={value} redacted={redacted} />
              </dd>
            </Fragment>
          ))}
        </dl>
      );
    case 'heading':
      return (
        <h3>
          <PaperText text={block.text} redacted={redacted} />
        </h3>
      );
    case 'text':
      return (
        <p>
          <Lines text={block.text} redacted={redacted} />
        </p>
      );
    case 'list':
      return <List block={block} redacted={redacted} />;
    case 'table':
      return <Table block={block} redacted={redacted} />;
    case 'code':
      return (
        <>
          {block.title !== '' && <h3>{block.title}</h3>}
          <pre>
            <Lines text={block.text} redacted={redacted} />
          </pre>
        </>
      );
    case 'figure':
      return <FigureDrawing figure={block.figure} redacted={redacted} />;
  }
}

function Statement({
  block,
  redacted,
}: {
  readonly block: Extract<Block, { kind: 'statement' }>;
  readonly redacted: boolean;
}) {
  return (
    <>
      <p className="paper-status">
        <StatusGlyph status={block.outcome === 'no-failure' ? 'no-failure' : block.status} />
        <b>{STATUS_WORD[block.status]}</b> <small>{block.meaning}</small>
      </p>
      <p className="paper-statement">
        {block.ranks !== '' && <span className="paper-chip">{block.ranks}</span>}
        <PaperText text={block.text} redacted={redacted} />
      </p>
    </>
  );
}

function Lines({ text, redacted }: TextProps) {
  return text.split('\n').map((line, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of one immutable text, in their order
    <Fragment key={i}>
      {i > 0 && <br />}
      <PaperText text={line} redacted={redacted} />
    </Fragment>
  ));
}

function List({ block, redacted }: { readonly block: Extract<Block, { kind: 'list' }>; readonly redacted: boolean }) {
  const items = block.items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of one immutable list, in their order
    <li key={i}>
      <Item item={item} redacted={redacted} />
    </li>
  ));
  return block.ordered ? <ol start={block.start ?? 1}>{items}</ol> : <ul>{items}</ul>;
}

/** Where it stands and when has a line of its own under the statement, so that places can be read down the page. */
function Item({ item, redacted }: { readonly item: ListItem; readonly redacted: boolean }) {
  return (
    <>
      <PaperText text={item.text} redacted={redacted} />
      {(item.time !== null || item.place !== null) && (
        <span className="paper-source">
          {item.place !== null && (
            <code>
              <PaperText text={item.place} redacted={redacted} />
            </code>
          )}{' '}
          {item.time !== null && <small>{item.time}</small>}
        </span>
      )}
    </>
  );
}

/** Long words may be broken where a reader would break them; copied text stays whole. */
function Cell({ text, redacted }: TextProps) {
  return breakPieces(text).map((piece, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one immutable text, in their order
    <Fragment key={i}>
      {i > 0 && <wbr />}
      <PaperText text={piece} redacted={redacted} />
    </Fragment>
  ));
}

function Table({ block, redacted }: { readonly block: Extract<Block, { kind: 'table' }>; readonly redacted: boolean }) {
  return (
    <table>
      <thead>
        <tr>
          {block.head.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
            <th key={i} scope="col">
              <PaperText text={name} redacted={redacted} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one immutable table, in their order
          <tr key={i}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
              <td key={column} data-mono={block.mono.includes(column)}>
                <Cell text={cell} redacted={redacted} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
