import { describe, expect, it } from 'vitest';
import { useKeyBindings } from '../../../../renderer/stores/key-bindings.ts';
import { usePreferences } from '../../../../renderer/stores/preferences.ts';
import { applySettings, readSettings, writeSettings } from '../../../../renderer/stores/settings-file.ts';

describe('a settings file', () => {
  it('brings back what it was written with, and names what changes before', () => {
    usePreferences.setState({ theme: 'light', textScale: 1.5, singleKeys: false });
    const text = writeSettings();
    usePreferences.setState({ theme: 'dark', textScale: 1.5, singleKeys: true });
    const read = readSettings(text);
    expect(read?.changes).toEqual([
      { name: 'Theme', from: 'dark', to: 'light' },
      { name: 'Single-letter keys', from: 'on', to: 'off' },
    ]);
    expect(usePreferences.getState().theme).toBe('dark');
    applySettings(read?.values ?? {});
    expect(usePreferences.getState()).toMatchObject({ theme: 'light', singleKeys: false });
    expect(readSettings(text)?.changes).toEqual([]);
  });

  it('carries the keys of commands, and takes none that are none', () => {
    useKeyBindings.setState({ keys: { palette: ['Mod+J'] } });
    const text = writeSettings();
    useKeyBindings.setState({ keys: {} });
    const read = readSettings(text);
    expect(read?.changes).toContainEqual({ name: 'Keys of commands', from: 'as delivered', to: '1 changed' });
    applySettings(read?.values ?? {});
    expect(useKeyBindings.getState().keys).toEqual({ palette: ['Mod+J'] });
    for (const keys of [[], { palette: 'Mod+J' }, { palette: [7] }, { 'a b': ['x'] }, { palette: ['x'.repeat(50)] }])
      expect(readSettings(JSON.stringify({ schema: 'firstfault-settings/1', keys }))?.leftOut).toEqual(['keys']);
  });

  it('takes no value that does not exist, and says what it left out', () => {
    const text = JSON.stringify({
      schema: 'firstfault-settings/1',
      theme: 'pink',
      inspectorWidth: 9000,
      zone: 'local',
      extra: 1,
    });
    expect(readSettings(text)).toMatchObject({
      values: { zone: 'local' },
      leftOut: ['theme', 'inspectorWidth', 'extra'],
    });
  });

  it.each(['', '[]', 'null', '{}', '{"schema":"firstfault-settings/2","theme":"dark"}'])('is not %j', (text) => {
    expect(readSettings(text)).toBeNull();
  });
});
