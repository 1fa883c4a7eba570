import { CasefileError, type Act, type Json } from '@casefile/contracts';
import type { Prisma } from '../generated/admin/client.js';

/** A transaction of the Prisma Client. */
export type AdminTransaction = Prisma.TransactionClient;

/** What an act is recorded with: its event has the same type, and `data` with who acted and why. */
export interface RecordedAct extends Act {
  type: string;
  /** What was acted on, such as `prompt kind/name`. */
  subject: string;
  data: Record<string, Json>;
}

/**
 * Records an act and its event, as part of the transaction that performs it. Lock the subject first.
 * @returns false if the act was recorded before: the request is repeated, so nothing must be done again.
 * @throws CasefileError `conflict` if the id belongs to another act.
 */
export async function recordAct(
  tx: AdminTransaction,
  { actId, by, reason, type, subject, data }: RecordedAct,
): Promise<boolean> {
  const text = JSON.stringify(data);
  const added = await tx.$executeRaw`
    insert into acts (id, type, subject, by, reason, data)
    values (${actId}, ${type}, ${subject}, ${by}, ${reason}, ${text}::json) on conflict do nothing`;
  if (added === 0) {
    const known = await tx.act.findUnique({ where: { id: actId } });
    if (known?.type === type && known.subject === subject) return false;
    throw new CasefileError('conflict', `the actId "${actId}" belongs to another act: send a new one`);
  }
  const event = JSON.stringify({ ...data, by, reason, actId });
  await tx.$executeRaw`insert into events (type, data) values (${type}, ${event}::json)`;
  return true;
}
