import { jsonSchema, reasoningSwitchSchema, z, type FieldProblem } from '@casefile/contracts';
import { playbooks } from '@casefile/pipeline';

const model = z.string().min(1).max(200);

/**
 * What a configuration says of one kind of case: how it reasons and with which models, all optional; every other key is one of
 * its own options, which the playbook itself checks. S2-07.
 */
const playbookSettingsSchema = z
  .object({
    strategy: z.string().min(1).optional(),
    /** Name in the provider table; `none`: no model. */
    provider: z.string().min(1).optional(),
    /** Of that provider: `high` answers, `low` is for cheap questions and for want of budget. */
    models: z.strictObject({ high: model.optional(), low: model.optional() }).optional(),
    reasoning: reasoningSwitchSchema.optional(),
    /** For a model's answer, in milliseconds. */
    deadlineMs: z.number().int().min(1).max(600_000).optional(),
  })
  .catchall(jsonSchema)
  .transform(({ strategy, provider, models = {}, reasoning, ...options }) => {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    return {
      strategy,
      provider,
      models,
      reasoning,
      options: z.record(z.string(), jsonSchema).parse(Object.fromEntries(given)),
    };
  });
export type PlaybookSettings = z.infer<typeof playbookSettingsSchema>;

export const allPlaybookSettingsSchema = z.record(z.string(), playbookSettingsSchema);

/** What is wrong with the names in these settings: of kinds of case that there are not, and of strategies that they do not offer. */
export function playbookProblems(settings: Record<string, PlaybookSettings>): FieldProblem[] {
  return Object.entries(settings).flatMap(([name, { strategy }]) => {
    const playbook = playbooks.find((one) => one.name === name);
    if (playbook === undefined) {
      const known = playbooks.map((one) => one.name).join(', ');
      return [{ path: `playbooks.${name}`, message: `there is no such playbook; expected one of ${known}` }];
    }
    const strategies = Object.keys(playbook.strategies);
    if (strategy === undefined || strategies.includes(strategy)) return [];
    return [{ path: `playbooks.${name}.strategy`, message: `expected one of ${strategies.join(', ')}` }];
  });
}
