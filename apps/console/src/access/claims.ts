import { ROLES, type Role } from '@casefile/contracts';

/** Groups that are read of one person, and characters of a group's name. */
const MOST_GROUPS = 5_000;
const LONGEST_GROUP = 500;

/**
 * Returns a claim by its name, or by a path such as `realm_access.roles`; undefined: there is none. A name
 * may itself contain dots, as in a URL.
 */
export function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Returns the groups of a claim: a list of names, or one name. null: the claim is missing. */
export function groupNames(claim: unknown): string[] | null {
  if (claim === undefined || claim === null) return null;
  const values: unknown[] = Array.isArray(claim) ? claim.slice(0, MOST_GROUPS) : [claim];
  return values.filter(
    (value): value is string => typeof value === 'string' && value !== '' && value.length <= LONGEST_GROUP,
  );
}

/** Returns the highest role of these groups, and the groups that have a role; null: no group has one. */
export function roleOfGroups(
  groups: readonly string[],
  roles: Readonly<Record<string, Role>>,
): { role: Role; groups: string[] } | null {
  const knownGroups = [...new Set(groups)].filter((group) => Object.hasOwn(roles, group));
  const ranks = knownGroups.map((group) => ROLES.indexOf(roles[group]!));
  const role = ROLES[Math.max(...ranks)];
  return role === undefined ? null : { role, groups: knownGroups };
}
