import './escaped-text.css';

interface Piece {
  readonly text: string;
  readonly escape: boolean;
}

/** Text of a bundle as text nodes; what was hidden in it stands out as an escape. */
export function EscapedText({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, index) =>
    piece.escape ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one immutable text, in their order
      <span key={index} className="escape">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}
