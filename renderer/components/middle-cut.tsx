import './middle-cut.css';

/** A name whose end tells it from its neighbours: where there is no room, its middle gives way. The whole is in the tooltip. */
export function MiddleCut({
  text,
  tail = 11,
  className,
}: {
  readonly text: string;
  readonly tail?: number;
  readonly className?: string;
}) {
  const at = text.length > tail + 4 ? text.length - tail : text.length;
  return (
    <span className={className ? `middle-cut ${className}` : 'middle-cut'} title={text}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}
