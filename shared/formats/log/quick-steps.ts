/**
 * Lines of steps that need no reading: of one form with a line that was read, digits apart.
 *
 *   | 17 | train.py:176 | step 4083 loss 2.2840        read: progress, step 4083
 *   | 17 | train.py:176 | step 4084 loss 2.2837        the same form: progress, step 4084
 *
 * Two texts are of one form if they have digits at the same places and are equal elsewhere. The shape `progress` and the layers in front of
 * it treat one digit like any other (literals with digits in them are looked for when a form is learned), so that they say the same of
 * both, but for the numbers. Only forms are learned whose line said nothing but its step, of a printer that its mark or the file names.
 */
import type { Draft } from './event-draft.ts';
import { MATCHER_LITERALS, MATCHER_OF_PROGRESS } from './progress-candidates.ts';

export interface StepForm {
  /** The text that was read, in bytes. */
  readonly text: Uint8Array;
  /** Rank of the mark and of the column in front; -1 without. */
  readonly rank: number;
  readonly torchMark: boolean;
  readonly column: number;
  /** Of the gate. */
  readonly printer: string;
  /** Where in the text its digits stand, and how many; 0 = the line names none. */
  readonly stepAt: number;
  readonly stepDigits: number;
  readonly epochAt: number;
  readonly epochDigits: number;
}

/** Forms differ in the lengths of their numbers: a few dozen are usual, a thousand where a line has seven. */
const MAX_FORMS = 1_024;
/** Longer lines are read. */
const MAX_TEXT = 600;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** What the layers of a line say that a form depends on. */
export type FormPlace = Pick<StepForm, 'rank' | 'torchMark' | 'column'>;

export class StepForms {
  private readonly byHash = new Map<number, StepForm[]>();
  private count = 0;

  /** The form of the text [from, end), if it is known. */
  of(bytes: Uint8Array, from: number, end: number, place: FormPlace): StepForm | undefined {
    if (this.count === 0 || end - from > MAX_TEXT) return undefined;
    return this.byHash
      .get(hashOf(bytes, from, end))
      ?.find((form) => isOfPlace(form, place) && isOfForm(form.text, bytes, from, end));
  }

  /** Learns from a line that said `draft` and nothing else. */
  learn(bytes: Uint8Array, from: number, end: number, place: FormPlace, draft: Draft, printer: string): void {
    if (this.count >= MAX_FORMS || end - from > MAX_TEXT || draft.body.kind !== 'progress') return;
    if (draft.printer !== undefined) return;
    const text = bytes.slice(from, end);
    const step = placeOf(text, draft.body.step);
    const epoch = placeOf(text, draft.body.epoch);
    if (step === undefined || epoch === undefined || !saysOnlyProgress(text)) return;
    const form: StepForm = {
      ...{ text, rank: place.rank, torchMark: place.torchMark, column: place.column, printer },
      ...{ stepAt: step.at, stepDigits: step.digits, epochAt: epoch.at, epochDigits: epoch.digits },
    };
    const hash = hashOf(text, 0, text.length);
    const known = this.byHash.get(hash);
    if (known === undefined) this.byHash.set(hash, [form]);
    else known.push(form);
    this.count += 1;
  }
}

/** Number that stands at a form's place; undefined without one. */
export function numberAt(bytes: Uint8Array, at: number, digits: number): number | undefined {
  if (digits === 0) return undefined;
  let value = 0;
  for (let i = at; i < at + digits; i++) value = value * 10 + (bytes[i] ?? 48) - 48;
  return value;
}

const isOfPlace = (form: StepForm, { rank, torchMark, column }: FormPlace): boolean =>
  form.rank === rank && form.column === column && (rank < 0 || form.torchMark === torchMark);

function isOfForm(text: Uint8Array, bytes: Uint8Array, from: number, end: number): boolean {
  if (text.length !== end - from) return false;
  for (let i = 0; i < text.length; i++) {
    const code = bytes[from + i] ?? 0;
    const known = text[i] ?? 0;
    if (code !== known && !(isDigit(code) && isDigit(known))) return false;
  }
  return true;
}

/** Of the text with each digit taken for the same one. */
function hashOf(bytes: Uint8Array, from: number, end: number): number {
  let hash = end - from;
  for (let i = from; i < end; i++) {
    const code = bytes[i] ?? 0;
    hash = Math.imul(hash ^ (isDigit(code) ? 48 : code), 0x01000193);
  }
  return hash;
}

/** The one run of digits with this value; undefined if several have it, or none. */
function placeOf(
  text: Uint8Array,
  value: number | undefined,
): { readonly at: number; readonly digits: number } | undefined {
  if (value === undefined) return { at: 0, digits: 0 };
  let found: { readonly at: number; readonly digits: number } | undefined;
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text[at] ?? 0)) continue;
    let digits = 1;
    while (at + digits < text.length && isDigit(text[at + digits] ?? 0)) digits += 1;
    if (digits <= 12 && numberAt(text, at, digits) === value) {
      if (found !== undefined) return undefined;
      found = { at, digits };
    }
    at += digits;
  }
  return found;
}

const withoutDigits = (text: string): string => text.replace(/[0-9]/g, '0');
const STEP_LITERALS = MATCHER_OF_PROGRESS.filter((literal) => !/[0-9]/.test(literal));
const OTHER_LITERALS = MATCHER_LITERALS.map(withoutDigits);

/** Whatever its digits are, no other shape has a literal in the text, and `progress` has one. */
function saysOnlyProgress(bytes: Uint8Array): boolean {
  const text = withoutDigits(String.fromCharCode(...bytes));
  return (
    STEP_LITERALS.some((literal) => text.includes(literal)) && !OTHER_LITERALS.some((literal) => text.includes(literal))
  );
}
