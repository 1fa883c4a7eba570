import type { ServiceDefinition } from '@casefile/runtime';

export const criticWriter: ServiceDefinition = { name: 'critic-writer' };
