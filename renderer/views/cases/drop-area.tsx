import { PackageOpen } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { openBundle, openExample } from '../shell/commands.ts';
import { useApp, useShownKeys } from '../shell/platform.ts';

/** How a case begins. The whole window takes drops; this says so. */
export function DropArea({ size }: { readonly size: 'small' | 'large' }) {
  const keys = useShownKeys();
  const { exampleAvailable } = useApp();
  const large = size === 'large';
  const Title = large ? 'h1' : 'h2';
  return (
    <section className="drop-area" data-size={size} aria-label="Open a bundle">
      <PackageOpen className="drop-area-icon" strokeWidth={1.2} aria-hidden="true" />
      <div>
        <Title className="drop-area-title">
          {large ? 'Drop a bundle to find the rank that failed first' : 'Drop a bundle anywhere in this window'}
        </Title>
        <p className="drop-area-text">
          {large
            ? 'A folder, .zip or .tar (also .gz, .zst, .xz, .bz2) from a distributed PyTorch job that crashed or hung. Firstfault reads the files, never runs them, and keeps them on this machine.'
            : 'A folder, .zip or .tar (also .gz, .zst, .xz, .bz2) with Pod logs, recorder dumps, Pod and event lists. Files are read, never run, and stay on this machine.'}
        </p>
      </div>
      <div className="drop-area-actions">
        <Button kind="primary" keys={keys('Mod+O')} onClick={() => void openBundle('file')}>
          Open bundle…
        </Button>
        <Button kind="outlined" onClick={() => void openBundle('folder')}>
          Open folder…
        </Button>
        {large && exampleAvailable && (
          <Button kind="outlined" onClick={() => void openExample('small')}>
            Open the example case
          </Button>
        )}
        {large && exampleAvailable && (
          <Button kind="link" onClick={() => void openExample('large')}>
            one of 64 ranks
          </Button>
        )}
      </div>
      {large && <p className="quiet">What is missing is named, not guessed.</p>}
    </section>
  );
}
