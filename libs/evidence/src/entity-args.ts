import { z } from '@casefile/contracts';

/** Arguments of a tool that queries one entity of these types. */
export function entityArgs<const T extends readonly [string, ...string[]]>(types: T) {
  return z.object({
    entityType: z.enum(types),
    entityValue: z.string().trim().min(1).max(2048),
  });
}
