import type { Role } from '@casefile/contracts';
import { useSignIn } from '../api/access.js';

/** Each role includes the roles before it. */
export const ROLES = ['viewer', 'reviewer', 'operator', 'admin'] as const satisfies readonly Role[];

/**
 * Returns a function that tests whether this person has a role. It only hides what the server would
 * refuse. Without a required proof, everybody may use everything. Nothing is hidden until the role is known.
 */
export function useMay(): (needs: Role) => boolean {
  const { data } = useSignIn();
  const person = data?.person ?? null;
  return (needs) => person === null || ROLES.indexOf(person.role) >= ROLES.indexOf(needs);
}
