/**
 * `kubectl get events`, narrow or wide, of one namespace or all; also `kubectl events`.
 *
 *   LAST SEEN   TYPE      REASON    OBJECT                     MESSAGE
 *   26m         Warning   BackOff   pod/borealis-pt-worker-2   Back-off restarting failed container
 *
 * Source: the printers of kubectl 1.32. Rows are not sorted by time, and LAST SEEN is an age by the client's clock: no event gets a time.
 * Clock: none. Several tables in one file are read, whatever their kind.
 */
import { defineLineFormat } from '../model/format.ts';
import { claimTable, openTables } from './kubernetes/tables.ts';

export default defineLineFormat({
  id: 'events-table',
  title: 'Events (kubectl table)',
  claim: (head) => claimTable('events', head),
  open: openTables,
});
