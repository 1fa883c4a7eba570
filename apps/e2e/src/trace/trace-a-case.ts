import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import type { ServiceName } from '@casefile/runtime';
import { countRecord } from '../fault-run/count-record.js';
import { serviceProcesses } from '../testing/service-processes.js';
import { startCollector, type SentSpan } from './collector.js';

const SERVICES: ServiceName[] = ['ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'];
const DECIDED_WITHIN_MS = 100_000;

/** One alert through five processes with traces on; what they sent of it, once they have stopped. */
export async function traceACase(databaseUrl: string, queueUrl: string): Promise<SentSpan[]> {
  const collector = await startCollector();
  const simulator = await startSimulator({ script: {} });
  const services = await serviceProcesses(SERVICES, {
    databaseUrl,
    queueUrl,
    env: {
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: simulator.baseUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
    logFile: join(temporaryFolder('trace'), 'services.log'),
  });
  try {
    await Promise.all(services.map((service) => service.start()));
    const alert = {
      playbook: 'scam-verdict',
      text: 'Your parcel waits: pay 2 EUR, call +1 555 010 4477 now',
    };
    const answer = await fetch(`${services[0]?.url}/v1/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alert),
    });
    if (answer.status !== 202) throw new Error(`the alert was not taken: ${await answer.text()}`);
    for (const until = Date.now() + DECIDED_WITHIN_MS; (await countRecord(databaseUrl)).decided < 1;) {
      if (Date.now() > until) throw new Error('the case was not decided in time');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // What is under way ends, and what was gathered is sent.
    await Promise.all(services.map((service) => service.signal('SIGTERM')));
    return collector.spans;
  } finally {
    await Promise.all(services.map((service) => service.signal('SIGKILL')));
    await simulator.close();
    await collector.close();
  }
}
