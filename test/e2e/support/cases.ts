/** Cases that tests begin with: a generated incident on disk, a bundle opened up to its verdict, both bundled examples in one library. */
import { buildIncident, type IncidentSpec } from '../../support/incidents/index.ts';
import { saveAsFolder } from '../../support/incidents/save.ts';
import { OverviewPage } from '../pages/overview-page.ts';
import { EXAMPLE, LARGE_EXAMPLE } from './bundles.ts';
import { type LaunchOptions, launch, type RunningApp } from './launch.ts';

/** Writes the incident's bundle as `folder` and gives that back. */
export async function saveIncident(spec: IncidentSpec, folder: string): Promise<string> {
  await saveAsFolder(buildIncident(spec), folder);
  return folder;
}

/** The app with the bundle imported and its verdict on screen. */
export async function launchCase(path: string, options: LaunchOptions = {}): Promise<RunningApp> {
  const app = await launch({ args: [`--open=${path}`], ...options });
  await new OverviewPage(app.page).shown();
  return app;
}

/** The large example on screen, by `start`; the small one is in the library of `home` as well. */
export async function launchExamples<App extends RunningApp>(
  home: string,
  start: (options: LaunchOptions) => Promise<App>,
): Promise<App> {
  const first = await launchCase(EXAMPLE, { home });
  await first.close();
  const app = await start({ home, args: [`--open=${LARGE_EXAMPLE}`] });
  await new OverviewPage(app.page).shown();
  return app;
}
