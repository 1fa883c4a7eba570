// The received messages that samples/eval/measured-files.json lists, judged by the rules of both kinds: without a
// database, a model or the network, so that all of them take minutes. Prints each set and kind apart, with Wilson
// intervals of 95 %. The messages stay outside of the repository, in the folder CASEFILE_TRAINING_DATA.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.mjs';

const KINDS = ['scam-verdict', 'message-screening'];
const DISPOSITIONS = ['act', 'review', 'dismiss'];

/** Judges each listed file of the folder and prints its figures. @param limit most messages of a file */
export async function judgeReceived(folder, limit = Infinity) {
  const { mailByRules } = await import('../libs/kinds/shipped/dist/testing/mail-by-rules.js');
  const { wilson95 } = await import('../libs/kit/dist/evaluation/figures.js');
  const { validatePhone } = await import('../libs/evidence/dist/tools/validate-phone.js');
  const phones = validatePhone({ limits: new Map() });
  const lookUp = async (entityValue) =>
    (await phones.run({ entityType: 'phone', entityValue }, { signal: new AbortController().signal })).result;
  const listed = JSON.parse(await readFile(join(root, 'samples/eval/measured-files.json'), 'utf8'));
  for (const { file, sha256 } of listed) {
    const content = await readFile(join(folder, file)).catch(() => null);
    const digest = content === null ? null : createHash('sha256').update(content).digest('hex');
    if (digest !== sha256) {
      console.error(
        `${file}: ${digest === null ? 'not found' : 'not the file that is listed'}. It is left out.`,
      );
      continue;
    }
    const texts = content.toString('utf8').trim().split('\n').slice(0, limit);
    const judged = [];
    for (const line of texts)
      judged.push((await mailByRules(JSON.parse(line).text, [], lookUp)).dispositions);
    for (const [i, kind] of KINDS.entries())
      console.log(
        `${file}  ${kind}  ${figures(
          judged.map((dispositions) => dispositions[i]),
          wilson95,
        )}`,
      );
  }
}

function figures(dispositions, wilson95) {
  const percent = (share) => (100 * share).toFixed(1);
  const share = (one) => {
    const { part, of, share, from, to } = wilson95(
      dispositions.filter((other) => other === one).length,
      dispositions.length,
    );
    return `${part} of ${of}, ${percent(share)} % [${percent(from)}, ${percent(to)}]`;
  };
  return DISPOSITIONS.map((one) => `${one} ${share(one)}`).join('  ');
}
