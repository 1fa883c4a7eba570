import type { ServiceDefinition } from '@casefile/runtime';

export const decision: ServiceDefinition = { name: 'decision' };
