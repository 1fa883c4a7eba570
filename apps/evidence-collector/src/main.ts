import { runAsProgram, type ServiceDefinition } from '@casefile/runtime';

export const evidenceCollector: ServiceDefinition = { name: 'evidence-collector', hostsTools: true };

await runAsProgram(import.meta.url, evidenceCollector);
