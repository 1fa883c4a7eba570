import { CasefileError } from '@casefile/contracts';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';

/**
 * Makes `path` a folder of mode 0700 that belongs to `owner` (default: us), or checks that it is one.
 * @throws CasefileError `folder_not_private` when it is somebody else's or a link: in a shared folder
 * such as /tmp anybody could have laid it there.
 */
export async function makePrivateFolder(path: string, owner?: { uid: number; gid: number }): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined && owner !== undefined) await chown(path, owner.uid, owner.gid);
  const found = await lstat(path);
  const uid = owner?.uid ?? process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw new CasefileError(
      'folder_not_private',
      `${path} has to be a folder of user ${uid}. Remove it and start again.`,
    );
  }
  if ((found.mode & 0o777) !== 0o700) await chmod(path, 0o700);
}
