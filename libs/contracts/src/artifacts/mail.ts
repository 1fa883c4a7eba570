import { z } from 'zod';
import { personal } from '../access/field-class.js';

const addressSchema = z.object({
  /** Display name; '' if there is none. */
  name: z.string(),
  address: z.string(),
});
export type MailAddress = z.infer<typeof addressSchema>;

/** Sort of an attachment, by its name and type. `program`: it runs when it is opened. `page`: HTML. */
export const ATTACHMENT_SORTS = [
  'program',
  'page',
  'macros',
  'archive',
  'document',
  'image',
  'text',
  'other',
] as const;
export type AttachmentSort = (typeof ATTACHMENT_SORTS)[number];

/** Sender of a mail, and the addresses to which answers and error reports go. */
const envelopeSchema = z.object({
  from: addressSchema.nullable(),
  replyTo: z.array(addressSchema),
  /** Address of the header Return-Path. null: it is missing or empty. */
  returnPath: z.string().nullable(),
});
export type MailEnvelope = z.infer<typeof envelopeSchema>;

/** Facts about an alert that is a mail, other than its text. Every value was chosen by the sender of the mail. */
export const mailReadingSchema = personal(
  envelopeSchema.extend({
    to: z.array(addressSchema),
    cc: z.array(addressSchema),
    /**
     * Headers of a mailing list or bulk mail. null: there are none. `unsubscribe`: hosts of the URLs and addresses by
     * which a receiver leaves the list or reaches it.
     */
    list: z.object({ id: z.string(), unsubscribe: z.array(z.string()) }).nullable(),
    /** Whether the mail states that it answers another one (In-Reply-To or References), and not that it forwards one. */
    isReply: z.boolean(),
    /**
     * The mail that this one forwards, if its own text is a question about it. `attached`: as a part with its headers.
     * `quoted`: as text, so only the sender is known, by what the text states. null: nothing is forwarded.
     */
    forwarded: envelopeSchema
      .extend({ how: z.enum(['attached', 'quoted']), question: z.string() })
      .nullable(),
    /** Values of the headers Authentication-Results of the mail itself, the topmost first. */
    authenticationResults: z.array(z.string()),
    /**
     * Links: the host that each leads to, another host or address that its visible text shows (or null), whether the URL
     * holds an e-mail address, and whether it holds an identifier of a mail or its receiver.
     */
    links: z.array(
      z.object({
        host: z.string(),
        shown: z.string().nullable(),
        hasAddress: z.boolean(),
        hasIdentifier: z.boolean(),
      }),
    ),
    /** Addresses to which links write a mail. */
    writesTo: z.array(z.string()),
    /**
     * The HTML of the body: whether pictures stand for its text, its letters that are hidden, and whether tags remain in
     * its text, because an element was never closed. null: no HTML.
     */
    page: z
      .object({
        isPicture: z.boolean(),
        hiddenLetters: z.number().int().nonnegative(),
        hasTagsLeft: z.boolean(),
      })
      .nullable(),
    /** Forms: their place (`body` or the name of an attachment) and whether they have a field for a password. */
    forms: z.array(z.object({ place: z.string(), hasPassword: z.boolean() })),
    attachments: z.array(z.object({ name: z.string(), sort: z.enum(ATTACHMENT_SORTS) })),
  }),
);
export type MailReading = z.infer<typeof mailReadingSchema>;

/** Result of SPF, DKIM or DMARC (RFC 8601), with the domain that it is about. */
export interface AuthenticationMethod {
  method: string;
  /** In lower case: pass, fail, none, neutral, softfail, temperror, permerror, ... */
  result: string;
  /** Domain of the property header.from, header.d, header.i, smtp.mailfrom or smtp.helo; '' if none is stated. */
  domain: string;
}

/** Authentication of a mail. If nothing was checked, `why` states the reason. */
export type MailAuthentication =
  { checked: false; why: string } | { checked: true; server: string; methods: AuthenticationMethod[] };

/** A sign in a mail other than its words, such as `sender_poses`, with the values that show it. */
export interface MailSign {
  kind: string;
  weight: number;
  words: string[];
}

/** What the facts about a mail say for and against its sender. */
export interface MailFindings {
  /**
   * `newsletter`: headers of a list, or a way to unsubscribe at the sender. `discussion`: sent to the members of a list
   * at its address. `reply`: it answers a mail. `forwarded`: a question
   * about another mail, which is the one that was read. `mail`: any other.
   */
  form: 'newsletter' | 'discussion' | 'reply' | 'forwarded' | 'mail';
  authentication: MailAuthentication;
  signals: MailSign[];
  legitimacy: MailSign[];
  /** Total weight of the signals. One plain request weighs 1, as in a text. */
  weight: number;
  /** Registrable domains of the sender and of the service that sends the newsletter. Empty: not a newsletter. */
  ownDomains: string[];
  /** Whether the links are cited, as in a discussion or a digest, and no words urge the reader to open one. */
  citesLinks: boolean;
  /** Whether the text has so many words that single phrases say little. */
  isLong: boolean;
  /** Whether it is a short letter in a language other than English and Hindi, with nothing to open and no word of a request. */
  isLetter: boolean;
  /** Whether the rules know the words for requests in the language of the mail, besides those of `text_signals`. */
  isRead: boolean;
  /** Requests in such a language, each with the words that show it. */
  requests: MailSign[];
}

/**
 * Weighs the facts about a mail. Pure, and linear in the length of the text. The language `und` is detected.
 * @throws CasefileError if the language cannot be detected.
 */
export type ReadMailHeaders = (
  mail: MailReading,
  text: { text: string; language: string },
  trustedAuthservIds: readonly string[],
) => Promise<MailFindings>;
