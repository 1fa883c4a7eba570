import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The root of the repository. */
export const ROOT = new URL('../../../../', import.meta.url);

/** A source file of a package, without specs. */
export interface SourceFile {
  /** Folder of the package, such as `libs/store`. */
  of: string;
  text: string;
}

/** Returns the sources of every library and app except this one. Specs and helpers of tests are left out. */
export function sourceFiles(): SourceFile[] {
  return packages().flatMap((of) =>
    readdirSync(new URL(`${of}/src/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => /\.tsx?$/.test(name) && !/\.(?:spec|suite)\.ts$|(?:^|\/)(?:testing|generated)\//.test(name),
      )
      .map((name) => ({ of, text: repositoryText(`${of}/src/${name}`) })),
  );
}

/** Returns the text of a file by its path from the root of the repository. */
export function repositoryText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

function packages(): string[] {
  const kinds = foldersIn('libs/kinds').map((name) => `libs/kinds/${name}`);
  const others = ['libs', 'apps'].flatMap((group) => foldersIn(group).map((name) => `${group}/${name}`));
  return [...others, ...kinds].filter(
    (of) => of !== 'apps/e2e' && of !== 'apps/bench' && existsSync(new URL(`${of}/src/`, ROOT)),
  );
}

function foldersIn(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
