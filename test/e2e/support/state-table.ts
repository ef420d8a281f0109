/**
 * Every state that a view may be in (screen × state), and how it is reached: by a fault put between the real engine and the window, by
 * a test elsewhere that is named, or not at all, with the reason. The type leaves no pair out.
 */
import type { Faults, FaultyApp } from './faults.ts';

export const STATES = [
  'loading',
  'refreshing',
  'partial',
  'empty',
  'nothing',
  'error',
  'refused',
  'degraded',
  'stale',
  'offline',
  'recovered',
  'first use',
] as const;
export type State = (typeof STATES)[number];

export const CASE_SCREENS = [
  'Overview',
  'Timeline',
  'Collectives',
  'Logs',
  'Ranks',
  'Clocks',
  'Evidence',
  'Report',
  'Compare',
] as const;
export type CaseScreenName = (typeof CASE_SCREENS)[number];
export const ALL_SCREENS = ['Cases', 'Import', ...CASE_SCREENS] as const;
export type ScreenName = (typeof ALL_SCREENS)[number];

/** Put in place, then the page is loaded anew on that screen: what must be read there. */
interface ByFault {
  readonly faults: Faults;
  /** What else is done before it shows. */
  readonly act?: (app: FaultyApp) => Promise<void>;
  /** Where the words stand. */
  readonly at: string;
  readonly words: RegExp;
  /** Controls that must be there, by name. */
  readonly offers?: readonly RegExp[];
}
/** A test of another file drives it: [file, title]. */
interface Elsewhere {
  readonly elsewhere: readonly [string, string];
}
/** It cannot occur, and why. */
interface Never {
  readonly never: string;
}
export type Cell = ByFault | Elsewhere | Never;

const elsewhere = (file: string, title: string): Elsewhere => ({ elsewhere: [file, title] });
const never = (why: string): Never => ({ never: why });

const LATE = 3500;
const DAMAGED = { error: { code: 'case-damaged', detail: 'page 7' } } as const;
const FIRST = never('A screen of a case is only there once a case is; the first use is the case list');

/** The question that a screen begins with, and its words while it waits and where it fails. */
const begins = (method: string, waiting: RegExp, failed: RegExp): Pick<Record<State, Cell>, 'loading' | 'error'> => ({
  loading: {
    faults: { [method]: { delayMs: LATE } },
    at: '.case-shell-body .skeleton',
    words: waiting,
    offers: [/^Stop waiting$/],
  },
  error: {
    faults: { [method]: DAMAGED },
    at: '.case-shell-body [role="alert"]',
    words: failed,
    offers: [/^Copy details$/],
  },
});

/** The frame of all screens of a case says these. */
const framed = {
  partial: {
    faults: {
      'case.open': {
        set: [
          [['summary', 'partial'], true],
          [['report', 'bundle', 'stopped'], { filesRead: 312, filesTotal: 640 }],
        ],
      },
    },
    at: '.banner',
    words: /^Based on 312 of 640 files/,
    offers: [/^Show the files$/],
  },
  refused: {
    faults: { 'case.open': { set: [[['report', 'bundle', 'files', 'refused'], 3]] } },
    at: '.status-bar',
    words: /3 refused/,
    offers: [/^3 refused$/],
  },
  stale: {
    faults: { 'case.open': { set: [[['summary', 'toolVersion'], '0.0.1']] } },
    at: '.status-bar',
    words: /Made by version 0\.0\.1/,
    offers: [/^Made by version/],
  },
  offline: { faults: {}, at: '.status-bar', words: /Offline/ },
  // The page is loaded anew for each of these: the first thing it says is where it came back to.
  recovered: { faults: {}, at: '.notice, .toast, [role="status"]', words: /Restored to the view of \d\d:\d\d:\d\d/ },
  'first use': FIRST,
} satisfies Partial<Record<State, Cell>>;

