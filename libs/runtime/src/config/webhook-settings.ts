import { z, type FieldProblem } from '@casefile/contracts';
import { intakeFormats, isPointer, type Playbook } from '@casefile/pipeline';
import { noSuch } from './no-such.js';
import { filledIn, type Variables } from './placeholders.js';

const EXPECTED_POINTERS =
  'expected a JSON Pointer (RFC 6901) such as /event/title, or a list of them, of which the first that leads to a value is read';
const pointer = z.string().max(500).refine(isPointer, { error: EXPECTED_POINTERS });
const pointers = z
  .union([pointer, z.array(pointer).min(1).max(20)], { error: EXPECTED_POINTERS })
  .transform((value) => [value].flat());
const namedPointers = z.record(z.string().min(1).max(100), pointers);
const EXPECTED_NAMED = 'expected a JSON Pointer, a list of them, or an object with such for each name';
const pointersOrNamed = z.union([pointers, namedPointers], { error: EXPECTED_NAMED });

/** Fields of an alert as a monitoring system reports it. */
const reported = {
  name: pointers.optional(),
  summary: pointers.optional(),
  severity: pointers.optional(),
  status: pointers.optional(),
  startsAt: pointers.optional(),
  links: pointers.optional(),
  /** The sender's id of the problem. Later alerts with the same id join the case. */
  key: pointers.optional(),
  labels: pointersOrNamed.optional(),
};
export const REPORTED = Object.keys(reported) as (keyof typeof reported)[];

const mappingSchema = z
  .strictObject({
    ...reported,
    text: pointers.optional(),
    /** An object with `mediaType` and `base64`. */
    image: pointers.optional(),
    conversation: pointers.optional(),
    /** Payload of a kind with its own input: as a whole, or field by field. */
    payload: pointersOrNamed.optional(),
    /** The sender's id of the message. A repeated message is accepted once. */
    deliveryId: pointers.optional(),
  })
  .refine(({ deliveryId: _, ...fields }) => Object.values(fields).some((one) => one !== undefined), {
    error: 'expected pointers for at least one field, such as name, summary, text or payload',
  })
  .refine(
    (mapping) => mapping.payload === undefined || REPORTED.every((name) => mapping[name] === undefined),
    {
      error: `payload goes with none of ${REPORTED.join(', ')}: those make up a payload of their own`,
      path: ['payload'],
    },
  );
export type WebhookMapping = z.infer<typeof mappingSchema>;

const header = z
  .string({ error: 'expected the name of a header, such as X-Signature' })
  .regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header, such as X-Signature')
  .toLowerCase();
/** Text before the value in its header, such as `sha256=` or `Bearer `. */
const prefix = z.string().max(50).default('');

/** A header's name may replace an object that has only this name. */
const orName = <T extends z.ZodType>(schema: T, key = 'header') =>
  z.preprocess((value) => (typeof value === 'string' ? { [key]: value } : value), schema);

const hmacSchema = orName(
  z
    .strictObject({
      header,
      prefix,
      algorithm: z
        .enum(['sha1', 'sha256', 'sha384', 'sha512'], {
          error: 'expected one of sha1, sha256, sha384, sha512',
        })
        .default('sha256'),
      encoding: z.enum(['hex', 'base64'], { error: 'expected hex or base64' }).default('hex'),
      /** Time of signing, in seconds or milliseconds since the epoch. */
      timestamp: orName(z.strictObject({ header, prefix })).optional(),
      /** Signed text, in the terms of the sender's documentation. */
      content: z.string().max(200).default('{body}'),
    })
    .refine(({ content }) => content.split('{body}').length === 2, {
      error: 'expected {body} once, such as "{timestamp}.{body}"',
      path: ['content'],
    })
    .refine(({ content, timestamp }) => content.includes('{timestamp}') === (timestamp !== undefined), {
      error: 'expected {timestamp} in it if, and only if, timestamp names the header of the time',
      path: ['content'],
    }),
);
export type HmacProof = z.infer<typeof hmacSchema>;

