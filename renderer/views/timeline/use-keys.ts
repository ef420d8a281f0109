/** Keys of a time view; which they are stands in the table of all local keys. */
import type { LocalName } from '../../viewmodels/local-keys.ts';

export type TimelineAction = LocalName<'timeline'>;
