import type { Kind } from '@casefile/kit';

/**
 * The shipped kinds of case, each with the module that defines it. An alert that names no kind gets the first
 * one with the strongest claim. Programs load kinds by this list, and no other place lists them.
 */
const SHIPPED: readonly (() => Promise<{ default: Kind }>)[] = [
  () => import('@casefile/scam-verdict'),
  () => import('@casefile/message-screening'),
  () => import('@casefile/policy-check'),
  () => import('@casefile/incident'),
  () => import('@casefile/research'),
];

/** Loads the shipped kinds of case, in their order. */
export async function shippedKinds(): Promise<Kind[]> {
  const modules = await Promise.all(SHIPPED.map((load) => load()));
  return modules.map(({ default: kind }) => kind);
}
