import { RotateCcw } from 'lucide-react';
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton, Kbd } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { useKeyBindings } from '../../stores/key-bindings.ts';
import { usePanels } from '../../stores/panels.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { shownKeys, specOf } from '../../viewmodels/keys.ts';
import { LOCAL_SCOPES } from '../../viewmodels/local-keys.ts';
import { type Bindable, holderOf, localItems, presentKeys } from './bindable.ts';
import { COMMANDS, type Command } from './commands.ts';
import { useApp } from './platform.ts';

const GROUPS: readonly Command['group'][] = ['Bundles and cases', 'Go to', 'View', 'Notes', 'Help'];
/** Keys that every list and field has: they stay, as everywhere. */
const FIXED_KEYS: readonly { readonly keys: readonly string[]; readonly title: string }[] = [
  { keys: ['ArrowUp', 'ArrowDown'], title: 'Previous, next row' },
  { keys: ['Enter'], title: 'Open the row' },
  { keys: ['Mod+Enter'], title: 'Evidence: open its bytes' },
  { keys: ['Home', 'End'], title: 'First, last row' },
  { keys: ['Escape'], title: 'Close, then clear the selection' },
];

/** All keys. Those of commands and screens can be changed, those that every list has stay. */
export function Shortcuts() {
  const close = usePanels((state) => state.close);
  const mac = useApp().platform === 'darwin';
  const { singleKeys, setSingleKeys } = usePreferences();
  const [asked, setAsked] = useState<string | null>(null);
  const changed = useKeyBindings((state) => Object.keys(state.keys).length > 0);
  const reset = useKeyBindings((state) => state.reset);
  return (
    <Dialog
      title="Keyboard shortcuts"
      description="All commands are also in the palette. Click a key to change it."
      width="wide"
      onClose={close}
    >
      <label className="shortcuts-single">
        <input type="checkbox" checked={singleKeys} onChange={() => setSingleKeys(!singleKeys)} />
        Single-letter keys
      </label>
      <div className="shortcuts">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3 className="shortcuts-head">{group}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group && command.keys.length > 0).map((command) => (
                <BindableKeys
                  key={command.id}
                  item={{ ...command, scope: null }}
                  mac={mac}
                  asked={asked === command.id}
                  onAsk={(on) => setAsked(on ? command.id : null)}
                />
              ))}
            </dl>
          </section>
        ))}
        {LOCAL_SCOPES.map(({ scope, title }) => (
          <section key={scope}>
            <h3 className="shortcuts-head">{title}</h3>
            <dl>
              {localItems(scope).map((item) => (
                <BindableKeys
                  key={item.id}
                  item={item}
                  mac={mac}
                  asked={asked === item.id}
                  onAsk={(on) => setAsked(on ? item.id : null)}
                />
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3 className="shortcuts-head">Every list</h3>
          <dl>
            {FIXED_KEYS.map((row) => (
              <div key={row.title} className="shortcuts-row">
                <dt>{row.title}</dt>
                <dd>
                  {row.keys.map((spec) => (
                    <Kbd key={spec} keys={shownKeys(spec, mac)} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <div className="dialog-actions">
        <Button kind="plain" aria-disabled={!changed} onClick={() => changed && reset()}>
          All keys as delivered
        </Button>
        <Button kind="outlined" onClick={close}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

interface BindableKeysProps {
  readonly item: Bindable;
  readonly mac: boolean;
  readonly asked: boolean;
  readonly onAsk: (on: boolean) => void;
}

function BindableKeys({ item, mac, asked, onAsk }: BindableKeysProps) {
  const bound = useKeyBindings((state) => state.keys);
  const bind = useKeyBindings((state) => state.bind);
  const changed = Object.hasOwn(bound, item.id);
  return (
    <div className="shortcuts-row">
      <dt>{item.title}</dt>
      <dd>
        {asked ? (
          <KeyCatcher item={item} mac={mac} onDone={() => onAsk(false)} />
        ) : (
          <button type="button" className="shortcuts-keys" onClick={() => onAsk(true)}>
            <span className="sr-only">{`Change the key of ${item.title}, `}</span>
            {presentKeys(item, bound)
              .filter((spec) => spec !== 'Mod++')
              .map((spec, i) => (
                <Fragment key={spec}>
                  {i > 0 && <span className="sr-only">, </span>}
                  <Kbd keys={shownKeys(spec, mac)} />
                </Fragment>
              ))}
          </button>
        )}
        {changed && (
          <IconButton label={`Bring back the key of ${item.title}`} onClick={() => bind(item.id, null)}>
            <RotateCcw className="icon-12" strokeWidth={1.75} />
          </IconButton>
        )}
      </dd>
    </div>
  );
}

/** Waits for a press; a key that does something else where this one acts is not taken. */
function KeyCatcher({
  item,
  mac,
  onDone,
}: {
  readonly item: Bindable;
  readonly mac: boolean;
  readonly onDone: () => void;
}) {
  const field = useRef<HTMLButtonElement>(null);
  const [taken, setTaken] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      onDone();
      return;
    }
    const spec = specOf(event, mac);
    if (spec === null) return;
    const other = holderOf(spec, item, useKeyBindings.getState().keys);
    if (other !== null) {
      setTaken(`${shownKeys(spec, mac)} is: ${other.title}`);
      return;
    }
    useKeyBindings.getState().bind(item.id, [spec]);
    onDone();
  };
  return (
    <button ref={field} type="button" className="shortcuts-catch" onKeyDown={onKeyDown} onBlur={onDone}>
      {taken ?? 'Press the keys, Esc keeps'}
    </button>
  );
}
