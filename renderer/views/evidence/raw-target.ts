import type { EntryId } from '#shared/model/ids.ts';
import type { RawTarget } from '../../stores/navigation.ts';
import type { RawPlace } from '../../viewmodels/evidence-rows.ts';

/** The place of an evidence item as a target of the raw viewer, in the mode that shows it exactly. */
export function rawTarget(entryId: EntryId, place: RawPlace): RawTarget {
  const none = { entryId, mode: null, line: null, byte: null, record: null };
  switch (place.kind) {
    case 'line':
      return { ...none, mode: 'text', line: place.line };
    case 'byte':
      return { ...none, mode: 'hex', byte: place.byte };
    case 'record':
      return { ...none, mode: 'record', record: place.record };
    case 'whole':
      return none;
  }
}
