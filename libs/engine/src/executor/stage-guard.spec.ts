import type { FlowPorts } from '@casefile/pipeline';
import { StageGuard } from './stage-guard.js';

const limits = { modelCalls: 3, lookUps: 5, idleSeconds: 60 };
const forever = () => new Promise<never>(() => undefined);
const portsWith = (over: object): FlowPorts => ({ model: {}, tools: {}, ...over }) as unknown as FlowPorts;
const ask = (ports: FlowPorts) => ports.model.call(1, {} as never, null);

/** Runs a stage for some seconds. @returns `running`, its result or the reason code of its error. */
async function after(seconds: number, ports: object, run: (ports: FlowPorts) => Promise<unknown>) {
  const guard = new StageGuard(limits);
  const ended = guard.run(portsWith(ports), run).catch((error: { reasonCode: string }) => error.reasonCode);
  await new Promise(setImmediate);
  for (let second = 0; second < seconds; second += 1) guard.tick();
  return Promise.race([ended, new Promise((resolve) => setImmediate(() => resolve('running')))]);
}

describe('limits of the code of a stage', () => {
  it('end a stage that waits for nothing, and no stage that waits for a call', async () => {
    expect(await after(59, {}, forever)).toBe('running');
    expect(await after(60, {}, forever)).toBe('stage_stuck');
    expect(await after(10_000, { model: { call: forever } }, ask)).toBe('running');
    expect(await after(10_000, { resolvedAt: forever }, (ports) => ports.resolvedAt())).toBe('running');
    // After its call it waits for nothing.
    const answered = async (ports: FlowPorts) => (await ask(ports), forever());
    expect(await after(59, { model: { call: async () => ({}) } }, answered)).toBe('running');
    expect(await after(60, { model: { call: async () => ({}) } }, answered)).toBe('stage_stuck');
  });

  it('end a stage that asks again and again', async () => {
    let [calls, lookUps] = [0, 0];
    const ports = {
      model: { call: async () => void (calls += 1) },
      tools: { inline: async (_: number, requests: unknown[]) => void (lookUps += requests.length) },
    };
    const model = async (guarded: FlowPorts): Promise<never> => (await ask(guarded), model(guarded));
    const tools = async (guarded: FlowPorts): Promise<never> => {
      await guarded.tools.inline(1, [{}, {}] as never);
      return tools(guarded);
    };
    expect([await after(0, ports, model), calls]).toEqual(['stage_asks_too_much', 3]);
    expect([await after(0, ports, tools), lookUps]).toEqual(['stage_asks_too_much', 4]);
  });

  it('let code that goes on after its end make no further call', async () => {
    let calls = 0;
    let goOn: () => void = () => undefined;
    const later = new Promise<void>((resolve) => (goOn = resolve));
    const model = { call: async () => void (calls += 1) };
    const late = async (ports: FlowPorts) => (await later, ask(ports));
    expect(await after(60, { model }, late)).toBe('stage_stuck');
    goOn();
    await new Promise(setImmediate);
    expect(calls).toBe(0);
  });
});
