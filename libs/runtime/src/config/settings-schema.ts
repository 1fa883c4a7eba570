import { z, jsonSchema, reasoningSwitchSchema, ERASABLE_CLASSES } from '@casefile/contracts';
import { accessSettingsSchema } from './access-settings.js';
import { alertmanagerSettingsSchema } from './alertmanager-settings.js';
import { budgetSettingsSchema } from '@casefile/engine';
import { callSettingsSchema } from './call-settings.js';
import { deliverySettingsSchema, destinationSettingsSchema } from './destination-settings.js';
import { feedSettingsSchema } from './feed-settings.js';
import { maskingSettingsSchema } from './masking-settings.js';
import { mcpSettingsSchema } from './mcp-settings.js';
import { runbookSettingsSchema } from './runbook-settings.js';
import { scheduleSettingsSchema } from './schedule-settings.js';
import { webhookSettingsSchema } from './webhook-settings.js';

const days = z.number().positive().max(36_500);

/**
 * The section `retention` of the settings: days until content is erased, by kind of case (`default`: of the kinds
 * that have no entry) and class. A class without days is kept.
 */
const retentionSettingsSchema = z.record(
  z.string().min(1).max(100),
  z.strictObject(
    Object.fromEntries(ERASABLE_CLASSES.map((name) => [name, days.optional()])) as Record<
      (typeof ERASABLE_CLASSES)[number],
      z.ZodOptional<typeof days>
    >,
  ),
);

const model = z.string().min(1).max(200);

/**
 * Settings of one kind of case: its strategy and models, all optional. Every other key is one of the kind's
 * options, which the playbook checks.
 */
const playbookSettingsSchema = z
  .object({
    strategy: z.string().min(1).optional(),
    /** Name in the provider table; `none`: no model. */
    provider: z.string().min(1).optional(),
    /**
     * Models of that provider. `high` answers; `low` is for cheap questions and for a nearly exhausted
     * budget.
     */
    models: z.strictObject({ high: model.optional(), low: model.optional() }).optional(),
    /** Provider that cross-examines. `same`: that of the kind. Default: another one whose key is set. */
    examiner: z.string().min(1).optional(),
    reasoning: reasoningSwitchSchema.optional(),
    /** Personal data that models do not see. */
    masking: maskingSettingsSchema.optional(),
    /**
     * A separate file with more of the kind's options, in the kind's own format. It is read again when it
     * changes.
     */
    settingsFile: z.string().min(1).optional(),
    /** Time for a model's answer, in milliseconds. */
    deadlineMs: z.number().int().min(1).max(600_000).optional(),
  })
  .catchall(jsonSchema)
  .transform(
    ({ strategy, provider, models = {}, examiner, reasoning, masking, settingsFile, ...options }) => {
      const entries = Object.entries(options).filter(([, value]) => value !== undefined);
      return {
        strategy,
        provider,
        models,
        examiner,
        reasoning,
        masking,
        settingsFile,
        options: z.record(z.string(), jsonSchema).parse(Object.fromEntries(entries)),
      };
    },
  );

const allPlaybookSettingsSchema = z.record(z.string(), playbookSettingsSchema);

const playbookBySchema = z
  .strictObject({
    source: z.string().min(1).max(200).optional(),
    queue: z.string().min(1).max(200).optional(),
    labels: z.record(z.string().min(1).max(100), z.string().max(1_000)).optional(),
    playbook: z.string().min(1),
  })
  .refine(
    ({ source, queue, labels = {} }) =>
      source !== undefined || queue !== undefined || Object.keys(labels).length > 0,
    { error: 'expected a source, a queue or labels that select alerts' },
  );

const share = z.strictObject({
  live: z.number().int().min(1).max(5_000),
  bulk: z.number().int().min(1).max(5_000),
});

