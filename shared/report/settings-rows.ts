/** Review of settings → report rows. */
import type { EntryId } from '../model/ids.ts';
import type { SettingItem, SettingsReview } from '../review/index.ts';
import type { ReportSetting, ReportSettings } from './settings-schema.ts';

export function settingsRows(review: SettingsReview, pathOf: (entry: EntryId) => string): ReportSettings {
  const { patch } = review;
  return {
    pods: review.pods,
    torch: review.torch ?? null,
    items: review.items.map((item) => settingRow(item, pathOf)),
    patch:
      patch === undefined
        ? null
        : {
            variables: patch.variables.map((one) => ({ ...one })),
            forms: patch.forms.map((form) => ({ ...form })),
            notes: [...patch.notes],
          },
  };
}

function settingRow(item: SettingItem, pathOf: (entry: EntryId) => string): ReportSetting {
  return {
    name: item.name,
    area: item.area,
    state: item.state,
    found: item.found,
    want: item.want ?? null,
    why: item.why,
    sources: item.sources.map(({ text, source }) => ({
      text,
      file: pathOf(source.entry),
      line: source.kind === 'line' ? source.line : null,
      entryId: source.entry,
    })),
  };
}
