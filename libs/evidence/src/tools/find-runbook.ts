import { CasefileError, z, type JsonObject, type Runbooks, type Tool } from '@casefile/contracts';
import { toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'runbook_find';
/**
 * Maximum length of a runbook's text as evidence. A longer text is cut. 40,000 characters are about 10,000
 * tokens, and stay below the size limit of a tool result in any encoding.
 */
const MOST_TEXT = 40_000;

const args = z.strictObject({
  labels: z.record(z.string(), z.string()),
  alertType: z.string(),
  url: z.string().optional(),
});

/**
 * Returns the tool that finds the runbook of an alert: by the annotation `runbook_url` (`url`), else by
 * labels, by alert type, by name, else the default. Result `{ found: true, title, text, source, pin, why,
 * ambiguous }` or `{ found: false, why }`. `pin` is `sha256:<hex>` of the content or `git:<commit>`. A text
 * of more than 40,000 characters is cut and marked. An unreadable match is replaced by the default; without a
 * default, the call fails with the reason.
 */
export function findRunbook(
  settings: Pick<EvidenceSettings, 'limits'>,
  runbooks: Runbooks | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Finds the runbook of an alert.',
    locality: 'local',
    reads: 'outside',
    entityTypes: [],
    args,
    // Refreshing a source may take half of this time, so that the match itself still has time.
    limits: toolLimits(NAME, { timeoutMs: 20_000, attempts: 2, concurrency: 20 }, settings),
    async run(input, { signal, clock }) {
      signal.throwIfAborted();
      if (runbooks === undefined)
        throw new CasefileError('not_configured', 'There are no runbooks in this process');
      const answer = await runbooks.findRunbook(args.parse(input), { signal, clock });
      if (!answer.found) return { result: { found: false, why: answer.why }, source: 'runbooks' };
      const { title, text, source, pin, why, ambiguous } = answer;
      const result: JsonObject = { found: true, title, text: boundedText(text), source, pin, why, ambiguous };
      return { result, source: `runbook ${source}` };
    },
  };
}

function boundedText(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  return `${text.slice(0, MOST_TEXT)}\n\n[Cut here: the runbook has ${text.length} characters.]`;
}
