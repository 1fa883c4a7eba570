import { ended } from '../testing/world.js';
import { fiveServices } from '../testing/five-services.js';
import { PATIENT } from '../testing/patient-settings.js';
import { startCollector, type SentSpan } from './collector.js';

/** Sends one alert through five processes with traces on. Returns their spans when they have stopped. */
export async function traceACase(databaseUrl: string, queueUrl: string): Promise<SentSpan[]> {
  const collector = await startCollector();
  const system = await fiveServices({
    databaseUrl,
    queueUrl,
    settings: PATIENT,
    env: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
  });
  try {
    await system.start();
    const text = 'Your parcel waits: pay 2 EUR, call +1 555 010 4477 now';
    await ended(system, await system.alert({ playbook: 'scam-verdict', text }));
    // A stop ends the active work and sends the collected spans.
    await system.stop();
    return collector.spans;
  } finally {
    await system.close();
    await collector.close();
  }
}
