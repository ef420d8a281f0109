export { isOwnWord } from './own-words.ts';
export { NOT_SCANNED, Redactor, type RedactorInput } from './redactor.ts';
export * from './types.ts';
export { visible } from './visible.ts';
export { type TextStep, walkTexts } from './walk.ts';
