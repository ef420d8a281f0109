/** The last faults of this window, for the diagnostics: what kind and where in our code, never text of a bundle. */
const MAX_PROBLEMS = 20;
const problems: string[] = [];

export function noteProblem(text: string, now = new Date()): void {
  problems.push(`${now.toISOString()} ${text.slice(0, 200)}`);
  if (problems.length > MAX_PROBLEMS) problems.shift();
}

export const lastProblems = (): readonly string[] => problems;

window.addEventListener('error', (event) => {
  const place = /([\w-]+\.js):(\d+)/.exec(`${event.filename}:${event.lineno}`);
  noteProblem(
    `page: ${event.error instanceof Error ? event.error.name : 'error'}${place ? ` at ${place[1]}:${place[2]}` : ''}`,
  );
});
window.addEventListener('unhandledrejection', (event) => {
  noteProblem(`promise: ${event.reason instanceof Error ? event.reason.name : 'rejected'}`);
});
