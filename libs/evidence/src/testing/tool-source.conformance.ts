import { z, type ToolSource } from '@casefile/contracts';
import { createToolBox } from '../tool-box.js';

/** A source under test, with its server if it has one. */
export interface SourceUnderTest {
  source: ToolSource;
  /** Stops and restarts its server; absent: it has none. */
  server?: {
    down(): Promise<void>;
    up(): Promise<void>;
    /** Makes the server list an additional tool that is not allowed. */
    listMore(name: string): Promise<void>;
  };
  close(): Promise<void>;
}

/** Checks that a source of tools fulfils the contract of its port. `make` can start with the server down. */
export function describeToolSource(
  name: string,
  make: (begin: { down: boolean }) => Promise<SourceUnderTest>,
  hasServer: boolean,
): void {
  describe(`${name} is a ToolSource`, () => {
    let made: SourceUnderTest;
    afterEach(() => made.close());

    it('says before it is connected which tools it may list, and how hard they may be used', async () => {
      made = await make({ down: hasServer });
      expect(made.source.name).not.toBe('');
      expect(made.source.allowed.size).toBeGreaterThan(0);
      for (const [tool, { timeoutMs, attempts, concurrency }] of made.source.allowed) {
        expect(tool).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(Math.min(timeoutMs, attempts, concurrency)).toBeGreaterThanOrEqual(1);
      }
    });

    it('lists its tools once it is connected, each with a description and a schema; connecting again changes nothing', async () => {
      made = await make({ down: false });
      await made.source.connect();
      await made.source.connect();
      expect(made.source.health()).toEqual({ state: 'ready' });
      const names = made.source.listed().map((tool) => tool.name);
      expect(names).toEqual([...new Set(names)]);
      expect(names.length).toBeGreaterThan(0);
      for (const tool of made.source.listed()) {
        expect(tool.description).not.toBe('');
        expect(z.toJSONSchema(tool.asks ?? tool.args, { io: 'input', unrepresentable: 'any' })).toMatchObject(
          {
            type: 'object',
          },
        );
        expect(made.source.allowed.has(tool.name)).toBe(true);
      }
    });

    it('can be closed, also when it was never connected, and twice', async () => {
      made = await make({ down: hasServer });
      await made.source.close();
      await made.source.close();
    });

    if (!hasServer) return;

    it('is there when its server is down at the start: it lists nothing, says why, and comes back by itself', async () => {
      made = await make({ down: true });
      await made.source.connect();
      expect(made.source.health()).toEqual({ state: 'down', why: expect.stringMatching(/\S/) });
      expect(made.source.listed()).toEqual([]);
      const box = createToolBox([made.source]);
      const [tool = ''] = made.source.allowed.keys();
      expect([box.allowed.has(tool), box.named(tool)]).toEqual([true, null]);
      expect(box.sourceOf(tool)?.health.state).toBe('down');
      await made.server?.up();
      await made.source.connect();
      expect(made.source.health()).toEqual({ state: 'ready' });
      expect(box.named(tool)?.name).toBe(tool);
    });

    it('keeps what it has listed while its server is away', async () => {
      made = await make({ down: false });
      await made.source.connect();
      const before = made.source.listed();
      await made.server?.down();
      await made.source.connect();
      expect(made.source.health().state).toBe('down');
      expect(made.source.listed()).toEqual(before);
    });

    it('never offers a tool that is not allowed', async () => {
      made = await make({ down: false });
      await made.server?.listMore('delete_everything');
      await made.source.connect();
      const box = createToolBox([made.source]);
      expect([box.named('delete_everything'), box.sourceOf('delete_everything')]).toEqual([null, null]);
    });
  });
}
