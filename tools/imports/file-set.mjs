// All files of the tree by path, with their folders, for patterns in which `*` stands for any text.
import { posix } from 'node:path';

export class FileSet {
  #files;
  #folders = new Map();
  #matches = new Map();

  /** @param {string[]} files paths from the root */
  constructor(files) {
    this.#files = new Set(files);
    for (const file of files)
      for (let at = posix.dirname(file); at !== '.'; at = posix.dirname(at)) {
        if (!this.#folders.has(at)) this.#folders.set(at, []);
        this.#folders.get(at).push(file);
      }
  }

  all() {
    return [...this.#files];
  }

  has(file) {
    return this.#files.has(file);
  }

  /** Returns all files below a folder, or null if there is no such folder. */
  below(folder) {
    return this.#folders.get(folder.replace(/\/$/, '')) ?? null;
  }

  /** Returns the source of an imported path: `./x.js` stands for `./x.ts` or `./x.tsx`. null: there is none. */
  source(path) {
    const stem = path.replace(/\.js$/, '');
    return [path, `${stem}.ts`, `${stem}.tsx`].find((one) => this.#files.has(one)) ?? null;
  }

  /** Returns the files that fit a pattern. */
  matching(pattern) {
    if (!pattern.includes('*')) return this.#files.has(pattern) ? [pattern] : (this.below(pattern) ?? []);
    if (!this.#matches.has(pattern)) {
      const form = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`);
      // Only files below the fixed start of the pattern can fit.
      const start = pattern.slice(0, pattern.indexOf('*')).replace(/\/?[^/]*$/, '');
      const among = start === '' ? [...this.#files] : (this.below(start) ?? []);
      this.#matches.set(
        pattern,
        among.filter((file) => form.test(file)),
      );
    }
    return this.#matches.get(pattern);
  }
}

function escaped(text) {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
