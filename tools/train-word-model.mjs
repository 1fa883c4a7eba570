// `npm run train:words`: trains the word model on the labelled messages and the scam patterns of samples, and writes its file.
// `--folds`: writes nothing; tells what becomes of messages that a model has not learned from, in ten folds.
import { writeFile } from 'node:fs/promises';
import { build } from './build.mjs';
import { install } from './install.mjs';

const FILE = new URL('../libs/pipeline/src/text-signals/word-model-data.ts', import.meta.url);

await install();
await build(['libs/contracts', 'libs/pipeline']);
const { readLessons, trainWordModel } = await import('../libs/pipeline/dist/testing/train-word-model.js');
const lessons = readLessons(new URL('../samples/', import.meta.url));
if (process.argv.includes('--folds')) await showFolds();
else await writeModel();

async function writeModel() {
  const model = trainWordModel(lessons);
  await writeFile(
    FILE,
    `// Made by npm run train:words; not to be edited.
import type { WordModelData } from './word-model.js';

export const WORD_MODEL: WordModelData = {
  trainedOn: '${model.trainedOn}',
  step: ${model.step},
  bias: ${model.bias},
  weights:
    '${model.weights}',
};
`,
  );
  console.log(`trained on ${lessons.length} texts: ${FILE.pathname}`);
}

async function showFolds() {
  const { crossValidate } = await import('../libs/pipeline/dist/testing/cross-validate-words.js');
  const judged = crossValidate(lessons);
  console.log('language  scams dismissed  harmless to review');
  for (const language of ['all', 'en', 'hi', 'hi-Latn']) {
    const own = judged.filter((one) => language === 'all' || one.language === language);
    const [scams, harmless] = [true, false].map((isScam) => own.filter((one) => one.isScam === isScam));
    const dismissed = scams.filter((one) => one.isDismissed).length;
    const kept = harmless.filter((one) => !one.isDismissed).length;
    const [of, ofHarmless] = [`${dismissed} of ${scams.length}`, `${kept} of ${harmless.length}`];
    console.log(`${language.padEnd(8)}  ${of.padEnd(15)}  ${ofHarmless}`);
  }
}
