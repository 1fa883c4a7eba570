import { readFileSync } from 'node:fs';
import type { CaseDocument } from '@casefile/contracts';
import { fiveServices, type FiveServices } from '../../../testing/five-services.js';
import { PATIENT } from '../../../testing/patient-settings.js';
import { ended } from '../../../testing/world.js';
import { startCollector, type Collector } from '../../../trace/collector.js';

const WORDS = { text: 'kanarie7text', evidence: 'kanarie7evidence', label: 'kanarie7label' };
const ANSWER = 'kanarie7answer';

/** Returns the lines of a log that contain a word. */
const linesWith = (log: string, word: string): string[] =>
  log.split('\n').filter((line) => line.includes(word));

describe('logs and spans of a run', () => {
  let [system, collector]: [FiveServices, Collector] = [] as never;
  let caseDocument: CaseDocument;
  beforeAll(async () => {
    collector = await startCollector();
    system = await fiveServices({
      answer: () => ({
        kind: 'answer',
        content: JSON.stringify({
          riskLevel: 'medium',
          confidence: 60,
          explanation: ANSWER,
          evidenceUsed: [],
        }),
      }),
      settings: PATIENT,
      env: () => ({ LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    });
    await system.start();
    const caseId = await system.alert({
      playbook: 'scam-verdict',
      text: `Your parcel is held. Pay the fee at https://parcel.example/pay ${WORDS.text}`,
      labels: { team: WORDS.label },
      evidence: [
        { toolName: 'scam_db', entityType: 'phone', entityValue: '1', result: { comment: WORDS.evidence } },
      ],
      collect: false,
    });
    caseDocument = await ended(system, caseId);
    // The gathered spans are sent at the end.
    await system.stop();
  }, 300_000);
  afterAll(async () => {
    await system.close();
    await collector.close();
  });

  it('S2-21 hold no word of a message, of evidence, or of an answer of a model', () => {
    const spans = JSON.stringify(collector.spans, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const logs = readFileSync(system.logFile, 'utf8');
    const recorded = JSON.stringify(caseDocument);
    expect(collector.spans.length).toBeGreaterThan(5);
    expect(logs).toContain(caseDocument.runs[0]?.id);
    for (const word of [...Object.values(WORDS), ANSWER]) {
      expect([word, recorded.includes(word)]).toEqual([word, true]);
      expect([word, spans.includes(word), linesWith(logs, word)]).toEqual([word, false, []]);
    }
  });
});
