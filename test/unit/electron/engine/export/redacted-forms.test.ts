import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownHashes, redactInputs } from '#engine/export/redact-inputs.ts';
import { replyToSender } from '#shared/report/reply/index.ts';
import { type Report, reportSchema } from '#shared/report/schema.ts';
import {
  buildDocument,
  type DocumentInput,
  documentHtml,
  documentMarkdown,
  SECTION_IDS,
} from '#shared/report/sections/index.ts';
import { HOSTILE_TEXT, hostileReport } from '../../../../e2e/support/hostile-report.ts';
import { namedReport } from '../../../../e2e/support/named-report.ts';

const ALL = SECTION_IDS.map((id) => ({ id, on: true }));

function inputOf(report: Report, change: Partial<DocumentInput> = {}): DocumentInput {
  return { title: report.bundle.name, report, notes: [], files: [], figure: null, ...change };
}

function forms(input: DocumentInput, redacted: boolean): Readonly<Record<string, string>> {
  const document = buildDocument(input, ALL, redacted);
  return {
    html: documentHtml(document),
    markdown: documentMarkdown(document),
    json: JSON.stringify(input.report),
    reply: replyToSender(input.report),
  };
}

/** Puts a name everywhere a bundle could: fields of their own, sentences, file names, frames, keys, notes, the figure. */
function plant(
  base: Report,
  { node, pod, ip, user }: Readonly<Record<'node' | 'pod' | 'ip' | 'user', string>>,
): DocumentInput {
  const said = `Pod ${pod} on ${node} (${ip}) of ${user}: /home/${user}/job/train.py`;
  const verdict = {
    ...base.verdict,
    node,
    pod,
    summary: `Rank 11 stopped. ${said}`,
    because: base.verdict.because.map((item) => ({ ...item, text: said, file: `logs/${pod}.log` })),
    wouldChange: [said],
    nextChecks: [`ssh ${user}@${node} and look at ${ip}`],
    candidates: [{ ranks: [3], why: said }],
  };
  const [first] = base.findings;
  const report: Report = {
    ...base,
    verdict,
    findings: first === undefined ? [] : [{ ...first, ...verdict }],
    incident: { ...base.incident, software: { torch: '2.8.0', [node]: said } },
    ranks: base.ranks.map((rank) => ({ ...rank, node, pod, files: [`logs/${pod}.log`], basis: [said] })),
    gaps: base.gaps.map((gap) => ({ ...gap, where: `${pod} ${ip}`, collect: `kubectl logs ${pod}` })),
    issues: [{ code: 'x', severity: 'warning', file: `logs/${node}/${pod}.log`, where: null, count: 1, text: said }],
    collectives: {
      ...base.collectives,
      firstDivergence: {
        group: 'default_pg',
        seq: 4812,
        kind: 'op',
        ranks: [11],
        expected: 'allreduce',
        actual: 'broadcast',
        basis: 'dump',
        why: said,
        frames: [{ ranks: [11], frames: [`/home/${user}/job/train.py:12 step`] }],
      },
    },
  };
  return inputOf(report, {
    title: `${pod} hang`,
    notes: [
      {
        about: `logs/${pod}.log:3`,
        starred: true,
        text: said,
        excerpt: `${node} ${ip}`,
        written: '2026-03-14T10:00:00Z',
      },
    ],
    files: [{ path: `logs/${node}/${pod}.log`, bytes: 1, sha256: 'a'.repeat(64), status: 'read' }],
    figure: {
      lanes: [{ label: node, first: true, bars: [{ from: 0, to: 1, state: 'first', label: pod }], missing: null }],
      ticks: [],
      fault: null,
      caption: 'nothing of a bundle',
    },
  });
}

const planted = fc.record({
  node: fc.tuple(fc.stringMatching(/^[a-z]{3,6}$/), fc.nat(99)).map(([name, n]) => `${name}-gpu${n}q`),
  pod: fc.tuple(fc.stringMatching(/^[a-z]{3,6}$/), fc.nat(99)).map(([name, n]) => `${name}-llm-w${n}`),
  ip: fc.tuple(fc.integer({ min: 11, max: 99 }), fc.nat(255), fc.nat(255)).map(([a, b, c]) => `10.${a}.${b}.${c}`),
  user: fc.stringMatching(/^[b-y]{4,7}zz$/),
});

