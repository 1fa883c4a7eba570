import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs commands in a checkout. They end when `signal` is aborted. */
export class Checkout {
  constructor(
    private readonly root: string,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Returns the hash and the subject of a commit as one line.
   * @throws Error if the repository does not have the commit.
   */
  async describe(commit: string): Promise<string> {
    return (await this.run(this.root, 'git', ['log', '-1', '--format=%h %s', commit])).trim();
  }

  /**
   * Writes the files of `commit` to `target` and builds them there. Packages are hard links to the installed ones if
   * these include all of that commit in the same versions, and are installed by npm otherwise.
   * @throws Error with the output of the command that failed.
   */
  async write(commit: string, target: string): Promise<void> {
    await mkdir(target, { recursive: true });
    const archive = join(target, '.archive.tar');
    await this.run(this.root, 'git', ['archive', '--format=tar', `--output=${archive}`, commit]);
    await this.run(target, 'tar', ['-xf', archive]);
    await rm(archive);
    if (!(await this.linkPackages(target)))
      await this.run(target, 'npm', ['ci', '--no-progress', '--loglevel=error']);
    await this.run(target, process.execPath, ['tools/build.mjs']);
  }

  private async linkPackages(target: string): Promise<boolean> {
    const [own, other] = await Promise.all([this.root, target].map(lockedVersions));
    if (own === undefined || other === undefined || !hasAll(own, other)) return false;
    try {
      for (const folder of await this.packageFolders())
        await this.run(this.root, 'cp', ['-al', join(this.root, folder), join(target, folder)]);
      return true;
    } catch (error) {
      if (this.signal.aborted) throw error;
      // Hard links fail if the temporary folder is on another device or the system has none. `npm ci`
      // replaces the folder.
      return false;
    }
  }

  /**
   * Returns the folder of all installed packages, and the folders of workspaces with other versions of some
   * packages.
   */
  private async packageFolders(): Promise<string[]> {
    const nested = ['libs', 'apps'].map(async (group) =>
      (await readdir(join(this.root, group))).map((name) => join(group, name, 'node_modules')),
    );
    const folders = ['node_modules', ...(await Promise.all(nested)).flat()];
    return folders.filter((folder) => existsSync(join(this.root, folder)));
  }

  private async run(cwd: string, command: string, args: string[]): Promise<string> {
    const { stdout } = await execute(command, args, { cwd, signal: this.signal });
    return stdout;
  }
}

/** Returns the version of each package in a lock file, by the folder of the package. */
async function lockedVersions(folder: string): Promise<Map<string, string>> {
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; link?: boolean }>;
  };
  const packages = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));
  return new Map(packages.flatMap(([path, { version }]) => (version === undefined ? [] : [[path, version]])));
}

const hasAll = (own: Map<string, string>, other: Map<string, string>): boolean =>
  [...other].every(([path, version]) => own.get(path) === version);
