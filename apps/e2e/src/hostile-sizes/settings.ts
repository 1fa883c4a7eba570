import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { readConfig } from '@casefile/runtime';
import type { HostileInput } from './hostile-input.js';

const LEVELS = 25;

/** Contents that replace a kind's settings file while its service runs. */
const SETTINGS: Record<string, (full: boolean) => string> = {
  'YAML settings of 50 MB': (full) => '- a: [1, 2, 3]\n'.repeat((full ? 50_000_000 : 1_100_000) / 15),
  'YAML settings of 1 MB with all its marks': () => '- ? - : -\n'.repeat(99_000),
  'YAML settings with aliases of aliases': () =>
    ['a0: &a0 x', ...Array.from({ length: LEVELS }, (_, i) => aliases(i + 1))].join('\n'),
};

export const settings: readonly HostileInput[] = Object.entries(SETTINGS).map(([name, make]) => ({
  name,
  offer: async (folder, full) => {
    const place = join(folder, 'own.yaml');
    await writeFile(place, make(full));
    return { place };
  },
  serve: async (place) => {
    const kind = playbooks.find(({ options }) => options.readFile !== null);
    const own = `${place}.first.yaml`;
    const file = `${place}.config.yaml`;
    await writeFile(own, '{}');
    await writeFile(file, `playbooks: { ${kind?.name}: { settingsFile: '${own}' } }`);
    const { fileOptions } = readConfig({ CASEFILE_CONFIG: file, LLM_PROVIDER: 'none' }, kinds);
    let refusedWith: string | null = null;
    process.on('warning', ({ message }) => (refusedWith = message.replace(own, 'the file')));
    return async () => {
      await rename(place, own);
      await fileOptions?.refresh();
      // A warning is emitted at the next turn.
      await setImmediate();
      return refusedWith;
    };
  },
}));

function aliases(level: number): string {
  return `a${level}: &a${level} [${Array<string>(9)
    .fill(`*a${level - 1}`)
    .join(', ')}]`;
}
