// `npm run train:messages`: trains the message model on the labelled messages and scam patterns in samples
// and on the messages in the folder CASEFILE_TRAINING_DATA, and writes its file. `--folds`: writes nothing,
// and prints the results of a five-fold cross-validation.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { install } from './install.mjs';

const FILE = new URL('../libs/pipeline/src/text-signals/message-model-data.ts', import.meta.url);

await install();
await build([
  'libs/contracts',
  'libs/pipeline',
  'libs/kinds/scam-verdict',
  'libs/kinds/message-screening',
  'libs/kinds/shipped',
]);
const { readLessons, trainMessageModel } =
  await import('../libs/pipeline/dist/testing/train-message-model.js');
const training = process.env['CASEFILE_TRAINING_DATA'];
const lessons = readLessons(
  new URL('../samples/', import.meta.url),
  training === undefined ? undefined : pathToFileURL(`${resolve(training)}/`),
);
if (process.argv.includes('--folds')) await showFolds();
else if (lessons.received.length > 0) await writeModel();
else {
  console.error(
    'CASEFILE_TRAINING_DATA: expected the folder of the files in samples/eval/training-files.json; without them the model would unlearn received messages',
  );
  process.exitCode = 1;
}

async function writeModel() {
  const model = trainMessageModel(lessons);
  await writeFile(
    FILE,
    `// Made by npm run train:messages; not to be edited.
import type { MessageModelData } from './message-model-file.js';

export const MESSAGE_MODEL: MessageModelData = {
  trainedOn: {
${Object.entries(model.trainedOn)
  .map(([name, digest]) => `    '${name}': '${digest}',`)
  .join('\n')}
  },
  step: ${model.step},
  bias: ${model.bias},
  weights:
    '${model.weights}',
};
`,
  );
  console.log(
    `trained on ${lessons.own.length} own and ${lessons.received.length} received texts: ${FILE.pathname}`,
  );
}

async function showFolds() {
  const { crossValidate, FIGURES, figuresOf } =
    await import('../libs/kinds/shipped/dist/testing/cross-validate-messages.js');
  const predictions = await crossValidate(lessons);
  console.log(['group'.padEnd(18), ...FIGURES.map((name) => name.padEnd(12))].join(''));
  for (const [group, figures] of figuresOf(predictions))
    console.log([group.padEnd(18), ...FIGURES.map((name) => String(figures[name]).padEnd(12))].join(''));
}
