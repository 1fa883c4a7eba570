/** Roles of people and keys. Each role has every right of the roles before it. */
export const ROLES = ['viewer', 'reviewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Scopes of keys of programs. A key with a scope has no role. */
export const SCOPES = ['intake', 'feedback', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];

/** How a caller proved who they are. `none`: no proof was required. */
export type Proof = 'none' | 'key' | 'session';

/** Alerts that a caller may send. A missing field does not limit. */
export interface IntakeLimits {
  kinds?: readonly string[] | undefined;
  sources?: readonly string[] | undefined;
  lanes?: readonly string[] | undefined;
  /** Most that the runs of its alerts of one UTC day may cost, in US dollars. */
  dailyUsd?: number | undefined;
}

/** Who sent a request. */
export interface Caller {
  /** Name for the audit log. Empty if the caller proved nothing. */
  name: string;
  proof: Proof;
  /** null: a program, which has scopes alone. */
  role: Role | null;
  scopes: readonly Scope[];
  /** Limits of the alerts that it sends. Default: none. */
  limits?: IntakeLimits | undefined;
}

/** The caller of an installation that requires no proof: any right, no name. */
export const ANYONE: Caller = { name: '', proof: 'none', role: 'admin', scopes: SCOPES };

/**
 * The right that a route requires: `open` for everybody, otherwise the lowest role that may use it, or a scope
 * that may use it as well.
 */
export type Right = 'open' | Role | { role: Role; scope: Scope };

/** Returns whether the role has every right of the other role. */
export function includesRole(role: Role | null, required: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** Returns whether a caller may use a route. */
export function mayUse({ role, scopes }: Caller, right: Right): boolean {
  if (right === 'open') return true;
  if (typeof right === 'string') return includesRole(role, right);
  return includesRole(role, right.role) || scopes.includes(right.scope);
}
