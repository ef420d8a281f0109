/** What limits every statement of the screen, each in one sentence. */
import { formatCount, plural } from '#shared/text/format.ts';
import type { JobAnswer } from '#shared/views/collectives/answers.ts';
import { escapeText } from '../escape-text.ts';

const MAX_VERSIONS = 3;

export function bannersOf({ story, ranks }: JobAnswer): string[] {
  const banners: string[] = [];
  if (story.versions.length > 1) {
    const list = story.versions
      .slice(0, MAX_VERSIONS)
      .map(({ text, ranks: count }) => `${escapeText(text)} on ${plural(count, 'rank')}`);
    const more = story.versions.length - MAX_VERSIONS;
    banners.push(
      `Versions differ across ranks: ${list.join('; ')}${more > 0 ? `; ${more} more` : ''}. Only what all of them record is compared.`,
    );
  }
  if (story.dumpsPresent === 0)
    banners.push(
      'No recorder dump could be read: what is shown comes from log lines, one number a line, and is weaker than a dump.',
    );
  else if (story.dumpsPresent === 1 && ranks > 1)
    banners.push("One rank's dump only: its calls are listed, and there is nothing to compare them with.");
  else if (story.dumpsExpected !== undefined && story.dumpsPresent < story.dumpsExpected)
    banners.push(
      `${formatCount(story.dumpsPresent)} of ${formatCount(story.dumpsExpected)} dumps: ranks without one are hatched and never counted as late.`,
    );
  if (story.onlyActive)
    banners.push('These dumps hold only calls that had not completed: earlier ones are known from counters alone.');
  return banners;
}
