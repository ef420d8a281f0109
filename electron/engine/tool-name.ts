/** What reports and cases call this program. */
export const TOOL_NAME = 'firstfault';
