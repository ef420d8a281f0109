/** The files of the case in one of two forms. */
import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/states.tsx';
import { useQuery } from '../../data/query.ts';
import { ALL_FILES, type FileChoice } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import {
  type CoverageModel,
  type CoverageRow,
  coverageModel,
  coverageNews,
  coverageRows,
} from '../../viewmodels/coverage.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { type Citation, filterFiles } from '../../viewmodels/file-rows.ts';
import { CoverageList } from './coverage-list.tsx';
import { FileTable } from './file-table.tsx';

/** The case's files over time, in the basis that is shown; null while it is read, and where nothing is told of it. */
export function useCoverage(caseId: CaseId): CoverageModel | null {
  const answer = useQuery('evidence.coverage', { caseId });
  const basis = useSelection((state) => state.basis);
  const view = answer.state === 'ready' ? answer.value : null;
  return useMemo(() => (view === null ? null : coverageModel(view, basis)), [view, basis]);
}

export interface ShownFiles {
  /** Of the chosen node. */
  readonly rows: readonly EntryRow[];
  /** The same over time; empty where they are shown as a list. */
  readonly bars: readonly CoverageRow[];
  /** What stands out among the bars. */
  readonly news: readonly string[];
}

export function useShownFiles(all: readonly EntryRow[], files: FileChoice, coverage: CoverageModel | null): ShownFiles {
  return useMemo(() => {
    const node = files.node === 'all' ? null : files.node;
    const rows =
      node === null || coverage === null
        ? all
        : all.filter(({ id }) => coverage.spans.get(id)?.file.nodes.includes(node));
    if (coverage === null || files.show === 'list') return { rows, bars: [], news: [] };
    const whole = files.find === '' && files.kind === 'all' && files.status === 'all';
    const bars = coverageRows(coverage, filterFiles(rows, files), { node, whole });
    return { rows, bars, news: coverageNews(bars) };
  }, [all, files, coverage]);
}

interface FilesProps {
  readonly shown: ShownFiles;
  /** Of the case. */
  readonly total: number;
  readonly citations: ReadonlyMap<number, readonly Citation[]>;
  readonly files: FileChoice;
  readonly coverage: CoverageModel | null;
  readonly selected: number | null;
  readonly onOpen: (row: EntryRow) => void;
  readonly onChoose: (files: FileChoice) => void;
}

/** The files of the chosen node: as a list, or over time. */
export function Files({ shown, total, citations, files, coverage, selected, onOpen, onChoose }: FilesProps) {
  const none = <NoFiles files={files} total={total} onClear={() => onChoose({ ...ALL_FILES, show: files.show })} />;
  if (coverage !== null && files.show === 'coverage')
    return (
      <CoverageList
        model={coverage}
        rows={shown.bars}
        selected={selected}
        onOpen={onOpen}
        onDumps={(node) => onChoose({ ...files, show: 'list', kind: DUMP_KIND, ...(node === null ? {} : { node }) })}
        none={none}
      />
    );
  return (
    <FileTable
      rows={shown.rows}
      citations={citations}
      choice={files}
      coverage={coverage}
      selected={selected}
      onOpen={onOpen}
      none={none}
    />
  );
}

/** As the format of recorder dumps calls its files. */
const DUMP_KIND = 'Recorder dump';

function NoFiles({
  files,
  total,
  onClear,
}: {
  readonly files: FileChoice;
  readonly total: number;
  readonly onClear: () => void;
}) {
  const parts = [
    files.find === '' ? '' : `“${files.find}”`,
    files.kind === 'all' ? '' : files.kind,
    files.status === 'all' ? '' : files.status,
    files.node === 'all' ? '' : `node ${escapeText(files.node)}`,
  ].filter((part) => part !== '');
  if (total === 0)
    return (
      <Empty
        title="No file"
        text="The list of files of this case is empty: nothing that it says leads back to bytes. Import the bundle again."
      />
    );
  // Files without a stamp stand in the list only.
  if (parts.length === 0)
    return (
      <Empty title="No file with a time" text="No log, dump or list of events carries a stamp that can be placed." />
    );
  return (
    <Empty
      title={`0 of ${plural(total, 'file')} match`}
      text={`The filter ${parts.join(', ')} leaves ${files.show === 'list' ? 'nothing' : 'no file with a time'}.`}
    >
      <Button kind="outlined" onClick={onClear}>
        Show all files
      </Button>
    </Empty>
  );
}
