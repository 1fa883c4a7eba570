import { rightsOf, SERVICES_WITH_ROLES } from './rights.js';

export interface RoleNames {
  /** Prefix of the name of each role, such as `casefile` for `casefile_owner`: letters, digits and `_`. */
  prefix: string;
  /** Schema with the tables: letters, digits and `_`. */
  schema: string;
}

/** Returns the name of the role of a service, or of the owner of the tables. */
export const roleName = (prefix: string, of: string): string => `${prefix}_${of.replaceAll('-', '_')}`;

/**
 * Returns SQL that creates a role for the owner of the tables and one for each service, and grants each service what
 * its features declare. It replaces what earlier versions granted. Rights on tables that do not exist yet are left
 * out, so the script is run before the first migration, which needs the owner, and after each migration.
 */
export function rolesScript({ prefix, schema }: RoleNames): string {
  const owner = roleName(prefix, 'owner');
  const roles = SERVICES_WITH_ROLES.map((service) => roleName(prefix, service));
  const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
  const granted = SERVICES_WITH_ROLES.flatMap((service) =>
    [...rightsOf([service]).tables].map(
      ([table, rights]) => `('${roleName(prefix, service)}', '${[...rights].join(', ')}', '${table}')`,
    ),
  );
  const called = SERVICES_WITH_ROLES.flatMap((service) =>
    rightsOf([service]).functions.map((name) => `('${roleName(prefix, service)}', '${name}')`),
  );
  return `-- Roles of Casefile. Run this in its database as a superuser, or as the owner of the database with the right CREATEROLE:
-- before the first \`casefile migrate\`, and after each migration. The roles have no passwords yet.
begin;
do $$
declare
  name text;
begin
  foreach name in array array[${list([owner, ...roles])}] loop
    if to_regrole(name) is null then
      execute format('create role %I login', name);
    end if;
  end loop;
  -- An administrator that is no superuser grants as a member of the owner.
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant %I to %I', '${owner}', current_user);
  end if;
  execute format('grant connect, create, temporary on database %I to %I', current_database(), '${owner}');
  foreach name in array array[${list(roles)}] loop
    execute format('grant connect, temporary on database %I to %I', current_database(), name);
  end loop;
end $$;
grant usage, create on schema ${schema} to ${owner};
revoke create on schema ${schema} from public;
grant usage on schema ${schema} to ${roles.join(', ')};
revoke insert, update, delete, truncate on all tables in schema ${schema} from ${roles.join(', ')};
grant select on all tables in schema ${schema} to ${roles.join(', ')};
grant usage on all sequences in schema ${schema} to ${roles.join(', ')};
do $$
declare
  r record;
begin
  for r in select * from (values
    ${granted.join(',\n    ')}
  ) as granted(role, rights, name) where to_regclass('${schema}.' || name) is not null loop
    execute format('grant %s on ${schema}.%I to %I', r.rights, r.name, r.role);
  end loop;
  for r in select * from (values
    ${called.join(',\n    ')}
  ) as called(role, name) where to_regprocedure('${schema}.' || name) is not null loop
    execute format('grant execute on function ${schema}.%s to %I', r.name, r.role);
  end loop;
end $$;
commit;
`;
}
