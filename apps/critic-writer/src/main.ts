import { runAsProgram, type ServiceDefinition } from '@casefile/runtime';

export const criticWriter: ServiceDefinition = { name: 'critic-writer' };

await runAsProgram(import.meta.url, criticWriter);
