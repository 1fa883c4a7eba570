import type { ServiceDefinition } from '@casefile/runtime';

export const reasoner: ServiceDefinition = { name: 'reasoner' };
