import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const KINDS = new URL('../../../', import.meta.url);

/** Returns the paths of the source files of the pipeline and of all shipped kinds, without those of tests. */
export function promptSources(): string[] {
  const kinds = readdirSync(KINDS).filter((name) => existsSync(new URL(`${name}/src/`, KINDS)));
  const folders = [
    new URL('../pipeline/src/', KINDS),
    ...kinds.map((name) => new URL(`${name}/src/`, KINDS)),
  ];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/(?:^|\/)testing\//.test(name))
      .map((name) => fileURLToPath(new URL(name, folder))),
  );
}
