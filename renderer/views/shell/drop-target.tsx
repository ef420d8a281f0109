import './drop-target.css';
import { useEffect, useState } from 'react';
import { MAX_OPENED } from '#shared/rpc/window-channels.ts';
import { formatCount } from '#shared/text/format.ts';
import { bridge } from '../../data/bridge.ts';
import { useNotices } from '../../stores/notices.ts';
import { showOpened } from './commands.ts';

/** The whole window takes bundles, on every screen. Anything else that is dropped is left alone. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onEnter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
    };
    const onLeave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const onOver = (event: DragEvent) => {
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
    };
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      if (files.length > MAX_OPENED)
        useNotices
          .getState()
          .show(`More than ${formatCount(MAX_OPENED)} files at once: drop the folder that holds them.`);
      else void bridge.importDropped(files).then(showOpened);
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="drop-target">
      <div className="drop-target-frame">
        <div className="drop-target-title">Drop to import</div>
        <div>Several files or folders together count as one incident.</div>
      </div>
    </div>
  );
}
