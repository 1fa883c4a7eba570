import { readFileSync } from 'node:fs';
import { MESSAGE_MODEL } from '@casefile/pipeline/text-signals/message-model-data';

const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

interface OutsideFile {
  file: string;
  sha256: string;
  messages: number;
  source: string;
  licence: string;
}

describe('the card of the message model', () => {
  const rows = read('docs/results/message-model.md')
    .split('\n')
    .filter((line) => /`[0-9a-f]{64}`/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

  it('T-22 lists each file that the model was trained on, with its digest', () => {
    expect(Object.fromEntries(rows.map(([, file, , , , digest]) => [file, digest]))).toEqual(
      MESSAGE_MODEL.trainedOn,
    );
  });

  it('T-22 names messages, source and licence of each file outside of the repository', () => {
    const outside = JSON.parse(read('samples/eval/training-files.json')) as OutsideFile[];
    expect(outside.length).toBeGreaterThan(0);
    for (const { file, sha256, messages, source, licence } of outside)
      expect(rows).toContainEqual(['', file, String(messages), source, licence, sha256, '']);
  });
});
