import type { Embedder, Masking } from '@casefile/contracts';
import { findPersonalData, replaceValues } from '@casefile/masking';

/**
 * Returns an embedder that sends the class in place of each value, such as `[EMAIL]`. A vector is compared with
 * those of all cases, so a pseudonym of one case has no use here.
 * @param kinds Masking of each kind of case. All classes and patterns of all kinds are masked.
 */
export function maskedEmbedder(embedder: Embedder, kinds: readonly (Masking | undefined)[]): Embedder {
  const [first, ...others] = kinds.flatMap((one) => one ?? []);
  if (embedder.locality === 'local' || first === undefined) return embedder;
  const masking = others.reduce(
    (all, { personalData, patterns }) => ({
      ...all,
      personalData: [...new Set([...all.personalData, ...personalData])],
      patterns: [...all.patterns, ...patterns],
    }),
    first,
  );
  return {
    ...embedder,
    embed: (texts, signal) =>
      Promise.all(texts.map((text) => withClasses(text, masking))).then((masked) =>
        embedder.embed(masked, signal),
      ),
  };
}

async function withClasses(text: string, masking: Masking): Promise<string> {
  return replaceValues(text, await findPersonalData(text, masking), ({ label }) => `[${label}]`);
}
