import { useEffect, useState } from 'react';
import type { Diagnostics } from '#shared/rpc/bridge.ts';
import { formatBytes } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { copyText } from '../../data/clipboard.ts';
import { lastProblems } from '../../data/problems.ts';
import { usePanels } from '../../stores/panels.ts';
import { usePreferences } from '../../stores/preferences.ts';

/** Versions, limits and last faults, and the licences of all that is in the package. What it copies holds no text of any bundle and no name of a case. */
export function About() {
  const close = usePanels((state) => state.close);
  const [known, setKnown] = useState<Diagnostics | null>(null);
  const [copied, setCopied] = useState(false);
  const [licences, setLicences] = useState<string | null>(null);
  useEffect(() => {
    void bridge.diagnostics().then(setKnown);
  }, []);
  const text = known === null ? '' : diagnosticsText(known);
  return (
    <Dialog
      title="About Firstfault"
      description="Offline forensics for distributed PyTorch training. Apache 2.0. It has no use for a network, and every request is blocked."
      width="wide"
      onClose={close}
    >
      <section
        className="about-text mono selectable"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keys
        tabIndex={0}
        aria-label={licences === null ? 'Diagnostics' : 'Licences'}
      >
        {licences ?? text}
      </section>
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Close
        </Button>
        <Button
          kind="outlined"
          onClick={() => {
            if (licences !== null) setLicences(null);
            else void import('./third-party.txt?raw').then((file) => setLicences(file.default));
          }}
        >
          {licences === null ? 'Show the licences of others' : 'Show diagnostics'}
        </Button>
        <Button kind="primary" aria-disabled={known === null} onClick={() => setCopied(copyText(text))}>
          {copied ? 'Copied' : 'Copy diagnostics'}
        </Button>
      </div>
    </Dialog>
  );
}

function diagnosticsText(known: Diagnostics): string {
  const { theme, density, textScale } = usePreferences.getState();
  const problems = [...known.problems, ...lastProblems()];
  return [
    ...known.versions.map(({ name, version }) => `${name.padEnd(12)}${version}`),
    `${'System'.padEnd(12)}${known.system}, ${formatBytes(known.memoryBytes)} of memory, locale ${known.locale}`,
    `${'Window'.padEnd(12)}${window.innerWidth}×${window.innerHeight}, scale ${window.devicePixelRatio}, theme ${theme}, rows ${density}, text ${textScale * 100} %`,
    `${'Network'.padEnd(12)}blocked`,
    '',
    problems.length === 0 ? 'No fault in this run.' : 'Faults in this run',
    ...problems,
  ].join('\n');
}
