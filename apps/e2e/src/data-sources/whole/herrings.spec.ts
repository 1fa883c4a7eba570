import { silentLogger, type ToolContext } from '@casefile/contracts';
import { inProcessRunner } from '@casefile/contracts/testing';
import { dataSourceTools, definedTools } from '@casefile/evidence';
import { herrings, valuesOf, VALUES, type Herring } from '@casefile/incident/testing/herrings';
import { confirmsTheCauseAlone } from '@casefile/incident/testing/herrings.suite';
import { shippedSources, systemClock } from '@casefile/runtime';
import { startPrometheus, type Prometheus } from '../../testing/prometheus.js';

const MINUTE_MS = 60_000;
/** The alert began so long ago that the last value is in the past. On a full step, as Prometheus evaluates. */
const STEP_MS = VALUES.step * MINUTE_MS;
const START = Math.floor((Date.now() - 20 * MINUTE_MS) / STEP_MS) * STEP_MS;
const isoAt = (minute: number) => new Date(START + minute * MINUTE_MS).toISOString();

const all = herrings().filter(({ isReal }) => isReal);
const testsOf = ({ causes }: Herring) => causes.filter(({ answer }) => 'metric' in answer);

/** Returns the values of all scenarios in the format OpenMetrics. */
function openMetrics(): string {
  const lines = all.flatMap(testsOf).flatMap(({ answer }) => {
    if (!('metric' in answer)) return [];
    const labels = Object.entries(answer.labels).map(([name, value]) => `${name}="${value}"`);
    return valuesOf(answer, START).map(
      ([at, value]) => `${answer.metric}{${labels.join(',')}} ${value} ${at / 1_000}`,
    );
  });
  return [...lines, '# EOF', ''].join('\n');
}

describe('T-61 an incident with a louder fault, with the values of a real Prometheus', () => {
  let prometheus: Prometheus;
  beforeAll(async () => void (prometheus = await startPrometheus({ values: openMetrics() })));
  afterAll(() => prometheus.stop());

  /** Asks as the data source Prometheus does. */
  async function answered(expr: string): Promise<string> {
    const source = shippedSources().find(({ name }) => name === 'prometheus')!;
    const placed = { name: 'prometheus', source, url: prometheus.url, secret: null, set: {} };
    const tools = definedTools(dataSourceTools({ ...placed, scheme: 'bearer' }, inProcessRunner), {}, {});
    const tool = tools.find(({ name }) => name === 'prometheus__range')!;
    const args = { expr, start: isoAt(VALUES.first), end: isoAt(VALUES.last), step: `${VALUES.step}m` };
    const context = { clock: systemClock, signal: new AbortController().signal, log: silentLogger };
    const { result } = await tool.run(tool.args.parse(args) as never, context as unknown as ToolContext);
    return (result as { text: string }).text;
  }

  it('plays ten scenarios at least', () => expect(all.length).toBeGreaterThanOrEqual(10));

  it.each(all.map((one) => [one.id, one] as const))('%s: confirms the cause alone', async (_id, herring) => {
    const answers = new Map<string, string>();
    for (const { test, answer } of testsOf(herring)) {
      const text = await answered(test.key);
      if ('metric' in answer) expect(text.split('\n')).toHaveLength(valuesOf(answer, START).length);
      answers.set(test.key, text);
    }
    await confirmsTheCauseAlone(herring, answers, START);
  });
});
