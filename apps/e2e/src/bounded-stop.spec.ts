import { startService, stopServices, type RunningService } from '@casefile/runtime';
import { HOSTILE } from './testing/hostile-clients.js';
import { inlineWorld, type World } from './testing/world.js';

let world: World;
let service: RunningService;
beforeEach(async () => {
  world = await inlineWorld(null);
  // No queues and no pages: what every service is around its own work.
  service = await startService({ name: 'console' }, world.platform);
});
afterEach(() => world.close());

const portOf = () => Number(new URL(service.url).port);

describe('a stop', () => {
  it.each(HOSTILE)('E-07 R17 ends with %s connected', async (_what, client) => {
    const { leave } = await client(portOf());
    // Hangs, and fails by the limit of the test, where a connection holds it.
    await stopServices([service], world.platform, 100);
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
    leave();
  });

  it('E-07 answers that are under way close their connections', async () => {
    await service.pause();
    const response = await fetch(`${service.url}/health/startup`);
    expect(response.headers.get('connection')).toBe('close');
    await service.close();
  });
});
