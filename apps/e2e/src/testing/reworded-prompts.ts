import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kindPrompts } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';

/** Returns a folder with a changed text of each section of each prompt. */
export function rewordedPrompts(): string {
  const folder = temporaryFolder('reworded');
  for (const { id, file } of kindPrompts(playbooks)) {
    const path = join(folder, `${id}.md`);
    mkdirSync(dirname(path), { recursive: true });
    const heading = /^<!-- section: .+ -->$/gm;
    writeFileSync(
      path,
      readFileSync(file, 'utf8').replace(heading, (line) => `${line}\nNow in other words.`),
    );
  }
  return folder;
}
