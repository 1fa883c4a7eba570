import { ended } from '../testing/world.js';
import { fiveServices } from '../testing/five-services.js';
import { PATIENT } from '../testing/patient-settings.js';
import { startCollector, type SentSpan } from './collector.js';

/**
 * Sends alerts together through five processes with traces on. Returns the spans of the processes when they have
 * stopped.
 */
export async function traceCases(databaseUrl: string, queueUrl: string, count: number): Promise<SentSpan[]> {
  const collector = await startCollector();
  const system = await fiveServices({
    databaseUrl,
    queueUrl,
    settings: PATIENT,
    env: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
  });
  try {
    await system.start();
    const alerts = Array.from({ length: count }, (_, i) => ({
      playbook: 'scam-verdict',
      text: `Your parcel waits: pay 2 EUR, call +1 555 010 44${10 + i} now`,
    }));
    const cases = await Promise.all(alerts.map((alert) => system.alert(alert)));
    for (const caseId of cases) await ended(system, caseId);
    // A stop ends the active work and sends the collected spans.
    await system.stop();
    return collector.spans;
  } finally {
    await system.close();
    await collector.close();
  }
}
