import { MASKING_RULES, PERSONAL_DATA, z, type Masking } from '@casefile/contracts';
import { checkPattern, MOST_PATTERN_SIZE } from '@casefile/masking';

const MOST_PATTERNS = 20;
const LONGEST_PATTERN = 200;

const patternSchema = z
  .string()
  .min(1)
  .max(LONGEST_PATTERN, { error: `expected at most ${LONGEST_PATTERN} characters` })
  .superRefine((pattern, context) => {
    const checked = checkPattern(pattern);
    if ('problem' in checked) context.addIssue({ code: 'custom', message: checked.problem });
  });

/**
 * The setting `playbooks.KIND.masking`: classes of personal data, and own patterns by name in RE2 syntax. Without
 * any, nothing is masked. The result is undefined then, so that it is no part of the settings of a run.
 */
export const maskingSettingsSchema = z
  .strictObject({
    personalData: z.array(z.enum(PERSONAL_DATA)).max(PERSONAL_DATA.length).default([]),
    patterns: z.record(z.string(), patternSchema).default({}),
  })
  .superRefine(({ patterns }, context) => {
    const all = Object.values(patterns);
    const sizes = all.map(checkPattern).flatMap((one) => ('size' in one ? [one.size] : []));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    const issue = (message: string, ...names: string[]) =>
      context.addIssue({ code: 'custom', path: ['patterns', ...names], message });
    for (const name of Object.keys(patterns))
      if (!/^[a-z][a-z0-9-]{0,29}$/.test(name))
        issue('expected a name of up to 30 lower-case letters, digits and hyphens', name);
    if (all.length > MOST_PATTERNS) issue(`expected at most ${MOST_PATTERNS} patterns`);
    if (size > MOST_PATTERN_SIZE)
      issue(
        `expected smaller patterns: compiled they have ${size} instructions, more than ${MOST_PATTERN_SIZE}`,
      );
  })
  .transform(({ personalData, patterns }): Masking | undefined => {
    const namedPatterns = Object.entries(patterns).map(([name, pattern]) => ({ name, pattern }));
    if (personalData.length + namedPatterns.length === 0) return undefined;
    return { rules: MASKING_RULES, personalData, patterns: namedPatterns };
  });
