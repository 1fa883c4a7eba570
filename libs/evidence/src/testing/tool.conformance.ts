import { noTelemetry, silentLogger, type Json, type JsonObject, type Tool } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from '../run-tool.js';
import { toolBox } from '../tool-box.js';
import { json, startLocalService, type LocalService } from './local-service.js';
import { flood, MISBEHAVIOURS } from './misbehaviour.js';

/** One setup in which a tool is tested. */
export interface ToolSubject {
  /** Distinguishes several setups of the same tool. */
  by?: string;
  /** The tested requirement. */
  requirement: string;
  /** Creates the tool with this service, if it uses one. */
  make(baseUrl: string, limits: Record<string, { timeoutMs: number; attempts: number }>): Tool;
  /** Valid arguments. */
  args: JsonObject;
  /** The service's answer in the documented form; absent for a local tool. */
  documented?: Json;
  /**
   * Wrong arguments, by the field that the error must name. Default: those of a tool that queries an entity.
   */
  wrong?: [field: string, args: JsonObject][];
  /** The resulting finding. */
  finds: Json;
  /** The same tool without its key; absent if it needs none. */
  bare?: () => Tool;
  /** Arguments for `bare`, if they differ. */
  bareArgs?: JsonObject;
}

const never = new AbortController().signal;

/**
 * Checks that a tool fulfils its port: documented answers are findings, everything else is a gap with its
 * reason.
 */
export function describeTool(subject: ToolSubject): void {
  const { name } = subject.make('http://127.0.0.1:1', {});
  const limits = (timeoutMs: number, attempts = 1) => ({ [name]: { timeoutMs, attempts } });

  describe(`${subject.requirement} ${name}${subject.by === undefined ? '' : ` by ${subject.by}`}`, () => {
    let service: LocalService;
    beforeEach(async () => (service = await startLocalService(json(subject.documented ?? null))));
    afterEach(() => service.close());

    const settle = (tool: Tool, args: JsonObject, signal = never) => {
      const ports = {
        tools: toolBox([tool]),
        clock: manualClock(),
        log: silentLogger,
        telemetry: noTelemetry,
        mask: async (value: Json) => ({ value }),
      };
      const runner = createToolRunner(ports, { sleep: () => Promise.resolve() });
      return runner.run(tool.name, args, signal, undefined, 'run-1');
    };

    it('has a wire name, a description, and limits that can be kept', () => {
      const tool = subject.make(service.baseUrl, {});
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      // Every turn of a check pays for the description, so a few words are enough; a full stop is not needed.
      expect(tool.description).toMatch(/^[A-Z].{9,}/);
      expect(tool.limits.timeoutMs).toBeGreaterThan(0);
      expect(tool.limits.attempts).toBeGreaterThanOrEqual(1);
      expect(tool.limits.concurrency).toBeGreaterThanOrEqual(1);
    });

    it('takes every entity type it is fanned out to', () => {
      const tool = subject.make(service.baseUrl, {});
      for (const entityType of tool.entityTypes) {
        expect(tool.args.safeParse({ entityType, entityValue: 'x' }).success).toBe(true);
      }
    });

    it.each<[string, JsonObject]>(
      subject.wrong ?? [
        ['entityValue', { ...subject.args, entityValue: '' }],
        ['entityValue', { ...subject.args, entityValue: 7 }],
        ['entityValue', { ...subject.args, entityValue: 'x'.repeat(2049) }],
        ['entityType', { ...subject.args, entityType: 'shoe-size' }],
        ['entityType', { entityValue: 'x' }],
      ],
    )('names the field %s when the arguments are wrong', async (field, args) => {
      const settled = await settle(subject.make(service.baseUrl, {}), args);
      expect(settled).toMatchObject({ state: 'failed', reasonCode: 'invalid_arguments', attempts: 0 });
      expect(settled.message).toContain(field);
      expect(service.requests).toHaveLength(0);
    });

    it('finds what the documented answer says', async () => {
      const settled = await settle(subject.make(service.baseUrl, {}), subject.args);
      expect(settled).toMatchObject({
        state: 'succeeded',
        reasonCode: null,
        attempts: 1,
        result: subject.finds,
      });
      expect(settled.source).not.toBe('');
    });

    it('is called off by its signal', async () => {
      const settled = await settle(subject.make(service.baseUrl, {}), subject.args, AbortSignal.abort());
      expect(settled).toMatchObject({ state: 'failed', reasonCode: 'aborted', result: null });
    });

    const { bare } = subject;
    if (bare !== undefined) {
      it('S1-15 is a gap that says what is missing when it is not configured', async () => {
        const settled = await settle(bare(), subject.bareArgs ?? subject.args);
        expect(settled).toMatchObject({ state: 'failed', reasonCode: 'not_configured', result: null });
        expect(settled.message).toMatch(/[A-Z]+_[A-Z_]+/);
      });
    }

    if (subject.documented === undefined) return;

    it('S1-15 is a gap when there is no network', async () => {
      await service.close();
      const settled = await settle(subject.make(service.baseUrl, limits(5_000)), subject.args);
      expect(settled).toMatchObject({ state: 'failed', reasonCode: 'network', result: null });
      service = await startLocalService(json(null));
    });

    it.each(MISBEHAVIOURS)('S1-15 is a gap ($reasonCode) when the service $name', async (wrong) => {
      service.answer(wrong.answer);
      // Short only for the test of the time limit.
      const timeoutMs = wrong.reasonCode === 'timeout' ? 60 : 10_000;
      const settled = await settle(subject.make(service.baseUrl, limits(timeoutMs, 2)), subject.args);
      expect(settled).toMatchObject({ state: 'failed', reasonCode: wrong.reasonCode, result: null });
      expect(settled.attempts).toBe(wrong.triedAgain ? 2 : 1);
      expect(settled.message).not.toContain('secret');
      if (wrong.reasonCode === 'too_large') expect(flood.sent).toBeLessThan(flood.total / 2);
    });

    it('finds it at the second try when the first one failed', async () => {
      service.answer((request, response, body) => {
        const first = service.requests.length === 1;
        return (first ? json({}, 500) : json(subject.documented ?? null))(request, response, body);
      });
      const settled = await settle(subject.make(service.baseUrl, limits(10_000, 2)), subject.args);
      expect(settled).toMatchObject({ state: 'succeeded', attempts: 2, result: subject.finds });
    });
  });
}
