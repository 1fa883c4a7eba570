import {
  CasefileError,
  jsonSchema,
  mailReadingSchema,
  z,
  type ReadMailHeaders,
  type Tool,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'mail_headers';
const args = z.object({
  mail: mailReadingSchema,
  /** The text of the mail, or its beginning. */
  text: z.string().max(50_000),
  /** BCP 47; `und` if unknown. */
  language: z.string().min(1).max(35).default('und'),
});

/**
 * What a mail shows besides its words: authentication of its sender, imitated senders, where answers go, list headers,
 * forms, attachments and links. Result: `MailFindings`. Pure, without any query.
 */
export function mailHeaders(
  settings: Pick<EvidenceSettings, 'limits' | 'trustedAuthservIds'>,
  read: ReadMailHeaders | undefined,
): Tool {
  return {
    name: NAME,
    description:
      'Reads the headers, links, forms and attachments of a mail: who sent it, whether that is authenticated, where answers go.',
    locality: 'local',
    reads: 'nothing',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(input) {
      if (read === undefined)
        throw new CasefileError('not_configured', 'This process was started without rules that read mails');
      const { mail, text, language } = args.parse(input);
      const findings = await read(mail, { text, language }, settings.trustedAuthservIds ?? []);
      return { result: jsonSchema.parse(findings), source: 'rules over the mail' };
    },
  };
}
