import { readdirSync } from 'node:fs';

/** The modules of a folder without the list itself and specs: for specs that hold a list to its folder. */
export function folderEntries(folder: URL): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && file !== 'index.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}