describe('a redacted report', () => {
  it('holds no original in any form, and its JSON still fits the schema', () => {
    const base = namedReport();
    fc.assert(
      fc.property(planted, (names) => {
        const { input, redactor } = redactInputs(plant(base, names), { words: [], known: [], learn: [] });
        expect(redactor.unscanned).toEqual([]);
        for (const [form, text] of Object.entries(forms(input, true))) {
          for (const original of Object.values(names)) expect(text.toLowerCase(), form).not.toContain(original);
        }
        expect(reportSchema.safeParse(input.report).success).toBe(true);
        expect(input.report.verdict.firstRanks).toEqual([11]);
        expect(input.report.collectives.firstDivergence?.expected).toBe('allreduce');
      }),
      { numRuns: 60 },
    );
  });

  it('is the same text for the same case, and says that it is redacted', () => {
    const names = { node: 'acme-gpu7q', pod: 'acme-llm-w3', ip: '10.42.7.19', user: 'bobzz' };
    const make = () =>
      forms(redactInputs(plant(namedReport(), names), { words: [], known: [], learn: [] }).input, true);
    expect(make()).toEqual(make());
    expect(make()['html']).toContain(', redacted</title>');
    expect(make()['markdown']).toMatch(/^# Incident report, .*, redacted\n/);
  });

  it('keeps the hashes of files', () => {
    const names = { node: 'acme-gpu7q', pod: 'acme-llm-w3', ip: '10.42.7.19', user: 'bobzz' };
    const raw = plant(namedReport(), names);
    const { input, redactor } = redactInputs(raw, { words: [], known: [], learn: [] });
    expect(forms(input, true)['markdown']).toContain('a'.repeat(64));
    expect(redactor.survives(`see ${'a'.repeat(64)}`, knownHashes(raw))).toBe(false);
  });

  it('names the section of a text that cannot be scanned', () => {
    const base = namedReport();
    const report = { ...base, gaps: base.gaps.map((gap, i) => (i === 0 ? { ...gap, where: 'dir\ufffd\ufffd' } : gap)) };
    const { redactor } = redactInputs(inputOf(report), { words: [], known: [], learn: [] });
    expect(redactor.unscanned).toEqual([{ section: 'gaps', where: 'gaps.where', why: 'not-text' }]);
  });
});

describe('hostile texts', () => {
  const hostile = inputOf(hostileReport(), {
    title: HOSTILE_TEXT,
    notes: [
      { about: HOSTILE_TEXT, starred: true, text: '```\n# not a heading', excerpt: '``` </pre><script>', written: '' },
    ],
    files: [{ path: HOSTILE_TEXT, bytes: 1, sha256: null, status: 'read' }],
    figure: {
      lanes: [
        {
          label: HOSTILE_TEXT,
          first: true,
          bars: [{ from: 0, to: 1, state: 'first', label: '"><script>' }],
          missing: HOSTILE_TEXT,
        },
      ],
      ticks: [{ at: 0.5, label: '<b>' }],
      fault: { at: 0.5, half: 0.1 },
      caption: HOSTILE_TEXT,
    },
  });
  const { html = '', markdown = '' } = forms(hostile, false);

  it('start no markup in HTML, and the page forbids what could act', () => {
    const tags = new Set([...html.matchAll(/<\/?([a-zA-Z][\w-]*)/g)].map(([, tag]) => tag));
    for (const tag of ['script', 'img', 'iframe', 'a', 'link', 'object', 'b']) expect(tags.has(tag), tag).toBe(false);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
    // Outside of quoted values; a quote of the bundle is `&quot;` and ends none.
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/i);
  });

  it('start no HTML and end no fence in Markdown', () => {
    // In fences and code spans nothing acts; what is left must be escaped.
    const outside = markdown.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '').replace(/(?<!\\)`[^`\n]*`/g, '');
    expect(outside).not.toMatch(/(?<!\\)<(?:script|img)/);
    expect(outside).not.toMatch(/^# not a heading/m);
    expect(markdown).toContain('````\n``` </pre><script>\n````');
    expect(markdown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
  });
});
