import { Copy } from 'lucide-react';
import { IconButton } from '../../components/button.tsx';
import { Tooltip } from '../../components/layers.tsx';
import { copyText } from '../../data/clipboard.ts';

const ITEMS = [
  {
    item: 'Recorder dumps',
    as: 'nccl_trace_rank_0, one a rank',
    tells: 'which call parted the ranks',
    how: 'TORCH_NCCL_DUMP_ON_TIMEOUT=1',
  },
  {
    item: 'Logs of all ranks',
    as: 'Pod logs, of the previous container too',
    tells: 'what each rank said last',
    how: 'kubectl logs POD --timestamps --previous',
  },
  {
    item: 'Pods and events',
    as: 'YAML or JSON, with exit codes',
    tells: 'kills, evictions, node loss',
    how: 'kubectl get pods,events -o yaml',
  },
  { item: 'Pod descriptions', as: 'plain text', tells: 'node, limits, last state', how: 'kubectl describe pod POD' },
] as const;

/** On the first run: what to put into a bundle, and how to get it. */
export function CompleteBundle() {
  return (
    <section className="complete-bundle">
      <h2>What a complete bundle holds</h2>
      <div className="complete-row" data-head="">
        <span>Item</span>
        <span>As</span>
        <span>Tells</span>
        <span>Collected with</span>
      </div>
      {ITEMS.map((row) => (
        <div key={row.item} className="complete-row">
          <strong>{row.item}</strong>
          <span>{row.as}</span>
          <span>{row.tells}</span>
          <span className="mono-11 cut">{row.how}</span>
          <Tooltip text="Copy">
            <IconButton label={`Copy ${row.how}`} onClick={() => copyText(row.how)}>
              <Copy className="icon-14" strokeWidth={1.75} />
            </IconButton>
          </Tooltip>
        </div>
      ))}
      <p className="complete-note">None of these is required. With fewer, the verdict says what it cannot tell.</p>
    </section>
  );
}
