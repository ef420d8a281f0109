/** How the window works: one short page a screen, and the things that belong to all of them. */
import type { HelpPage } from '../../viewmodels/help-text.ts';

export const WINDOW_PAGES: readonly HelpPage[] = [
  {
    id: 'start',
    title: 'Start here',
    text: `Firstfault reads a bundle of a distributed PyTorch job that crashed or hung, and names the rank that failed or stalled first. If the bundle does not hold enough, it says so and names what would decide it.

## In a minute
1. Drop a folder, archive or loose files anywhere in the window.
2. Read the statement on the Overview, then “Because” and “Against”. Every row opens its bytes.
3. Look at the same moment on the timeline, compare the calls, read the lines.
4. Ask the sender for what is missing, or write the report.

Nothing leaves this machine. Files are read, never run.

See [[topic/statuses]], [[time]], [[topic/keyboard]].`,
  },
  {
    id: 'time',
    title: 'Raw and corrected time',
    text: `Each node has its own clock, and clocks differ by seconds to minutes. A **raw** time is the stamp as written. A **corrected** time is moved onto the reference clock and carries a bound: \`±38 ms\` means that it may still be wrong by so much.

Two times of different nodes are put in order only where their bounds do not overlap. Otherwise the order is “likely” or “not determined”.

\`T\` switches the whole window between raw and corrected. Raw times have a yellow edge in the context bar and carry the name of their clock. A clock that nothing relates to the others stays raw.

The zone menu writes all times in UTC, in the time of this machine, in that of the cluster where the stamps of its logs prove one, counted from the first fault, or as epoch ns.`,
  },
  {
    id: 'context',
    title: 'The context bar: one filter for all screens',
    text: `Time range, basis, zone and ranks hold for every screen of the case. Click the range to type another one: \`12:03:41.2\`, \`+30 s\` (from the first fault), or a full stamp. “Filter” takes ranks (\`37, 40-47\`) or the name of a node, Pod or group.

A part that the present screen does not follow is struck through; the reason is in its tooltip. ✕ removes exactly one filter, \`Ctrl+Z\` brings it back.`,
  },
  {
    id: 'inspector',
    title: 'The inspector',
    text: `\`I\` shows or hides it. It holds the one thing that is selected: a rank, a call, a line, a clock or a file, with its fields, what the findings say of it, its files and your notes. Links lead to the screen that shows it.

Drag its edge, or focus the edge and use ← and →.`,
  },
  {
    id: 'notes',
    title: 'Notes, stars and marks',
    text: `\`B\` or \`Ctrl+D\` stars what is selected, \`Ctrl+E\` writes a note on it. On the timeline \`M\` sets a mark at the cursor; \`N\` goes to the next one, \`F2\` names it, \`Ctrl+←\` \`Ctrl+→\` move it, \`Del\` removes it.

They stay in the case, apart from what is derived from the bundle, and go along when the same bundle is imported again. \`Ctrl+Z\` and \`Ctrl+Shift+Z\` undo and redo notes, stars and filters.`,
  },
  {
    id: 'locators',
    title: 'Locators and Go to',
    text: `\`Ctrl+Shift+C\` copies a locator: one line that restores the screen, range, basis, ranks and selection.

\`\`\`
firstfault:timeline/vit-large-hang-1f0c99aa?range=1200000000~2400000000&ranks=11
\`\`\`

\`Ctrl+G\` opens one box for all places: a time, \`rank 11\`, \`default_pg#4812\`, \`vit-large-0.log:120\` (a line), \`dump@4096\` (a byte), \`nccl_trace_rank_3#12\` (a record), or a locator. On another machine the case must have been imported from the same bundle.`,
  },
  {
    id: 'screen/cases',
    title: 'Screen: cases',
    text: `All cases on this machine. Select two with their boxes to compare them. Rename, pin and delete are in the menu of a row. A case made by an older version is marked “older”: its bundle can be imported again to apply the present rules.`,
  },
  {
    id: 'screen/import',
    title: 'Screen: import',
    text: `What is read, file by file. “Refused” is a safety rule: what was found is named, and nothing of it ran. “Empty” and “truncated” files are gaps, not failures.`,
  },
  {
    id: 'screen/overview',
    title: 'Screen: Overview',
    text: `The verdict first: status, statement, when and where. Then what speaks for it, what speaks against it, and what would change it. A piece of evidence opens where it is seen best, with \`Ctrl\` its bytes; \`Space\` shows it in the inspector. *Add to report* stars the lines and records under Because; *I disagree…* keeps your own status and reason beside the verdict. Gaps, clock quality and notes stand at the side. See [[topic/statuses]].`,
  },
  {
    id: 'screen/timeline',
    title: 'Screen: Timeline',
    text: `One lane a rank. A call is drawn as wide as it took; waiting is hatched, missing records are drawn as missing. \`W\` \`S\` zoom, \`A\` \`D\` pan, \`V\` shows the same as a table. Drag over lanes: \`Z\` zooms to the area, \`R\` keeps its time and its ranks as the filter of all screens.`,
  },
  {
    id: 'screen/collectives',
    title: 'Screen: Collectives',
    text: `Which ranks made which call of a group, and where their sequences part for the first time. Columns are sets of ranks that agree. \`Alt+↓\` goes to the next difference. *align by time* puts the calls in the order in which they were entered, each set on its own clock; \`≈\` marks an order that the bounds do not decide.`,
  },
  {
    id: 'screen/logs',
    title: 'Screen: Logs',
    text: `All lines of all logs, in one order. The search takes words and fields; the box lists them. \`E\` \`W\` \`N\` go to the next error, warning and hit.`,
  },
  {
    id: 'screen/ranks',
    title: 'Screen: Ranks',
    text: `All ranks by node at one moment. The table below is legend and count in one.`,
  },
  {
    id: 'screen/clocks',
    title: 'Screen: Clocks',
    text: `How far each clock was off, how sure that is, and the anchors that say so. See [[time]] and [[topic/clocks]].`,
  },
  {
    id: 'screen/evidence',
    title: 'Screen: Evidence',
    text: `Every file of the bundle with hash and status. Open one to see its text, its bytes or its records. Hidden characters are shown as escapes.`,
  },
  {
    id: 'screen/report',
    title: 'Screen: Report',
    text: `Choose sections, check what is redacted, export. Nothing is sent.`,
  },
  {
    id: 'screen/compare',
    title: 'Screen: Compare',
    text: `Two cases side by side, aligned at their first fault. Rows that differ come first.`,
  },
];
