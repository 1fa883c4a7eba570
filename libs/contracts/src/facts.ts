import { z } from 'zod';

/** One fact read from a document of a case. Several facts may share a name: they are several readings. */
export const factSchema = z.object({
  /** Id for citations. Default: `<name>#<n>`, counted from 1 per name. */
  id: z.string().min(1).max(200).optional(),
  name: z
    .string()
    .max(200)
    .refine((name) => factName(name) !== '', 'expected a name with letters or digits'),
  value: z.union(
    [z.string().max(20_000), z.number(), z.boolean()],
    'expected text of at most 20000 characters, a number, true or false',
  ),
  unit: z.string().max(40).optional(),
  /** Confidence of the reading, 0..1. */
  confidence: z.number().min(0).max(1),
  document: z.string().max(500).optional(),
  /** Page of the document, from 1. */
  page: z.number().int().min(1).optional(),
  /** Left, top, right, bottom on the page, each 0..1. */
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
});
export type Fact = z.infer<typeof factSchema>;

/** A fact that a citation can refer to. */
export interface CitableFact extends Fact {
  id: string;
}

/**
 * Returns the canonical form of a fact's name: `Loss date`, `lossDate` and `LOSS-DATE` all become
 * `loss_date`.
 */
export function factName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** Returns every fact with an id: its own, else its name and number. */
export function citableFacts(facts: readonly Fact[]): CitableFact[] {
  const counts = new Map<string, number>();
  return facts.map((fact) => {
    const name = factName(fact.name);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...fact, id: fact.id ?? `${name}#${count}` };
  });
}

/** Returns the facts with this name, in any spelling. If there are none, returns the fact with this id. */
export function factsNamed(facts: readonly CitableFact[], reference: string): CitableFact[] {
  const name = factName(reference);
  const byName = facts.filter((fact) => factName(fact.name) === name);
  return byName.length > 0 ? byName : facts.filter(({ id }) => id === reference.trim());
}

/** Returns the distinct names of the facts in alphabetical order. */
export function factNames(facts: readonly Fact[]): string[] {
  return [...new Set(facts.map(({ name }) => factName(name)))].sort();
}
