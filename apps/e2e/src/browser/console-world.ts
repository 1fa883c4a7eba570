import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { consoleService } from '@casefile/console/console';
import type { LanguageModel } from '@casefile/contracts';
import type { Kind } from '@casefile/kit';
import { startService, stopServices } from '@casefile/runtime';
import { realWorld, type World, type WorldQueue } from '../testing/world.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** A whole Casefile with its console and the built dashboard. */
export interface ConsoleWorld extends World {
  consoleUrl: string;
}

/** Whether this process has built the dashboard. The specs of a worker share it. */
let isBuilt = false;

/** Starts every service and the console. Builds the dashboard if it has changed. */
export async function consoleWorld(
  model: LanguageModel | null,
  extra: Record<string, string> = {},
  kinds?: readonly Kind[],
  queue: WorldQueue = 'inline',
): Promise<ConsoleWorld> {
  buildDashboard();
  const world = await realWorld(queue, model, extra, kinds);
  const service = await startService(consoleService, world.platform);
  return {
    ...world,
    consoleUrl: service.url,
    close: async () => {
      await stopServices([service], world.platform, 2_000);
      await world.close();
    },
  };
}

function buildDashboard(): void {
  if (isBuilt) return;
  const built = spawnSync(process.execPath, ['tools/build.mjs', 'apps/dashboard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the dashboard cannot be built:\n${built.stdout}${built.stderr}`);
  isBuilt = true;
}
