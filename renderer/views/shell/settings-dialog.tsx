import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { usePanels } from '../../stores/panels.ts';
import { applySettings, readSettings } from '../../stores/settings-file.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';

/** What a settings file would change, before it does. */
export function SettingsDialog({ text }: { readonly text: string }) {
  const close = usePanels((state) => state.close);
  const read = readSettings(text);
  const changes = read?.changes ?? [];
  return (
    <Dialog
      title="Import settings"
      description={
        read === null
          ? 'This is no settings file of Firstfault. Nothing was changed.'
          : changes.length === 0
            ? 'The file holds the settings that are in use already.'
            : 'These settings would change. Cases and notes are not touched.'
      }
      onClose={close}
    >
      {changes.length > 0 && (
        <dl className="settings-changes">
          {changes.map((change) => (
            <div key={change.name}>
              <dt>{change.name}</dt>
              <dd>
                <span className="quiet">{change.from}</span> → {change.to}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {read !== null && read.leftOut.length > 0 && (
        <p className="quiet">{`Left out, not known here: ${read.leftOut.slice(0, 8).map(escapeText).join(', ')}`}</p>
      )}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          {changes.length === 0 ? 'Close' : 'Keep mine'}
        </Button>
        {changes.length > 0 && (
          <Button
            kind="primary"
            onClick={() => {
              if (read) applySettings(read.values);
              close();
            }}
          >
            Change settings
          </Button>
        )}
      </div>
    </Dialog>
  );
}