const search = (text: string) => (app: FaultyApp) => app.page.getByLabel('Search logs').fill(text);
/** A case with several groups opens at the whole job. */
const openGroup = async (app: FaultyApp): Promise<void> => {
  const chain = app.page.locator('.chain-row').first();
  const choice = app.page.getByLabel(/hide equal/);
  await chain.or(choice).first().waitFor();
  if ((await choice.count()) === 0) await chain.click();
  await choice.waitFor();
};
const toList = async (app: FaultyApp): Promise<void> => {
  await app.page.waitForSelector('.title-bar');
  await app.page.keyboard.press('Control+Shift+O');
  await app.page.waitForSelector('.case-row');
};
const onStage = async (app: FaultyApp, ...keys: string[]): Promise<void> => {
  await app.page.waitForSelector('.timeline-stage[data-loading="false"]');
  await app.page.locator('.timeline-stage').focus();
  for (const key of keys) await app.page.keyboard.press(key);
};

export const STATE_TABLE: Readonly<Record<ScreenName, Readonly<Record<State, Cell>>>> = {
  Cases: {
    loading: elsewhere('states.e2e.ts', 'waits in words, then shows the case'),
    refreshing: {
      faults: {},
      act: async (app) => {
        await toList(app);
        app.fault({ 'case.list': { delayMs: LATE } });
        await app.page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click();
        await app.page.getByRole('menuitem', { name: /^(Pin|Unpin)/ }).click();
      },
      at: '.cases > .refreshing',
      words: /^$/,
    },
    partial: elsewhere('shots.e2e.ts', 'case list and overview, dark and light, large and small'),
    empty: elsewhere('states.e2e.ts', 'names the filter that leaves nothing, and removes exactly that'),
    nothing: never('No case at all is the first use'),
    error: elsewhere('states.e2e.ts', 'says why the list cannot be read'),
    refused: never('What a bundle held is told by its case, not by the list'),
    degraded: never('The list has no limit: rows are drawn as they come into view'),
    stale: {
      faults: { 'case.list': { set: [[['cases', 0, 'toolVersion'], '0.0.1']] } },
      act: (app) => toList(app),
      at: '.case-row',
      words: /older/,
    },
    offline: elsewhere('security.e2e.ts', 'reaches no network, whatever asks for it'),
    recovered: elsewhere('states.e2e.ts', 'says that the engine stopped and was started again, and goes on'),
    'first use': elsewhere('shots.e2e.ts', 'first run and import'),
  },
  Import: {
    loading: elsewhere('import.e2e.ts', 'shows its progress by file and can be cancelled; nothing is left'),
    refreshing: never('Progress is pushed, never asked again'),
    partial: elsewhere('import.e2e.ts', 'keeps what was reached when it stops'),
    empty: elsewhere(
      'import.e2e.ts',
      'stays in sight from other screens, and shows only what was not plainly read on demand',
    ),
    nothing: elsewhere('import.e2e.ts', 'says why there is no case when nothing can be read'),
    error: elsewhere('import.e2e.ts', 'says that a bundle is not there'),
    refused: elsewhere('shots.e2e.ts', 'first run and import'),
    degraded: never('Limits of reading are statuses of files here, in words'),
    stale: never('An import is made by the version that runs'),
    offline: elsewhere('security.e2e.ts', 'reaches no network, whatever asks for it'),
    recovered: elsewhere('states.e2e.ts', 'says that the engine stopped and was started again, and goes on'),
    'first use': never('An import is begun from the case list, which has the first use'),
  },
  Overview: {
    ...framed,
    ...begins('case.open', /^Opening the case/, /^The case cannot be opened/),
    partial: {
      faults: {
        'case.open': {
          set: [
            [['summary', 'partial'], true],
            [['report', 'bundle', 'stopped'], { filesRead: 312, filesTotal: 640 }],
          ],
        },
      },
      at: '.banner',
      words: /^Based on part of the bundle: 312 of 640 files were read/,
    },
    refreshing: elsewhere('clocks.e2e.ts', 'are set with a reason, analysed again, named, and set back by undo'),
    empty: never('It narrows nothing: filters of the context bar are struck through, with the reason'),
    nothing: elsewhere('states.e2e.ts', 'shows what would decide it first where nothing can be told, without red'),
    degraded: elsewhere('states.e2e.ts', 'folds 4 096 ranks into sets and scrolls through all of them'),
  },
  Timeline: {
    ...framed,
    ...begins(
      'timeline.index',
      /^Reading the lanes/,
      /^The lanes of this case cannot be read.*other screens still work/s,
    ),
    refreshing: {
      faults: { 'timeline.lanes': { delayMs: LATE } },
      act: (app) => onStage(app, 'w', 'w'),
      at: '.timeline-stage[data-loading="true"] .refreshing',
      words: /^$/,
    },
    empty: elsewhere('timeline.e2e.ts', 'pins, hides and says when a filter leaves nothing'),
    nothing: {
      faults: { 'timeline.index': { value: null } },
      at: '.empty',
      words: /^0 records with a time.*would fill this view/s,
      offers: [/^Show the files$/],
    },
    degraded: {
      faults: { 'timeline.index': { set: [[['instantsLeftOut'], 1234]] } },
      at: '.timeline .banner',
      words: /^1\u2009234 frequent log events are not drawn; all of them are in Logs/,
    },
  },
  Collectives: {
    ...framed,
    ...begins('collectives.job', /^Folding ranks into sets/, /^The calls cannot be read.*other screens still work/s),
    refreshing: {
      faults: {},
      act: async (app) => {
        await openGroup(app);
        await app.page.waitForSelector('.sets-row .call-cell');
        app.fault({ 'collectives.group': { delayMs: LATE } });
        await app.page.getByLabel(/hide equal/).click();
      },
      at: '.collectives .refreshing',
      words: /^$/,
    },
    empty: {
      faults: {
        'collectives.group': {
          set: [
            [['rows'], []],
            [['total'], 0],
          ],
        },
      },
      act: async (app) => {
        await openGroup(app);
        await app.page.locator('.collectives-bar .choice', { hasText: 'show' }).click();
        await app.page.getByRole('menuitemradio', { name: 'only differences' }).click();
      },
      at: '.collectives .empty',
      words: /^0 calls differ.*Clear hide equal, or show all calls/,
    },
    nothing: elsewhere('collectives.e2e.ts', 'says what to collect where nothing tells of calls'),
    degraded: {
      faults: { 'collectives.job': { set: [[['story', 'onlyActive'], true]] } },
      at: '.collectives .banner',
      words: /These dumps hold only calls that had not completed/,
    },
  },
  Logs: {
    ...framed,
    ...begins('logs.open', /^Opening the logs/, /^The logs cannot be read.*other screens still work/s),
    refreshing: {
      faults: { 'logs.search': { set: [[['state', 'status'], 'searching']] }, 'logs.state': { delayMs: LATE } },
      at: '.logs-result .refreshing',
      words: /^$/,
    },
    empty: {
      faults: {},
      act: search('rank:3 zzzz'),
      at: '.logs .empty',
      words: /^0 matches.*All text was searched\. One term takes the last match away/,
      offers: [/^Drop zzzz$/],
    },
    nothing: {
      faults: {
        'logs.open': {
          set: [
            [['totalLines'], 0],
            [['files'], []],
          ],
        },
      },
      at: '.empty',
      words: /^0 log lines.*kubectl logs/s,
      offers: [/^Ask for what is missing…$/],
    },
    degraded: {
      faults: {
        'logs.search': { set: [[['state', 'status'], 'too-slow']] },
        'logs.state': { set: [[['status'], 'too-slow']] },
      },
      at: '.logs .banner',
      words: /^The search was stopped: the expression takes too long on some lines/,
    },
  },
  Ranks: {
    ...framed,
    ...begins('ranks.index', /^Placing the ranks/, /^The ranks of this case cannot be read.*other screens still work/s),
    refreshing: never('The map keeps its last moment until the next is there, which is within a frame or two'),
    empty: never('A filter of ranks dims the others on the map; it takes none away'),
    nothing: {
      faults: { 'case.open': { set: [[['report', 'ranks'], []]] } },
      at: '.empty',
      words: /^0 ranks known.*nccl_trace_rank_N files would fill this map/s,
      offers: [/^Show the files$/],
    },
    degraded: {
      faults: { 'ranks.at': DAMAGED },
      at: '.ranks .banner[data-tone="error"]',
      words: /^This moment could not be read: page 7\. The last one stays/,
    },
  },
  Clocks: {
    ...framed,
    ...begins(
      'clocks.view',
      /^Reading what is known of the clocks/,
      /^The clocks cannot be read.*other screens still work/s,
    ),
    refreshing: elsewhere('clocks.e2e.ts', 'are set with a reason, analysed again, named, and set back by undo'),
    empty: never('It has no filter: all clocks are rows of its table'),
    nothing: {
      faults: { 'clocks.view': { value: { view: null, settings: [] } } },
      at: '.clocks .empty, .empty',
      words: /none related to another.*Nothing in this bundle ties two of them together/,
    },
    degraded: elsewhere(
      'clocks.e2e.ts',
      'of many nodes: the least certain are drawn, the others counted and in the table',
    ),
  },
  Evidence: {
    ...framed,
    ...begins('entry.list', /^Reading the file list/, /^The file list cannot be read.*other screens still work/s),
    refreshing: never('Files of a case never change: the list is read once'),
    empty: {
      faults: {},
      act: (app) => app.page.getByRole('textbox', { name: 'Find file' }).fill('zebra'),
      at: '.evidence .empty',
      words: /^0 of [\d\u2009]+ files match.*The filter “zebra” leaves nothing/,
      offers: [/^Show all files$/],
    },
    nothing: {
      faults: { 'entry.list': { value: { rows: [], total: 0 } } },
      at: '.evidence .empty',
      words: /^No file.*The list of files of this case is empty/s,
    },
    refused: elsewhere('states.e2e.ts', 'shows a refused dump as bytes only, with what was found'),
    degraded: elsewhere('hostile.e2e.ts', 'is shown as it is and does nothing, from the real engine'),
  },
  Report: {
    ...framed,
    ...begins('export.preview', /^Preparing the report/, /^The report cannot be prepared.*other screens still work/s),
    refreshing: {
      faults: {},
      act: async (app) => {
        await app.page.waitForSelector('.paper-pages[data-complete="true"]');
        app.fault({ 'export.preview': { delayMs: LATE } });
        await app.page.locator('.section-row').last().focus();
        await app.page.keyboard.press(' ');
      },
      at: '.case-shell-body .refreshing',
      words: /^$/,
    },
    empty: {
      faults: { 'export.preview': { set: [[['document', 'sections'], []]] } },
      at: '.report .empty',
      words: /^No section is switched on/,
    },
    nothing: never('A report always has its verdict, also that nothing can be told'),
    degraded: elsewhere('report.e2e.ts', 'is stopped by a record that cannot be scanned until that is left out'),
  },
  Compare: {
    ...framed,
    ...begins('compare.cases', /^Comparing the two cases/, /^The two cases cannot be compared/),
    refreshing: never('Two cases on disk do not change; a new analysis opens the comparison anew'),
    empty: elsewhere(
      'compare.e2e.ts',
      'tells what differs first, what is the same after it, and hides the same on demand',
    ),
    nothing: {
      faults: { 'compare.cases': { error: { code: 'case-not-found', detail: 'gone' } } },
      at: '.case-shell-body [role="alert"]',
      words: /^The two cases cannot be compared.*The case is not in the case folder any more/,
      offers: [/^Choose another case$/],
    },
    degraded: never('Rows are facts of two reports, all of them listed'),
  },
};
