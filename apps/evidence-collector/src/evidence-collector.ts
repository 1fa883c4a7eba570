import type { ServiceDefinition } from '@casefile/runtime';

export const evidenceCollector: ServiceDefinition = {
  name: 'evidence-collector',
  hostsTools: true,
  runsImports: true,
};
