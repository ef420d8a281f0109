/** What redaction knows: kinds of originals, and the stand-in of each. */
export const REDACTION_KINDS = [
  'host',
  'pod',
  'namespace',
  'user',
  'ip',
  'mac',
  'path',
  'email',
  'secret',
  'url',
  'bucket',
  'image',
  'device',
  'uuid',
  'object',
  'bundle',
  'word',
] as const;
export type RedactionKind = (typeof REDACTION_KINDS)[number];

/** A text that is to be replaced wherever it stands. */
export interface NamedOriginal {
  readonly kind: RedactionKind;
  readonly text: string;
}

/** One row of the table that stays in the case. */
export interface StandIn extends NamedOriginal {
  readonly standIn: string;
}

/** What the preview tells of one kind. */
export interface RedactionGroup {
  readonly kind: RedactionKind;
  /** Places in which something of the kind was replaced. */
  readonly places: number;
  /** Different originals among them. */
  readonly originals: number;
  /** The one that was replaced most often, and its stand-in. */
  readonly sample: string;
  readonly standIn: string;
}

export type UnscannedWhy = 'not-text' | 'too-long' | 'too-many' | 'survived';

/** A text that could not be scanned; nothing may be exported with it. */
export interface Unscanned {
  /** Id of the section it stands in. */
  readonly section: string;
  /** Where in it: the name of a file or of a field. Never the text itself. */
  readonly where: string;
  readonly why: UnscannedWhy;
}
