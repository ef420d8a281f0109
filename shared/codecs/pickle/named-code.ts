/** Names of code that a pickle asks for, as inert text for a message. */

const MAX_NAME = 200;

/** Control characters out, length bounded: this text comes from a hostile file and goes into a message. */
export const printable = (text: string): string => text.slice(0, MAX_NAME).replace(/[^\x20-\x7e]/g, '?');

/** The line of text at `from`, and the offset behind its end; undefined if no end is near. */
export function lineAt(bytes: Uint8Array, from: number): { readonly text: string; readonly next: number } | undefined {
  let text = '';
  for (let i = from; i < bytes.length && i - from <= MAX_NAME; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === 10) return { text: printable(text), next: i + 1 };
    text += String.fromCharCode(byte);
  }
  return undefined;
}
