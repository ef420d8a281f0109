/** Report, notes, files and figure → every section, in the fixed order. Pure: the same input gives the same document. */
import { formatBytes } from '../../text/format.ts';
import { filesText } from '../../text/partial-text.ts';
import { callSections } from './call-sections.ts';
import { sourceSections } from './source-sections.ts';
import type { DocumentInput, ReportDocument, Section, SectionId } from './types.ts';
import { verdictSections } from './verdict-sections.ts';

export interface SectionChoice {
  readonly id: SectionId;
  readonly on: boolean;
}

/** Every section in its fixed order, also those without anything to say. */
export function buildSections(input: DocumentInput): readonly Section[] {
  return [...verdictSections(input), ...callSections(input), ...sourceSections(input)];
}

/** The sections that were chosen and have something to say, in the chosen order. */
export function buildDocument(
  input: DocumentInput,
  choices: readonly SectionChoice[],
  redacted: boolean,
): ReportDocument {
  const { report } = input;
  const sections = new Map(buildSections(input).map((section) => [section.id, section]));
  const chosen = choices.flatMap(({ id, on }) => {
    const section = sections.get(id);
    return on && section !== undefined && section.blocks.length > 0 ? [section] : [];
  });
  return {
    title: input.title,
    redacted,
    foot: `${report.tool.name} ${report.tool.version}. Bundle of ${filesText(report.bundle)}, ${formatBytes(report.bundle.bytes)}, SHA-256 ${report.bundle.sha256}.`,
    sections: chosen,
  };
}
