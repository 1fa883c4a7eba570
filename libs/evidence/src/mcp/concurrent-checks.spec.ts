import {
  noTelemetry,
  silentLogger,
  type Json,
  type ListedTool,
  type SourceHealth,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from '../run-tool.js';
import { aListedTool, mcpWorld, MemoryPins } from '../testing/mcp-world.js';
import { createToolBox } from '../tool-box.js';

/** A place where work waits until it is released. `reached` resolves when work arrives. */
function gate() {
  let release!: () => void;
  let arrive!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const pass = async (): Promise<void> => {
    arrive();
    await released;
  };
  return { pass, release, reached };
}

/** Pins whose next note waits at a gate. */
class WaitingPins extends MemoryPins {
  next: ReturnType<typeof gate> | null = null;

  override async noteServer(
    server: string,
    health: SourceHealth,
    listed: readonly ListedTool[] | null,
  ): Promise<void> {
    const { next } = this;
    this.next = null;
    await next?.pass();
    await super.noteServer(server, health, listed);
  }
}

describe('S2-42 two checks of a tool list at the same time', () => {
  it('leave the list of the check that was begun last, and a call goes by it', async () => {
    const masking = gate();
    const mask = async (value: Json) => {
      if (JSON.stringify(value).includes('slowly')) await masking.pass();
      return { value };
    };
    const pins = new WaitingPins();
    const [echo, facts] = [aListedTool('echo'), aListedTool('facts')];
    const world = mcpWorld({ tools: [echo, facts] }, {}, pins, mask);
    try {
      await world.source.connect();
      pins.approve('echo', 'facts');
      await world.source.connect();
      // The list of the first check still has the tool.
      world.lists({ tools: [echo, aListedTool('facts', { description: 'Masked slowly.' })] });
      const first = world.source.connect();
      await masking.reached;
      // That of the second does not, and is noted while the first check ends.
      world.lists({ tools: [aListedTool('another_echo'), facts] });
      const noting = (pins.next = gate());
      const runner = createToolRunner({
        tools: createToolBox([world.source]),
        clock: manualClock(),
        log: silentLogger,
        telemetry: noTelemetry,
        mask: async (value) => ({ value }),
      });
      const call = runner.run('cluster__echo', { value: 'up' }, new AbortController().signal);
      await noting.reached;
      masking.release();
      await first;
      noting.release();
      expect(await call).toMatchObject({ reasonCode: 'not_approved' });
      expect(world.source.offers!()).toMatchObject({
        tools: [{ name: 'cluster__facts' }],
        out: [{ name: 'cluster__echo', why: 'cluster does not list it' }],
      });
    } finally {
      await world.close();
    }
  });

  it('leave a server ready if the older one fails after the newer one has succeeded', async () => {
    const masking = gate();
    const mask = async (value: Json) => {
      if (JSON.stringify(value).includes('slowly')) {
        await masking.pass();
        throw new Error('the scanner has ended');
      }
      return { value };
    };
    const world = mcpWorld(
      { tools: [aListedTool('echo', { description: 'Masked slowly.' })] },
      {},
      undefined,
      mask,
    );
    try {
      const first = world.source.connect();
      await masking.reached;
      world.lists({ tools: [aListedTool('echo')] });
      await world.source.connect();
      masking.release();
      await first;
      expect(world.source.health()).toEqual({ state: 'ready' });
    } finally {
      await world.close();
    }
  });
});
