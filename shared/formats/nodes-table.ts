/**
 * `kubectl get nodes`, narrow or wide.
 *
 *   NAME          STATUS                     ROLES   AGE   VERSION   INTERNAL-IP
 *   gpu-node-04   Ready,SchedulingDisabled   gpu     96d   v1.32.6   10.40.8.14
 *
 * Source: the printers of kubectl 1.32. NotReady does not tell False from Unknown.
 * Clock: none. Several tables in one file are read, whatever their kind.
 */
import { defineLineFormat } from '../model/format.ts';
import { claimTable, openTables } from './kubernetes/tables.ts';

export default defineLineFormat({
  id: 'nodes-table',
  title: 'Nodes (kubectl table)',
  claim: (head) => claimTable('nodes', head),
  open: openTables,
});
