/** The global filter: range, basis of time, zone, ranks. A part that the screen does not follow is struck through, with the reason. */
import './context-bar.css';
import { ChevronDown, Link, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { TextField } from '../../components/fields.tsx';
import { Menu, MenuChoice, MenuLabel, Popover, Tooltip } from '../../components/layers.tsx';
import { useOrigin } from '../../data/origin.ts';
import { type ContextPart, SCREEN_IGNORES, useContextUse } from '../../stores/context-use.ts';
import type { CaseScreen } from '../../stores/navigation.ts';
import { usePreferences, ZONES, type ZoneKind } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import { clusterZone } from '../../viewmodels/cluster-zone.ts';
import { contextParts } from '../../viewmodels/context-parts.ts';
import { parseScope, scopeChips } from '../../viewmodels/scope.ts';
import { displayZone, zoneName } from '../../viewmodels/times.ts';
import { runCommand } from './commands.ts';
import { useShownKeys } from './platform.ts';
import { RangePart } from './range-part.tsx';

interface ContextBarProps {
  readonly caseId: CaseId;
  readonly screen: CaseScreen;
  readonly report: Report;
}

export function ContextBar({ caseId, screen, report }: ContextBarProps) {
  const origin = useOrigin(caseId);
  const declared = useContextUse((state) => state.declared);
  const keys = useShownKeys();
  const ignored = (part: ContextPart): string | undefined => declared[part] ?? SCREEN_IGNORES[screen][part];
  return (
    <section className="context-bar" aria-label="Context" data-pane="context" data-help="context">
      <RangePart report={report} origin={origin} ignored={ignored('range')} />
      <BasisPart report={report} ignored={ignored('basis')} />
      <ZonePart report={report} ignored={ignored('zone')} />
      <RanksPart report={report} ignored={ignored('ranks')} />
      <Tooltip text={`Copy a line that brings this view back, ${keys('Mod+Shift+C')}`}>
        <button
          type="button"
          className="context-part context-locator"
          aria-label="Copy locator"
          onClick={() => runCommand('copy-locator')}
        >
          <Link className="icon-14" strokeWidth={1.75} aria-hidden="true" />
          <span>Copy locator</span>
        </button>
      </Tooltip>
    </section>
  );
}

/** What all parts share: a filter that is set and that the screen does not follow is struck through, with the reason. */
export function Part({
  text,
  ignored,
  raw = false,
  held = false,
  children,
}: {
  readonly text: string;
  readonly ignored: string | undefined;
  readonly raw?: boolean;
  /** A form hangs on it: no tooltip over that. */
  readonly held?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Tooltip held={held} text={ignored === undefined ? text : `Not followed by this screen. ${ignored}`}>
      <div className="context-part" data-ignored={ignored !== undefined} data-basis={raw ? 'raw' : undefined}>
        {children}
        {ignored !== undefined && <span className="sr-only">{`not followed by this screen: ${ignored}`}</span>}
      </div>
    </Tooltip>
  );
}

function BasisPart({ report, ignored }: { readonly report: Report; readonly ignored: string | undefined }) {
  const basis = useSelection((state) => state.basis);
  const setBasis = useSelection((state) => state.setBasis);
  const keys = useShownKeys();
  const parts = contextParts(report);
  const raw = parts.raw || basis === 'raw';
  if (parts.raw) {
    return (
      <Part text={parts.basisNote} ignored={undefined} raw>
        {parts.basis}
      </Part>
    );
  }
  return (
    <Part text={`${parts.basisNote} Switch: ${keys('t')}`} ignored={raw ? ignored : undefined} raw={raw}>
      <Menu
        trigger={
          <button type="button" className="context-button">
            {raw ? <strong>Raw clocks</strong> : <span>{parts.basis}</span>}
            <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
      >
        <MenuLabel text="Times of all screens" />
        <MenuChoice
          value={basis}
          options={[
            { value: 'corrected', label: parts.basis },
            { value: 'raw', label: 'Raw, as each node wrote them' },
          ]}
          onChoose={(value) => setBasis(value === 'raw' ? 'raw' : 'corrected')}
        />
      </Menu>
    </Part>
  );
}

const ZONE_LABELS: Readonly<Record<ZoneKind, string>> = {
  utc: 'UTC',
  local: 'Time of this machine',
  cluster: 'Time of the cluster',
  onset: 'From the first fault',
  epoch: 'Epoch ns',
};

function ZonePart({ report, ignored }: { readonly report: Report; readonly ignored: string | undefined }) {
  const zone = usePreferences((state) => state.zone);
  const setZone = usePreferences((state) => state.setZone);
  const parts = contextParts(report);
  const cluster = clusterZone(report);
  const offered: Readonly<Record<ZoneKind, boolean>> = {
    ...{ utc: true, local: true, epoch: true },
    ...{ cluster: cluster !== null, onset: report.verdict.at !== null },
  };
  const name = zoneName(displayZone(), report.incident.start);
  const unproven = zone === 'cluster' && cluster === null ? ' The bundle proves no zone of its cluster.' : '';
  const zoneText = `All times are written in ${name}.${unproven} ${parts.zoneNote}`.trim();
  const label = `${name}${parts.zoneAssumed ? ', partly assumed' : ''}`;
  return (
    <Part text={zoneText} ignored={zone === 'utc' ? undefined : ignored}>
      <Menu
        trigger={
          <button type="button" className="context-button">
            {zone === 'utc' ? <span>{label}</span> : <strong>{label}</strong>}
            <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
      >
        <MenuLabel text="Times are written as" />
        <MenuChoice
          value={zone}
          options={ZONES.filter((kind) => offered[kind]).map((kind) => ({
            value: kind,
            label: `${ZONE_LABELS[kind]}${kind === 'cluster' && cluster !== null ? `: ${cluster.words}` : ''}`,
          }))}
          onChoose={(value) => setZone(ZONES.find((kind) => kind === value) ?? 'utc')}
        />
      </Menu>
    </Part>
  );
}

function RanksPart({ report, ignored }: { readonly report: Report; readonly ignored: string | undefined }) {
  const ranks = useSelection((state) => state.ranks);
  const setRanks = useSelection((state) => state.setRanks);
  const [open, setOpen] = useState(false);
  const chips = scopeChips(ranks, report);
  const all = contextParts(report).ranks;
  return (
    <>
      <Part
        text={chips.length === 0 ? 'No filter on ranks' : 'Only these ranks are shown'}
        ignored={chips.length === 0 ? undefined : ignored}
      >
        {chips.length === 0 && <span>{all}</span>}
        {chips.map((chip) => (
          <span key={chip.key} className="context-chip">
            <strong>{chip.label}</strong>
            <IconButton label={`Remove the filter ${chip.label}`} onClick={() => setRanks(chip.rest)}>
              <X className="icon-12" strokeWidth={1.75} />
            </IconButton>
          </span>
        ))}
      </Part>
      <Popover
        label="Filter ranks"
        open={open}
        onOpen={setOpen}
        trigger={
          <button type="button" className="context-part context-add">
            <Plus className="icon-14" strokeWidth={1.75} aria-hidden="true" />
            Filter
          </button>
        }
      >
        <RanksForm report={report} onDone={() => setOpen(false)} />
      </Popover>
    </>
  );
}

function RanksForm({ report, onDone }: { readonly report: Report; readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const setRanks = useSelection((state) => state.setRanks);
  const answer = parseScope(text, report);
  const count = answer.ok ? answer.ranks.length : 0;
  const apply = () => {
    if (!answer.ok || count === 0) return;
    setRanks(answer.ranks);
    onDone();
  };
  return (
    <>
      <TextField
        label="Ranks, or a node, Pod or group"
        value={text}
        placeholder="37, 40-47"
        problem={answer.ok ? '' : answer.why}
        autoFocus
        onChange={setText}
        onEnter={apply}
      />
      <div className="popover-note" data-bad={!answer.ok} role="status">
        {!answer.ok
          ? answer.why
          : count === 0
            ? 'All screens that can follow show only these ranks.'
            : count === 1
              ? '1 rank'
              : `${count} ranks`}
      </div>
      <div className="popover-actions">
        <Button kind="primary" aria-disabled={count === 0} onClick={apply}>
          Filter ranks
        </Button>
        <Button
          kind="outlined"
          onClick={() => {
            setRanks([]);
            onDone();
          }}
        >
          Show all ranks
        </Button>
      </div>
    </>
  );
}
