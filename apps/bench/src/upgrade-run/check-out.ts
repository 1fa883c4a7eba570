import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The commands of a checkout, which end when `signal` is aborted. */
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
   * Writes the files of `commit` to `target` and builds them there. Packages are hard links to the installed ones if both
   * lock files are equal, and are installed by npm otherwise.
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
    const [own, other] = await Promise.all(
      [this.root, target].map((folder) => readFile(join(folder, 'package-lock.json'), 'utf8')),
    );
    if (own !== other) return false;
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