/** Schema of `config/default.yaml` and of the files that override it. */
export const settingsFileSchema = z.strictObject({
  intake: z.strictObject({
    maxBacklog: z.number().int().min(1),
    retryAfterSeconds: z.number().min(1),
    maxBodyBytes: z.number().int().min(1_000),
    maxBatch: z.number().int().min(1),
    maxAlertValues: z.number().int().min(100),
    maxObjectKeys: z.number().int().min(10),
    maxAlertBytes: z.number().int().min(1_000),
    maxBatchBytes: z.number().int().min(1_000),
    maxBatchValues: z.number().int().min(100),
    /** Effect on a case when its sender reports that the alert is resolved. */
    resolved: z.enum(['note', 'close']).default('note'),
    /** Kind of case, by the event's type, for CloudEvents whose data names none. */
    cloudEventTypes: z.record(z.string().min(1), z.string().min(1)).default({}),
    /**
     * Kind of case for alerts that name none: by source, queue and labels. The first entry that fits is used.
     */
    playbookBy: z.array(playbookBySchema).max(1_000).default([]),
  }),
  mail: z
    .strictObject({
      /**
       * Names (authserv-id) of the mail servers whose header Authentication-Results is believed. Only the topmost
       * header of one of them counts.
       */
      trustedAuthservIds: z
        .array(z.string().regex(/^[^\s;()"=/]{1,255}$/, 'expected the name of a mail server'))
        .max(50)
        .default([]),
    })
    .prefault({}),
  /** How alerts of one cause are found that are judged together. */
  correlation: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Maximum time between the starts of two alerts of one storm, in minutes. */
      windowMinutes: z.number().min(1).max(60).default(5),
      /** Labels that name the service of an alert. */
      serviceLabels: z
        .array(z.string().min(1).max(100))
        .max(20)
        .default(['service', 'service_name', 'app', 'application', 'component']),
      /** Labels that name services which the service of an alert depends on. */
      dependencyLabels: z.array(z.string().min(1).max(100)).max(20).default(['depends_on']),
      /** Services by name, with what each depends on. */
      services: z
        .record(
          z.string().min(1).max(200),
          z.strictObject({ dependsOn: z.array(z.string().min(1).max(200)).max(200).default([]) }),
        )
        .default({}),
    })
    .prefault({}),
  lease: z.strictObject({
    seconds: z.number().min(1).max(600),
    maxCrashes: z.number().int().min(1),
    crashWindowHours: z.number().min(1),
    /**
     * Total time by which a step's deadline is extended while no worker holds its lease, after a crash or a
     * restart.
     */
    deadlinePauseMs: z.number().int().min(0).max(600_000).default(15_000),
  }),
  concurrency: z.record(z.string(), share),
  /** Database connections of one process: in total, and those reserved for live work. */
  store: z
    .strictObject({
      connections: z.number().int().min(4).max(1_000).default(8),
      liveConnections: z.number().int().min(0).max(997).default(4),
    })
    .refine(({ connections, liveConnections }) => connections - liveConnections >= 3, {
      error: 'expected at most connections - 3: bulk work, reading and the sweeper need theirs',
      path: ['liveConnections'],
    })
    .prefault({}),
  handOn: z.enum(['queue', 'direct']),
  /** Settings for reading images. Languages have Tesseract's names (`eng`, `chi_sim`). */
  ocr: z
    .strictObject({
      languages: z
        .array(z.string().regex(/^[a-z]{3}(?:_[a-z]{3,4})?$/))
        .min(1)
        .max(4)
        .default(['eng', 'hin']),
      further: z
        .array(z.string().regex(/^[a-z]{3}(?:_[a-z]{3,4})?$/))
        .max(20)
        .default([]),
      dataFolder: z.string().min(1).optional(),
      timeoutSeconds: z.number().min(1).max(300).default(20),
    })
    .prefault({}),
  /** Limits on verdicts that wait on the queue `verdicts` while no receiver takes them. */
  delivery: deliverySettingsSchema.prefault({}),
  /** Settings of the review desk. */
  reviews: z
    .strictObject({
      /** Time in which a correction can be undone before it leaves, in seconds. */
      sendAfterSeconds: z.number().min(0).max(3_600).default(10),
      /** Share of the verdicts that act or dismiss which a person checks, from 0 to 1. */
      sampleShare: z.number().min(0).max(1).default(0.02),
      /** Hours within which a person should answer, by kind of case. `default`: of the other kinds. */
      answerWithinHours: z.record(z.string(), z.number().positive().max(8_760)).default({}),
    })
    .prefault({}),
  /**
   * Providers by name. `fallback` is not a provider but the list of those to use if the first is unavailable.
   */
  providers: z.object({ fallback: z.array(z.string().min(1)).default([]) }).catchall(z.looseObject({})),
  calls: callSettingsSchema.prefault({}),
  budgets: budgetSettingsSchema.prefault({}),
  /** Kinds of case from outside: folders or modules, relative to the file, or packages. */
  kinds: z.array(z.string().min(1)).default([]),
  playbooks: allPlaybookSettingsSchema,
  evidence: z.strictObject({
    /** Own lists that replace the shipped ones: one domain per line. */
    domainLists: z.strictObject({ allowFile: z.string().optional(), blockFile: z.string().optional() }),
    /** JSON file of pages for web searches without a search engine key. */
    pages: z.string().min(1).optional(),
    /** Hosts that a tool may be redirected to, by tool name. */
    allowedHosts: z.record(z.string(), z.array(z.string().min(1))),
    pageReader: z
      .strictObject({
        /** Hosts of pages that may have a private address, such as `wiki.internal` or `*.internal:8443`. */
        privateHosts: z.array(z.string().min(1).max(253)).max(100).default([]),
        /** Requests per second to one host. */
        perHostPerSecond: z.number().min(0.05).max(100).default(1),
      })
      .prefault({}),
  }),
  tools: z.record(
    z.string(),
    z.strictObject({
      timeoutMs: z.number().int().min(1).optional(),
      attempts: z.number().int().min(1).max(10).optional(),
      concurrency: z.number().int().min(1).max(1_000).optional(),
      perSecond: z.number().positive().optional(),
    }),
  ),
  mcp: mcpSettingsSchema.prefault({}),
  runbooks: runbookSettingsSchema.prefault({}),
  webhooks: webhookSettingsSchema.default({}),
  destinations: destinationSettingsSchema.default({}),
  /** Alertmanager whose silences are read. Default: none. */
  alertmanager: alertmanagerSettingsSchema.optional(),
  schedules: scheduleSettingsSchema.default({}),
  feeds: feedSettingsSchema.default({}),
  access: accessSettingsSchema.prefault({}),
  /** Days until content of cases is erased. */
  retention: retentionSettingsSchema.default({}),
});
export type SettingsFile = z.infer<typeof settingsFileSchema>;
