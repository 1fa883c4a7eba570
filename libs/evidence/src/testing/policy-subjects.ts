import type { Tool } from '@casefile/contracts';
import type { EvidenceSettings } from '../settings.js';
import { someSettings } from './settings.js';
import type { ToolSubject } from './tool.conformance.js';

const POLICY = { policyId: 'claims', version: 1 };

/** The tools of a policy check, with the policy store for tests. */
export const policySubjects = (
  toolNamed: (name: string, settings: EvidenceSettings) => Tool,
): Record<string, ToolSubject[]> => ({
  pi_search: [
    {
      requirement: 'S4-10',
      make: (_baseUrl, limits) => toolNamed('pi_search', someSettings({ limits })),
      args: { ...POLICY, query: 'excess for water' },
      wrong: [
        ['query', { ...POLICY, query: ' ' }],
        ['query', { ...POLICY, query: 7 }],
        ['limit', { ...POLICY, query: 'x', limit: 11 }],
        ['version', { policyId: 'claims', query: 'x' }],
        ['depth', { ...POLICY, query: 'x', depth: 2 }],
        ['by', { ...POLICY, query: 'x', by: 'chance' }],
      ],
      finds: {
        ...POLICY,
        found: 1,
        by: 'keywords',
        steps: [{ offered: 2, chosen: ['0003'] }],
        fallbackReason: null,
        usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
        nodes: [
          {
            nodeId: '0003',
            title: 'Excess',
            path: [],
            pages: { from: 3, to: 3 },
            lines: null,
            cut: false,
            text: 'Water carries an excess of £350. Subsidence carries more.',
          },
        ],
      },
    },
  ],
  facts_get: [
    {
      requirement: 'S4-11',
      make: (_baseUrl, limits) => toolNamed('facts_get', someSettings({ limits })),
      args: {
        name: 'Loss date',
        facts: [{ name: 'loss_date', value: '2026-04-02', confidence: 0.9, page: 2 }],
      },
      wrong: [
        ['name', { name: '', facts: [] }],
        ['name', { facts: [] }],
        ['facts', { name: 'x' }],
        ['facts[0].confidence', { name: 'x', facts: [{ name: 'x', value: 1, confidence: 2 }] }],
        ['why', { name: 'x', facts: [], why: 'to know' }],
      ],
      finds: {
        name: 'loss_date',
        found: 1,
        known: [],
        readings: [
          {
            factId: 'loss_date#1',
            name: 'loss_date',
            value: '2026-04-02',
            unit: null,
            confidence: 0.9,
            document: null,
            page: 2,
            box: null,
          },
        ],
      },
    },
  ],
  spans_tighten: [
    {
      requirement: 'S4-12',
      make: (_baseUrl, limits) => toolNamed('spans_tighten', someSettings({ limits })),
      args: { ...POLICY, nodeIds: ['0003', '0099'], query: 'water' },
      wrong: [
        ['nodeIds', { ...POLICY, nodeIds: [], query: 'x' }],
        ['nodeIds', { ...POLICY, nodeIds: '0003', query: 'x' }],
        ['query', { ...POLICY, nodeIds: ['0003'] }],
        ['policyId', { version: 1, nodeIds: ['0003'], query: 'x' }],
      ],
      finds: {
        ...POLICY,
        found: 1,
        unknownNodes: ['0099'],
        spans: [
          { nodeId: '0003', pages: { from: 3, to: 3 }, text: 'Water carries an excess of £350.', start: 0 },
        ],
      },
    },
  ],
  policy_get: [
    {
      requirement: 'S4-14',
      make: (_baseUrl, limits) => toolNamed('policy_get', someSettings({ limits })),
      args: { policyId: 'claims' },
      wrong: [
        ['policyId', { version: 1 }],
        ['version', { ...POLICY, version: 0 }],
        ['version', { ...POLICY, version: '1' }],
        ['nodeIds', { ...POLICY, nodeIds: ['0001'] }],
      ],
      finds: { ...POLICY, title: 'Claims', language: 'en', format: 'pdf', pages: 3, sections: 3 },
    },
  ],
  sections_get: [
    {
      requirement: 'S4-21',
      make: (_baseUrl, limits) => toolNamed('sections_get', someSettings({ limits })),
      args: { ...POLICY, nodeIds: ['0002', '0099', '0002'] },
      wrong: [
        ['nodeIds', { ...POLICY, nodeIds: [] }],
        ['nodeIds', { ...POLICY, nodeIds: Array.from({ length: 101 }, (_, i) => `${i}`) }],
        ['nodeIds[0]', { ...POLICY, nodeIds: [2] }],
        ['version', { policyId: 'claims', nodeIds: ['0001'] }],
        ['query', { ...POLICY, nodeIds: ['0001'], query: 'x' }],
      ],
      finds: {
        ...POLICY,
        unknownNodes: ['0099'],
        sections: [
          {
            nodeId: '0002',
            title: 'Travel',
            path: ['Notice'],
            pages: { from: 2, to: 2 },
            lines: null,
            text: 'On a trip within 21 days of the loss.',
          },
        ],
      },
    },
  ],
  sections_search: [
    {
      requirement: 'S4-40',
      make: (_baseUrl, limits) => toolNamed('sections_search', someSettings({ limits })),
      args: { ...POLICY, query: 'claim trip', limit: 2 },
      wrong: [
        ['query', { ...POLICY, query: '' }],
        ['limit', { ...POLICY, query: 'x', limit: 0 }],
        ['by', { ...POLICY, query: 'x', by: 'model' }],
        ['related', { ...POLICY, query: 'x', related: 1 }],
      ],
      finds: {
        ...POLICY,
        found: 2,
        by: 'keywords',
        nodes: [{ nodeId: '0001' }, { nodeId: '0002' }],
      },
    },
  ],
});
