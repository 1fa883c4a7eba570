import { CasefileError, type Caller, type IntakeLimits, type Lane } from '@casefile/contracts';

/** Proven sender of an alert. */
export interface AlertSender {
  name: string;
  limits?: IntakeLimits | undefined;
}

/** Returns the option `sender` of an alert from this caller. Empty: the caller proved nothing. */
export function sentBy({ name, proof, limits }: Caller): { sender?: AlertSender } {
  return proof === 'none' ? {} : { sender: { name, limits } };
}

/** @throws CasefileError `forbidden` if the sender may not send such an alert. */
export function checkSender(
  { name, limits = {} }: AlertSender,
  { kind, source, lane }: { kind: string; source: string | undefined; lane: Lane },
): void {
  const parts = [
    { what: 'kind', value: kind, allowed: limits.kinds },
    { what: 'source', value: source, allowed: limits.sources },
    { what: 'lane', value: lane, allowed: limits.lanes },
  ];
  for (const { what, value, allowed } of parts) {
    if (allowed === undefined || (value !== undefined && allowed.includes(value))) continue;
    const alerts = value === undefined ? `alerts without a ${what}` : `alerts of the ${what} ${value}`;
    throw new CasefileError(
      'forbidden',
      `The key ${name} may not send ${alerts}. Its limit: ${allowed.join(', ')}.`,
    );
  }
}
