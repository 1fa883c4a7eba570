import { z, type FieldProblem } from '@casefile/contracts';
import type { RunbookSettings, RunbookSource } from '@casefile/knowledge';
import { filledIn, httpUrl, type Variables } from './placeholders.js';

const text = z.string().trim().min(1).max(2_048);

const ruleSchema = z
  .strictObject({
    runbook: text,
    labels: z.record(z.string().min(1), z.string()).default({}),
    alerts: z.array(text).default([]),
  })
  .refine(({ labels, alerts }) => Object.keys(labels).length + alerts.length > 0, {
    error: 'expected labels or alerts: a rule with neither is for no alert (there is `default` for all)',
  });

const sourceSchema = z.union(
  [
    z.strictObject({ folder: text, pages: text.optional() }),
    z.strictObject({ url: text, name: text.optional(), token: text.optional() }),
    z.strictObject({
      git: text,
      ref: text.optional(),
      path: text.optional(),
      pages: text.optional(),
      token: text.optional(),
      username: text.optional(),
    }),
  ],
  {
    error:
      'expected a folder (with pages), a url (with name, token) or a git address (with ref, path, pages, token, username)',
  },
);

/** The section `runbooks` of the settings. */
export const runbookSettingsSchema = z.strictObject({
  rules: z.array(ruleSchema).max(10_000).default([]),
  default: text.nullable().default(null),
  sources: z.array(sourceSchema).max(100).default([]),
  /** `docs.example`, `*.docs.example`, with a port if it is not the default one. */
  allowedHosts: z.array(text).default([]),
});

/** Runbook settings of a configuration. */
export type ConfiguredRunbooks = RunbookSettings & { allowedHosts: readonly string[] };

/**
 * Returns the section, and its problems: unset variables, URLs that are not valid or contain a password.
 * @param variables Replace `${NAME}` in its sources; null: placeholders stay, for processes that read no
 * runbooks.
 */
export function readRunbookSettings(
  { sources, ...settings }: z.infer<typeof runbookSettingsSchema>,
  variables: Variables | null,
): { settings: ConfiguredRunbooks; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const read = sources.map((source, i): RunbookSource => {
    const at = `runbooks.sources.${i}`;
    const filled = Object.fromEntries(
      Object.entries(source).map(([key, value]) => [
        key,
        filledIn(value, variables, `${at}.${key}`, problems),
      ]),
    );
    for (const key of ['url', 'git', 'pages']) {
      const url = filled[key];
      if (url === undefined) continue;
      httpUrl(url, `${at}.${key}`, problems);
      if (/^https?:\/\/[^/?#]*@/i.test(url))
        problems.push({
          path: `${at}.${key}`,
          message: 'expected no name or password in the address: there is `token`',
        });
    }
    return filled as RunbookSource;
  });
  return { settings: { ...settings, sources: read }, problems };
}
