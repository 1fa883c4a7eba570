import { z } from '@casefile/contracts';
import { isSigningKey, SIGNING_KEY_EXPECTED } from '../decision-file/signing-key.js';

const port = z.coerce.number({ error: 'expected a port, 0 to 65535' }).int().min(0).max(65_535);
const url = z.url({ error: 'expected a URL' });

/**
 * Environment variables that are read, and their formats, without those of tools: each tool declares its own. An empty
 * variable counts as unset.
 */
export const environmentSchema = z.object({
  /** `production`: limits that only warn elsewhere are enforced. */
  NODE_ENV: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://...')
    .optional(),
  /** Address of the server itself, if DATABASE_URL leads to a pooler in transaction mode. */
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://...')
    .optional(),
  /** Address of a replica from which the console reads lists, search and quality. */
  DATABASE_READ_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://...')
    .optional(),
  QUEUE_URL: z
    .string()
    .regex(
      /^(rediss?(\+cluster|\+sentinel)?|postgres(ql)?):\/\//,
      'expected redis://..., redis+cluster://..., redis+sentinel://... or postgres://...',
    )
    .optional(),
  /** Prefix of every key on Redis. Two installations on one Redis need two. */
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'expected up to 40 letters, digits, dots, hyphens and underscores')
    .optional(),
  /** Files with PEM for `rediss`: authorities to trust, certificate and key of this client. */
  QUEUE_TLS_CA_FILE: z.string().optional(),
  QUEUE_TLS_CERT_FILE: z.string().optional(),
  QUEUE_TLS_KEY_FILE: z.string().optional(),
  CASEFILE_SAMPLES: z.enum(['on', 'off']).default('on'),
  CASEFILE_CONFIG: z
    .string()
    .transform((paths) => paths.split(',').map((path) => path.trim()))
    .pipe(z.array(z.string().min(1, 'expected paths with commas between them')))
    .optional(),
  /** Kinds of case from outside: folders, modules or packages. */
  CASEFILE_KINDS: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1, 'expected paths or packages with commas between them')))
    .optional(),
  /** Folder with texts of prompts that replace the shipped ones. */
  CASEFILE_PROMPTS: z.string().optional(),
  CASEFILE_DATA: z.string().default('.casefile'),
  CASEFILE_FINGERPRINT_KEY: z.string().min(16, 'expected at least 16 characters').optional(),
  CASEFILE_VERDICT_KEY: z.string().min(24, 'expected at least 24 characters').optional(),
  /** Private key that signs decision files. */
  CASEFILE_SIGNING_KEY: z.string().refine(isSigningKey, SIGNING_KEY_EXPECTED).optional(),
  /** Secret of Grafana's contact point. If set, its posts must be signed with it. */
  CASEFILE_GRAFANA_SECRET: z.string().min(16, 'expected at least 16 characters').optional(),
  /** Secret of a sender that signs by Standard Webhooks. */
  CASEFILE_WEBHOOK_SECRET: z
    .string()
    .regex(/^(?:whsec_)?[A-Za-z0-9+/]{22,200}={0,2}$/, 'expected whsec_ and at least 16 bytes in base64')
    .optional(),
  /** Access key that the command line sends. Services do not read it. */
  CASEFILE_KEY: z
    .string()
    .regex(/^cf_\w{59}$/, 'expected an access key, cf_ and 59 more characters')
    .optional(),
  CASEFILE_TRUST_NETWORK: z.enum(['on', 'off']).default('off'),
  /** Names, without ports, under which services may be called, in addition to loopback names. */
  CASEFILE_HOSTS: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((name) => name !== ''))
    .pipe(
      z.array(
        z
          .string()
          .toLowerCase()
          .regex(
            /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/,
            'expected names of hosts without ports, with commas between them',
          ),
      ),
    )
    .optional(),
  HOST: z.string().default('127.0.0.1'),
  CONSOLE_PORT: port.default(3000),
  INGEST_PORT: port.default(3001),
  EVIDENCE_COLLECTOR_PORT: port.default(3002),
  REASONER_PORT: port.default(3003),
  CRITIC_WRITER_PORT: port.default(3004),
  DECISION_PORT: port.default(3005),
  LLM_PROVIDER: z.string().optional(),
  LLM_MODEL: z.string().optional(),
  LLM_BASE_URL: url.optional(),
  LLM_FALLBACK: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1, 'expected names of providers with commas between them')))
    .optional(),
  EMBEDDINGS_URL: url.optional(),
  EMBEDDINGS_MODEL: z.string().optional(),
  EMBEDDINGS_API_KEY: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  /** Name defined by the OpenTelemetry conventions. `true`: spans also contain requests and answers. */
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z.enum(['true', 'false']).default('false'),
});
export type Environment = z.infer<typeof environmentSchema>;
