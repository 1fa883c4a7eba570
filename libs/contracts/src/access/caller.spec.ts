import fc from 'fast-check';
import { ANYONE, includesRole, mayUse, ROLES, SCOPES, type Caller, type Right } from './caller.js';

const person = (role: Caller['role']): Caller => ({ name: 'ann', proof: 'key', role, scopes: [] });

describe('mayUse', () => {
  it('allows a role what it allows every role before it', () => {
    const roles = fc.constantFrom(...ROLES);
    const rights = fc.oneof(
      roles,
      fc.record({ role: roles, scope: fc.constantFrom(...SCOPES) }),
    ) as fc.Arbitrary<Right>;
    fc.assert(
      fc.property(roles, roles, rights, (lower, higher, right) => {
        fc.pre(includesRole(higher, lower));
        return !mayUse(person(lower), right) || mayUse(person(higher), right);
      }),
    );
  });

  it('allows the required role, and no lower one', () => {
    expect(ROLES.map((role) => mayUse(person(role), 'operator'))).toEqual([false, false, true, true]);
  });

  it('allows a program the routes of its scopes alone', () => {
    const program: Caller = { name: 'mail gateway', proof: 'key', role: null, scopes: ['intake'] };
    expect(mayUse(program, { role: 'operator', scope: 'intake' })).toBe(true);
    expect(mayUse(program, { role: 'reviewer', scope: 'feedback' })).toBe(false);
    expect(mayUse(program, 'viewer')).toBe(false);
  });

  it('allows everybody an open route, and every route to anyone where no proof is required', () => {
    expect(mayUse(person(null), 'open')).toBe(true);
    for (const role of ROLES) expect(mayUse(ANYONE, role)).toBe(true);
  });
});
