/**
 * `kubectl get pods`, narrow or wide, of one namespace or all.
 *
 *   NAMESPACE   NAME                   READY   STATUS    RESTARTS      AGE   IP           NODE
 *   ml-train    borealis-pt-master-0   1/1     Running   1 (26m ago)   44m   10.42.2.31   gpu-node-02
 *
 * Source: the printers of kubectl 1.32. STATUS is derived by the client from several fields and stands in `tableStatus`.
 * Clock: none. Several tables in one file are read, whatever their kind.
 */
import { defineLineFormat } from '../model/format.ts';
import { claimTable, openTables } from './kubernetes/tables.ts';

export default defineLineFormat({
  id: 'pods-table',
  title: 'Pods (kubectl table)',
  claim: (head) => claimTable('pods', head),
  open: openTables,
});
