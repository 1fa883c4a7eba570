import { runAsProgram, type ServiceDefinition } from '@casefile/runtime';

export const decision: ServiceDefinition = { name: 'decision' };

await runAsProgram(import.meta.url, decision);
