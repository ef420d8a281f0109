export { buildDocument, buildSections, type SectionChoice } from './build-sections.ts';
export { documentHtml } from './document-html.ts';
export { documentMarkdown } from './document-markdown.ts';
export { FIGURE_WIDTH, type FigurePlane, figurePlane, type Paint, type Shape } from './figure-shapes.ts';
export * from './types.ts';
export { breakPieces } from './words.ts';
