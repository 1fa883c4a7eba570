import { z } from '@casefile/contracts';

/** A message with what is known of it. */
export const labelledMessageSchema = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  text: z.string().min(1).max(1_000_000),
  /** BCP 47. */
  language: z.string().min(1).max(35),
  isScam: z.boolean(),
  /** null for what is harmless, or not known. */
  category: z.string().min(1).max(100).nullable(),
});
export interface LabelledMessage {
  id: string;
  text: string;
  language: string;
  isScam: boolean;
  category: string | null;
}
