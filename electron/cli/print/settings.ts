/** The review of settings and the patch, for `--explain`. Retells the report. */
import type { Report } from '#shared/report/schema.ts';
import { fittingForm, openSettings } from '#shared/report/settings-text.ts';
import { plural } from '#shared/text/format.ts';
import { SETTING_STATE_WORD } from '#shared/text/setting-text.ts';
import type { PrintContext } from './print-context.ts';
import { hangText } from './text-layout.ts';
import { visibleText } from './visible-text.ts';

/** Ends with a line break; empty where the report holds no review. */
export function printSettings({ settings }: Report, context: PrintContext): string {
  if (settings === undefined) return '';
  const { width, paint } = context;
  const basis =
    settings.pods === 0 ? 'no Pod specification in the bundle' : `by ${plural(settings.pods, 'Pod specification')}`;
  const items = openSettings(settings).flatMap((item) => [
    ...hangText(
      `  ${paint(['bold'], visibleText(item.name))}  `,
      `${SETTING_STATE_WORD[item.state]}: ${visibleText(item.found)}`,
      width,
    ),
    ...hangText('    ', item.why, width),
  ]);
  const form = fittingForm(settings);
  const patch =
    form === undefined
      ? []
      : [
          '',
          paint(['bold'], `What to set before the next run (${form.title})`),
          ...form.text
            .trimEnd()
            .split('\n')
            .map((line) => `  ${visibleText(line)}`),
        ];
  const lines = [...(items.length === 0 ? ['  nothing to change'] : items), ...patch];
  return `${paint(['bold'], `Settings, ${basis}`)}\n${lines.join('\n')}\n`;
}
