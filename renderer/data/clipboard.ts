/**
 * Puts text on the clipboard with the document's own copy command: every permission request is denied in this app, and
 * the asynchronous clipboard would need one. Must run in a click or key handler. False if the system refused.
 */
export function copyText(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'sr-only';
  // The class says nowrap, which would turn line feeds and tabs into spaces.
  field.style.whiteSpace = 'pre';
  const focused = document.activeElement;
  const host = focused?.closest('[role="dialog"]') ?? document.body;
  host.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
