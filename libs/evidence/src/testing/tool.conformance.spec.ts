import { readdirSync } from 'node:fs';
import type {
  PatternSearch,
  ReadMailHeaders,
  ReadTextSignals,
  Runbooks,
  ScamReports,
  Tool,
} from '@casefile/contracts';
import { aPolicyStore } from './policy-store.js';
import { pastCaseSubjects, pastCases } from './past-case-subjects.js';
import { storms, stormSubjects } from './storm-subjects.js';
import { policySubjects } from './policy-subjects.js';
import { webSubjects } from './web-subjects.js';
import type { EvidenceSettings } from '../settings.js';
import { createTools, toolNames } from '../tools/index.js';
import { EXA_SEARCH, rdapDomain, virusTotalDomain } from './documented-answers.js';
import { someSettings } from './settings.js';
import { describeTool, type ToolSubject } from './tool.conformance.js';

const REPORT = { reportCount: 47, riskScore: 92, firstReportedAt: '2025-03-01', lastReportedAt: null };
const scamReports: ScamReports = {
  find: (_type, value) => Promise.resolve(value === '+12025550143' ? REPORT : null),
};

const PATTERN = {
  id: 'parcel-fee',
  title: 'A fee for a parcel',
  texts: { en: 'Pay for your parcel' },
  category: 'parcel',
  scamType: 'advance_fee',
  redFlags: ['small fee'],
  source: 'desk',
  version: 1,
};
const patterns: PatternSearch = {
  locality: 'local',
  search: () =>
    Promise.resolve({
      matches: [{ pattern: PATTERN, language: 'en', similarity: 0.92, cosine: 0.92, words: null }],
      patterns: 1,
      revision: 2,
      model: 'fake',
      lookedUpBy: 'vectors',
      levels: { highFrom: 0.85, mediumFrom: 0.7 },
    }),
};

const readText: ReadTextSignals = async (text) => ({
  signals: [{ kind: 'asks_money', words: [text], language: 'en' }],
  notes: [],
  legitimacy: [],
  weight: 1,
  isRead: true,
  asks: true,
  messageModel: { score: 0.71, words: ['Pay'] },
});
const readMailHeaders: ReadMailHeaders = async ({ from }, { language }, trusted) => ({
  form: 'mail',
  authentication: { checked: false, why: `trusted: ${trusted.length}, language: ${language}` },
  signals: [{ kind: 'sender_poses', weight: 2, words: [from?.address ?? ''] }],
  legitimacy: [],
  weight: 2,
  ownDomains: [],
  citesLinks: false,
  isLong: false,
  isLetter: false,
  isRead: true,
  requests: [],
});
const policies = aPolicyStore();
const RUNBOOK = {
  title: 'Full disk',
  text: '# Full disk',
  source: 'books/disk.md',
  pin: `sha256:${'0'.repeat(64)}`,
  why: 'A rule names it for the labels team=storage.',
  ambiguous: ['other'],
};
const runbooks: Runbooks = {
  findRunbook: async ({ labels }) =>
    labels['team'] === 'storage'
      ? { found: true, by: 'labels', name: 'disk', ...RUNBOOK }
      : { found: false, why: 'No rule fits this alert, and there is no default runbook.' },
};

const MAIL = {
  from: { name: 'Bank', address: 'help@bank.example' },
  replyTo: [],
  returnPath: null,
  to: [],
  cc: [],
  list: null,
  isReply: false,
  forwarded: null,
  authenticationResults: [],
  links: [],
  forms: [],
  attachments: [],
  writesTo: [],
  page: null,
};

/** One result of one run, of two pages. */
const STORED = '0a6f5f7f-2b1c-4c1d-9d0e-0a6f5f7f2b1c';
const storedResults = {
  read: async (runId: string, id: string) =>
    runId === 'run-1' && id === STORED ? `${'a line\n'.repeat(1_500)}The disk is full.` : null,
};

const readWebPage = async (url: string) => ({
  url,
  title: 'A page',
  text: 'A text',
  author: null,
  published: null,
  language: null,
  canonical: null,
  site: null,
  notices: [],
  sha256: 'ab',
  bytes: 6,
  readAt: '2026-01-05T10:00:00.000Z',
});

