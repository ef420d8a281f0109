/** The reply to the sender as the window offers it for editing. Nothing is sent; the user copies it. */
import { replyToSender } from '#shared/report/reply/index.ts';
import type { Report } from '#shared/report/schema.ts';

export const askDraft = (report: Report): string => replyToSender(report);
