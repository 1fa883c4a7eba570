import type { AccessEntry } from './access-table.js';

/** Paths of every service. */
export const SHARED_ENTRIES: readonly AccessEntry[] = [
  ...(['live', 'ready', 'startup'] as const).map((probe): AccessEntry => ({
    method: 'get',
    path: `/health/${probe}`,
    right: 'open',
    about: 'probe',
  })),
  { method: 'get', path: '/metrics', right: { role: 'viewer', scope: 'metrics' }, about: 'metrics' },
];
