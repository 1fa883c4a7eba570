import { consoleWith } from '@casefile/console/console';
import { ROLES, silentLogger, type Caller, type Role } from '@casefile/contracts';
import {
  AccessGuard,
  AccessTable,
  SHARED_ENTRIES,
  type Authenticator,
  type ServiceDefinition,
} from '@casefile/runtime';

/** Header that names the role of a request under test. */
export const ROLE = 'x-test-role';

const byHeader: Authenticator = {
  authenticate: async ({ headers }) => {
    const role = ROLES.find((one) => one === headers[ROLE]);
    return role === undefined ? null : callerWith(role);
  },
};
/** Returns a person with a role. */
export const callerWith = (role: Role): Caller => ({ name: 'test', proof: 'key', role, scopes: [] });

const always = (role: Role | undefined): Authenticator => ({
  authenticate: async () => (role === undefined ? null : callerWith(role)),
});

/**
 * Returns the console with a guard that believes the header.
 * @param options as of the console.
 * @param role Role of requests without the header. Default: they are refused.
 */
export function consoleForRoles(
  options: Parameters<typeof consoleWith>[0] = {},
  role?: Role,
): ServiceDefinition {
  const definition = consoleWith(options);
  return {
    ...definition,
    prepare: async (app, platform) => {
      const table = new AccessTable([...SHARED_ENTRIES, ...(definition.access?.(platform) ?? [])]);
      const parts = {
        table,
        authenticators: [byHeader, always(role)],
        isOpen: async () => false,
        log: silentLogger,
      };
      const guard = new AccessGuard(parts);
      app.use(guard.handler(definition.pages));
      return definition.prepare?.(app, platform, guard);
    },
  };
}