const proofSchema = z
  .strictObject(
    {
      hmac: hmacSchema.optional(),
      header: orName(z.strictObject({ name: header, prefix }), 'name').optional(),
      secret: z
        .string({ error: 'expected ${NAME}: the environment variable that holds the secret' })
        .regex(/^\$\{\w{1,200}\}$/, 'expected ${NAME}: the environment variable that holds the secret'),
    },
    { error: 'expected hmac or header, and secret: ${NAME}' },
  )
  .refine(({ hmac, header: token }) => (hmac === undefined) !== (token === undefined), {
    error: 'expected either hmac (a signature) or header (a shared token)',
  });
export type WebhookProof = z.infer<typeof proofSchema>;

const webhookSchema = z
  .strictObject({
    playbook: z.string({ error: 'expected the kind of case that its alerts are' }).min(1),
    preset: z.string().min(1).optional(),
    mapping: mappingSchema.optional(),
    proof: proofSchema,
  })
  .refine(({ preset, mapping }) => (preset === undefined) !== (mapping === undefined), {
    error: 'expected either preset (a sender that is known) or mapping (a JSON Pointer for each field)',
  });

/** The section `webhooks` of the settings: senders with their own URL, by its last part. */
export const webhookSettingsSchema = z.record(z.string(), webhookSchema);
/** The name is part of a URL. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** A webhook of the settings. Its secret is still `${NAME}`. */
export type ConfiguredWebhook = z.infer<typeof webhookSchema> & { name: string };

type Kind = Pick<Playbook, 'name' | 'intake'>;
/** Sources of alerts that have a shipped URL. */
export const SHIPPED_SOURCES = ['alertmanager', 'grafana'];

/** Returns the webhooks of the settings, and their problems. */
export function readWebhooks(
  settings: z.infer<typeof webhookSettingsSchema>,
  playbooks: readonly Kind[],
): { webhooks: ConfiguredWebhook[]; problems: FieldProblem[] } {
  const webhooks = Object.entries(settings).map(([name, one]) => ({ name, ...one }));
  const problems = webhooks.flatMap(({ name, playbook, preset }): FieldProblem[] => {
    const at = `webhooks.${name}`;
    const kind = playbooks.find((one) => one.name === playbook);
    const playbookNames = playbooks.map((one) => one.name);
    return [
      ...nameProblems(name, at),
      ...(kind === undefined
        ? [noSuch('playbook', `${at}.playbook`, playbookNames)]
        : presetProblems(`${at}.preset`, preset, kind)),
    ];
  });
  return { webhooks, problems };
}

function nameProblems(name: string, path: string): FieldProblem[] {
  if (!NAME.test(name))
    return [{ path, message: 'expected a name of at most 50 lower case letters, digits and hyphens' }];
  if (!SHIPPED_SOURCES.includes(name)) return [];
  return [{ path, message: `expected another name: alerts of ${name} have an address of their own` }];
}

function presetProblems(path: string, preset: string | undefined, { name, intake }: Kind): FieldProblem[] {
  const presets = intakeFormats(intake).filter((one) => one !== 'cloudevents');
  if (preset === undefined || presets.includes(preset)) return [];
  const message =
    presets.length === 0
      ? `${name} knows no sender: expected a mapping`
      : `expected one of ${presets.join(', ')}, or a mapping`;
  return [{ path, message }];
}

/** A shorter secret can be guessed. */
const SHORTEST_SECRET = 16;

/** Returns the secret of each webhook, by its name, and the problems: unset or too short variables. */
export function readWebhookSecrets(
  webhooks: readonly ConfiguredWebhook[],
  variables: Variables,
): { secrets: ReadonlyMap<string, string>; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const secrets = webhooks.map(({ name, proof }) => {
    const path = `webhooks.${name}.proof.secret`;
    const unset = problems.length;
    const secret = filledIn(proof.secret, variables, path, problems);
    if (problems.length === unset && secret.length < SHORTEST_SECRET)
      problems.push({ path, message: `expected at least ${SHORTEST_SECRET} characters in ${proof.secret}` });
    return [name, secret] as const;
  });
  return { secrets: new Map(secrets), problems };
}
