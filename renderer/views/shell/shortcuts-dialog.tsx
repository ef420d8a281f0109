import { RotateCcw } from 'lucide-react';
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton, Kbd } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { keysOf, useKeyBindings } from '../../stores/key-bindings.ts';
import { usePanels } from '../../stores/panels.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { shownKeys, specOf } from '../../viewmodels/keys.ts';
import { COMMANDS, type Command } from './commands.ts';
import { useApp } from './platform.ts';

const GROUPS: readonly Command['group'][] = ['Bundles and cases', 'Go to', 'View', 'Notes', 'Help'];
/** Keys of lists, viewers and drawings, which are no commands. */
const LOCAL_KEYS: readonly {
  readonly title: string;
  readonly rows: readonly { readonly keys: readonly string[]; readonly title: string }[];
}[] = [
  {
    title: 'Lists and files',
    rows: [
      { keys: ['ArrowUp', 'ArrowDown'], title: 'Previous, next row' },
      { keys: ['Enter'], title: 'Open the row' },
      { keys: ['Mod+Enter'], title: 'Evidence: open its bytes' },
      { keys: ['Home', 'End'], title: 'First, last row' },
      { keys: ['Escape'], title: 'Close, then clear the selection' },
    ],
  },
  {
    title: 'Timeline',
    rows: [
      { keys: ['w', 's'], title: 'Zoom in, out' },
      { keys: ['a', 'd'], title: 'Pan' },
      { keys: ['.', ','], title: 'Next, previous record' },
      { keys: [']', '['], title: 'The same call on the next, previous lane' },
      { keys: ['f', 'z', '0'], title: 'Centre, fit the area, whole case' },
      { keys: ['r'], title: 'Keep the area as the range' },
      { keys: ['m', 'Shift+M'], title: 'Set a mark, over the area' },
      { keys: ['n', 'Shift+N'], title: 'Next, previous mark' },
      { keys: ['Mod+ArrowLeft', 'Mod+ArrowRight'], title: 'Move the mark; with Shift less' },
      { keys: ['F2', 'Delete'], title: 'Name, remove the mark' },
      { keys: ['p', 'h', 'v'], title: 'Pin, hide the lane; table' },
    ],
  },
  {
    title: 'Logs',
    rows: [
      { keys: ['e', 'w', 'n'], title: 'Next error, warning, match; with Shift back' },
      { keys: ['c'], title: 'Lines around it' },
      { keys: ['x'], title: 'Copy the line with its locator' },
    ],
  },
];

/** All keys; those of commands can be changed. */
export function Shortcuts() {
  const close = usePanels((state) => state.close);
  const mac = useApp().platform === 'darwin';
  const { singleKeys, setSingleKeys } = usePreferences();
  const [asked, setAsked] = useState<Command | null>(null);
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
                <CommandKeys
                  key={command.id}
                  command={command}
                  mac={mac}
                  asked={asked === command}
                  onAsk={(on) => setAsked(on ? command : null)}
                />
              ))}
            </dl>
          </section>
        ))}
        {LOCAL_KEYS.map(({ title, rows }) => (
          <section key={title}>
            <h3 className="shortcuts-head">{title}</h3>
            <dl>
              {rows.map((row) => (
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
        ))}
      </div>
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

interface CommandKeysProps {
  readonly command: Command;
  readonly mac: boolean;
  readonly asked: boolean;
  readonly onAsk: (on: boolean) => void;
}

function CommandKeys({ command, mac, asked, onAsk }: CommandKeysProps) {
  const bound = useKeyBindings((state) => state.keys);
  const bind = useKeyBindings((state) => state.bind);
  const keys = keysOf(command, bound);
  const changed = Object.hasOwn(bound, command.id);
  return (
    <div className="shortcuts-row">
      <dt>{command.title}</dt>
      <dd>
        {asked ? (
          <KeyCatcher command={command} mac={mac} onDone={() => onAsk(false)} />
        ) : (
          <button type="button" className="shortcuts-keys" onClick={() => onAsk(true)}>
            <span className="sr-only">{`Change the key of ${command.title}, `}</span>
            {keys
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
          <IconButton label={`Bring back the key of ${command.title}`} onClick={() => bind(command.id, null)}>
            <RotateCcw className="icon-12" strokeWidth={1.75} />
          </IconButton>
        )}
      </dd>
    </div>
  );
}

/** Waits for a press; a key that another command has is not taken. */
function KeyCatcher({
  command,
  mac,
  onDone,
}: {
  readonly command: Command;
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
    const other = COMMANDS.find((one) => one.id !== command.id && keysOf(one).includes(spec));
    if (other !== undefined) {
      setTaken(`${shownKeys(spec, mac)} is: ${other.title}`);
      return;
    }
    useKeyBindings.getState().bind(command.id, [spec]);
    onDone();
  };
  return (
    <button ref={field} type="button" className="shortcuts-catch" onKeyDown={onKeyDown} onBlur={onDone}>
      {taken ?? 'Press the keys, Esc keeps'}
    </button>
  );
}
