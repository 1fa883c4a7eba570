import { runAsProgram, type ServiceDefinition } from '@casefile/runtime';

export const reasoner: ServiceDefinition = { name: 'reasoner' };

await runAsProgram(import.meta.url, reasoner);
