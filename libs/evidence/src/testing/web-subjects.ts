import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { EvidenceSettings } from '../settings.js';
import { EXA_SEARCH } from './documented-answers.js';
import { someSettings } from './settings.js';
import type { ToolSubject } from './tool.conformance.js';

const STORED_PAGE = { url: 'https://pages.example/1', name: '停電補償的申請方式', site: 'pages.example' };
const OTHER_PAGE = { url: 'https://pages.example/2', name: '天氣預報' };

function storedPages(): string {
  const file = join(temporaryFolder('pages'), 'pages.json');
  writeFileSync(file, JSON.stringify([OTHER_PAGE, STORED_PAGE]));
  return file;
}

const key = { apiKey: 'secret-key-0123' };

/** Setups for the web search: with a search engine, and over stored pages. */
export function webSubjects(
  toolNamed: (name: string, settings: EvidenceSettings) => Tool,
): Record<string, ToolSubject[]> {
  return {
    web_search: [
      {
        requirement: 'S5-21',
        make: (baseUrl, limits) =>
          toolNamed('web_search', someSettings({ exa: { ...key, baseUrl }, limits })),
        args: { query: 'parcel fee' },
        wrong: [
          ['query', { query: ' ' }],
          ['query', { results: 3 }],
          ['results', { query: 'x', results: 26 }],
        ],
        documented: EXA_SEARCH,
        finds: {
          query: 'parcel fee',
          results: [
            {
              title: 'Parcel fee text messages are a scam',
              url: 'https://complaints.example/1',
              published: '2025-11-16T01:36:32.547Z',
              text: 'I got a text about a parcel fee and paid.',
            },
            { title: '', url: 'https://forum.example/2', published: null, text: 'Same here.' },
          ],
        },
        bare: () => toolNamed('web_search', someSettings()),
      },
      {
        by: 'stored pages',
        requirement: 'S5-21',
        make: (_baseUrl, limits) => toolNamed('web_search', someSettings({ limits, pages: storedPages() })),
        args: { query: '停電補償 申請' },
        wrong: [['query', { query: '' }]],
        finds: { query: '停電補償 申請', results: [STORED_PAGE] },
        bare: () => toolNamed('web_search', someSettings({ pages: storedPages() })),
        bareArgs: { query: 'quite another thing' },
      },
    ],
    read_page: [
      {
        requirement: 'T-61',
        make: (_baseUrl, limits) => toolNamed('read_page', someSettings({ limits })),
        args: { url: 'https://news.example/a' },
        wrong: [
          ['url', {}],
          ['url', { url: 'file:///etc/passwd' }],
          ['url', { url: `https://news.example/${'a'.repeat(2_048)}` }],
        ],
        finds: { url: 'https://news.example/a', text: 'A text', sha256: 'ab' },
      },
    ],
  };
}