function toolNamed(name: string, settings: EvidenceSettings): Tool {
  const ports = {
    scamReports,
    patternSearch: patterns,
    policies,
    readMailHeaders,
    readText,
    runbooks,
    storedResults,
    pastCases,
    storms,
    readWebPage,
  };
  const tool = createTools(settings, ports).find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

const key = { apiKey: 'secret-key-0123' };

const SUBJECTS: Record<string, ToolSubject[]> = {
  scam_db: [
    {
      requirement: 'S1-11',
      make: (_baseUrl, limits) => toolNamed('scam_db', someSettings({ limits })),
      args: { entityType: 'phone', entityValue: '+12025550143' },
      finds: { found: true, ...REPORT },
    },
  ],
  exa_search: [
    {
      requirement: 'S1-12',
      make: (baseUrl, limits) => toolNamed('exa_search', someSettings({ exa: { ...key, baseUrl }, limits })),
      args: { entityType: 'phone', entityValue: '+12025550143' },
      documented: EXA_SEARCH,
      finds: {
        query: 'complaints and scam reports about the phone number "+12025550143"',
        results: [
          {
            title: 'Parcel fee text messages are a scam',
            url: 'https://complaints.example/1',
            published: '2025-11-16T01:36:32.547Z',
            snippet: 'I got a text about a parcel fee and paid.',
          },
          { title: '', url: 'https://forum.example/2', published: null, snippet: 'Same here.' },
        ],
      },
      bare: () => toolNamed('exa_search', someSettings()),
    },
  ],
  domain_reputation: [
    {
      by: 'VirusTotal alone',
      requirement: 'S1-13',
      make: (baseUrl, limits) =>
        toolNamed('domain_reputation', someSettings({ virusTotal: { ...key, baseUrl }, limits })),
      args: { entityType: 'domain', entityValue: 'parcel-fee.com' },
      documented: virusTotalDomain(9),
      finds: { riskLevel: 'high', virustotalMalicious: 9, ageDays: null, listed: null, missing: ['rdap'] },
      bare: () => toolNamed('domain_reputation', someSettings()),
    },
    {
      by: 'RDAP alone',
      requirement: 'S1-13',
      make: (baseUrl, limits) => toolNamed('domain_reputation', someSettings({ rdap: { baseUrl }, limits })),
      args: { entityType: 'url', entityValue: 'https://www.parcel-fee.com/pay?x=1' },
      documented: rdapDomain('2025-12-30T09:00:00Z'),
      finds: { riskLevel: 'medium', virustotalMalicious: null, ageDays: 6, missing: ['virustotal'] },
    },
  ],
  phone_validator: [
    {
      requirement: 'S1-14',
      make: (_baseUrl, limits) => toolNamed('phone_validator', someSettings({ limits })),
      args: { entityType: 'phone', entityValue: '+12025550143' },
      finds: { suspicious: false, suspiciousReason: null, numberType: 'fixed_line_or_mobile', country: 'US' },
    },
  ],
  find_similar_scams: [
    {
      requirement: 'S3-11',
      make: (_baseUrl, limits) => toolNamed('find_similar_scams', someSettings({ limits })),
      args: { entityType: 'message', entityValue: 'Pay for your parcel today' },
      finds: {
        matches: [
          {
            number: 1,
            similarity: 0.92,
            level: 'HIGH',
            patternId: 'parcel-fee',
            title: 'A fee for a parcel',
            category: 'parcel',
            scamType: 'advance_fee',
            language: 'en',
            text: 'Pay for your parcel',
            redFlags: ['small fee'],
          },
        ],
        patterns: 1,
        revision: 2,
        embeddingModel: 'fake',
      },
    },
  ],
  mail_headers: [
    {
      requirement: 'S1-17',
      make: (_baseUrl, limits) =>
        toolNamed('mail_headers', someSettings({ limits, trustedAuthservIds: ['mx.home.example'] })),
      args: { mail: MAIL, text: 'Hello' },
      wrong: [
        ['mail', { text: 'Hello' }],
        ['text', { mail: MAIL, text: 7 }],
        ['mail.from', { mail: { ...MAIL, from: 'x' }, text: '' }],
      ],
      finds: {
        form: 'mail',
        authentication: { checked: false, why: 'trusted: 1, language: und' },
        signals: [{ kind: 'sender_poses', weight: 2, words: ['help@bank.example'] }],
        legitimacy: [],
        weight: 2,
        ownDomains: [],
        isRead: true,
        requests: [],
      },
    },
  ],
  text_signals: [
    {
      requirement: 'S1-16',
      make: (_baseUrl, limits) => toolNamed('text_signals', someSettings({ limits })),
      args: { text: 'Pay for your parcel today' },
      wrong: [
        ['text', { text: '' }],
        ['text', { entityType: 'phone', entityValue: 'x' }],
        ['patterns', { text: 'x', patterns: 6 }],
      ],
      finds: {
        signals: [{ kind: 'asks_money', words: ['Pay for your parcel today'], language: 'en' }],
        notes: [],
        legitimacy: [],
        count: 1,
        weight: 1,
        isRead: true,
        message_model: { score: 0.71, words: ['Pay'] },
        nearestPatterns: [
          {
            number: 1,
            similarity: 0.92,
            level: 'HIGH',
            title: 'A fee for a parcel',
            category: 'parcel',
            pattern: 'Pay for your parcel',
          },
        ],
      },
    },
  ],
  runbook_find: [
    {
      requirement: 'S2-41',
      make: (_baseUrl, limits) => toolNamed('runbook_find', someSettings({ limits })),
      args: { labels: { team: 'storage' }, alertType: 'DiskFull', url: 'any text' },
      wrong: [
        ['labels', { alertType: 'x' }],
        ['labels.a', { labels: { a: 1 }, alertType: 'x' }],
        ['alertType', { labels: {} }],
        ['url', { labels: {}, alertType: 'x', url: null }],
        ['text', { labels: {}, alertType: 'x', text: 'x' }],
      ],
      finds: { found: true, ...RUNBOOK },
    },
    {
      by: 'no rule',
      requirement: 'S2-41',
      make: (_baseUrl, limits) => toolNamed('runbook_find', someSettings({ limits })),
      args: { labels: {}, alertType: '' },
      wrong: [['labels', { labels: [], alertType: '' }]],
      finds: { found: false, why: 'No rule fits this alert, and there is no default runbook.' },
    },
  ],
  stored_result: [
    {
      by: 'search',
      requirement: 'S2-47',
      make: (_baseUrl, limits) => toolNamed('stored_result', someSettings({ limits })),
      args: { id: STORED, search: 'DISK' },
      wrong: [
        ['id', { id: 'x' }],
        ['id', { page: 1 }],
        ['page', { id: STORED, page: 0 }],
        ['search', { id: STORED, search: ' ' }],
        ['runId', { id: STORED, runId: 'run-2' }],
      ],
      finds: {
        id: STORED,
        search: 'DISK',
        found: 1,
        matches: [{ page: 2, text: expect.stringMatching(/The disk is full\.$/) }],
      },
    },
    {
      by: 'page',
      requirement: 'S2-47',
      make: (_baseUrl, limits) => toolNamed('stored_result', someSettings({ limits })),
      args: { id: STORED, page: 2 },
      wrong: [['page', { id: STORED, page: 1.5 }]],
      finds: { id: STORED, page: 2, pages: 2, text: expect.stringMatching(/^\n.*The disk is full\.$/s) },
    },
  ],
  ...webSubjects(toolNamed),
  ...pastCaseSubjects(toolNamed),
  ...stormSubjects(toolNamed),
  ...policySubjects(toolNamed),
};

describe('the list of tools', () => {
  const tools = createTools(someSettings(), { scamReports, patternSearch: patterns });

  it('S1-10 has one tool for each file of the folder', () => {
    const folder = new URL('../tools/', import.meta.url);
    const files = readdirSync(folder).filter((name) => !/(^index|\.spec)\.ts$/.test(name));
    expect(files).toHaveLength(tools.length);
  });

  it('S1-10 has no name twice, and each is put to the test', () => {
    expect(tools.map((tool) => tool.name).sort()).toEqual(Object.keys(SUBJECTS).sort());
    expect(tools.map((tool) => tool.name)).toEqual(toolNames);
  });

  const remote = (over: Parameters<typeof someSettings>[0]) =>
    createTools(someSettings(over), { scamReports, patternSearch: patterns }).flatMap(({ name, locality }) =>
      locality === 'remote' ? [name] : [],
    );

  it('S1-12 S1-13 runs what leaves the process as jobs of its own', () => {
    const baseUrl = 'http://127.0.0.1:1';
    const keys = { exa: { baseUrl, apiKey: 'k' }, virusTotal: { baseUrl, apiKey: 'k' } };
    expect(remote(keys)).toEqual(['exa_search', 'domain_reputation', 'pi_search', 'web_search', 'read_page']);
    expect(remote({ rdap: { baseUrl } })).toEqual(['domain_reputation', 'pi_search', 'read_page']);
  });

  it('S1-15 needs no queue where there is no server to call; S4-10 but for a search that a model may lead, and pages of the web', () => {
    expect(remote({})).toEqual(['pi_search', 'read_page']);
  });

  it('lays the settings over the limits of a tool', () => {
    const limits = { exa_search: { attempts: 1, perSecond: undefined } };
    const tool = createTools(someSettings({ limits }), { scamReports, patternSearch: patterns }).find(
      (each) => each.name === 'exa_search',
    );
    expect(tool?.limits).toMatchObject({ attempts: 1, perSecond: 5 });
  });
});

for (const subject of Object.values(SUBJECTS).flat()) describeTool(subject);
