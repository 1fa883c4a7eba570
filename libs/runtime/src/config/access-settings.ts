import { ROLES, z, type FieldProblem, type Role } from '@casefile/contracts';
import { filledIn, httpUrl, type Variables } from './placeholders.js';

const text = z.string().min(1).max(2_000);
const claim = z.string().min(1).max(200);

/** Sign-in by OpenID Connect. Texts may contain `${NAME}`, which only the console replaces. */
const oidcSchema = z.strictObject({
  issuer: text,
  clientId: text,
  /** Default: a public client, which PKCE alone protects. */
  clientSecret: z
    .string()
    .regex(/^\$\{\w{1,200}\}$/, 'expected ${NAME}: the environment variable that holds the secret')
    .optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'expected a scope without spaces'))
    .max(50)
    .default(['openid', 'profile', 'email'])
    .refine((scopes) => scopes.includes('openid'), { error: 'expected openid among the scopes' }),
  /** Claim with the groups of a person: its name, or a path such as `realm_access.roles`. */
  groupsClaim: claim.default('groups'),
  /** Claim with the name for the audit log. Default: the verified address, or `sub` if there is none. */
  nameClaim: claim.default('email'),
  roles: z
    .record(z.string().min(1).max(500), z.enum(ROLES, { error: `expected one of ${ROLES.join(', ')}` }))
    .refine((roles) => Object.keys(roles).length > 0, {
      error: `expected GROUP: role, with a role of ${ROLES.join(', ')}`,
    }),
  /** URL at which people open the console. Default: `delivery.consoleUrl`. */
  publicUrl: text.optional(),
});

/** The section `access` of the settings. */
export const accessSettingsSchema = z.strictObject({
  oidc: oidcSchema.optional(),
  /** Attempts to sign in, and failures, of one address per minute. */
  attemptsPerMinute: z.number().int().min(1).max(10_000).default(30),
});
export type AccessSettings = z.infer<typeof accessSettingsSchema>;

/** The sign-in by OpenID Connect, with `${NAME}` replaced. */
export interface ConfiguredOidc {
  issuer: string;
  clientId: string;
  /** null: a public client. */
  clientSecret: string | null;
  scopes: readonly string[];
  groupsClaim: string;
  nameClaim: string;
  roles: Readonly<Record<string, Role>>;
  /** Origin at which people open the console, such as `https://casefile.example.com`. */
  publicUrl: string;
}

/** Settings that the sign-in depends on. */
interface SignInSettings {
  access: AccessSettings;
  delivery: { consoleUrl: string | null };
}

/**
 * Returns the sign-in by OpenID Connect, and its problems.
 * @param variables Replace `${NAME}`; null: placeholders stay, and what depends on them is not checked.
 * @param hosts Names under which the services may be called, in addition to loopback names.
 */
export function readOidc(
  { access: { oidc }, delivery: { consoleUrl } }: SignInSettings,
  variables: Variables | null,
  hosts: readonly string[],
): { oidc: ConfiguredOidc | null; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  if (oidc === undefined) return { oidc: null, problems };
  const fill = (value: string, field: string) => filledIn(value, variables, at(field), problems);
  const configuredUrl = oidc.publicUrl ?? consoleUrl;
  if (configuredUrl === null)
    problems.push({
      path: at('publicUrl'),
      message: 'expected the URL at which people open the console, here or as delivery.consoleUrl',
    });
  const publicUrl = fill(configuredUrl ?? '', 'publicUrl');
  const issuer = fill(oidc.issuer, 'issuer');
  if (problems.length === 0) {
    problems.push(...secureProblems(issuer, 'issuer'));
    problems.push(...secureProblems(publicUrl, 'publicUrl'));
    if (variables !== null && problems.length === 0) problems.push(...originProblems(publicUrl, hosts));
  }
  const read: ConfiguredOidc = {
    ...oidc,
    issuer,
    clientId: fill(oidc.clientId, 'clientId'),
    clientSecret: oidc.clientSecret === undefined ? null : fill(oidc.clientSecret, 'clientSecret'),
    publicUrl: URL.canParse(publicUrl) ? new URL(publicUrl).origin : publicUrl,
  };
  return { oidc: read, problems };
}

const at = (field: string): string => `access.oidc.${field}`;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

// Codes, secrets and cookies travel over these URLs.
function secureProblems(url: string, field: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  httpUrl(url, at(field), problems);
  if (problems.length > 0 || !url.startsWith('http://') || !URL.canParse(url)) return problems;
  if (LOOPBACK.includes(new URL(url).hostname)) return [];
  return [{ path: at(field), message: 'expected https://...; http:// is accepted on loopback alone' }];
}

function originProblems(publicUrl: string, hosts: readonly string[]): FieldProblem[] {
  const { pathname, search, hash, hostname } = new URL(publicUrl);
  if (pathname !== '/' || search !== '' || hash !== '')
    return [{ path: at('publicUrl'), message: 'expected a URL without a path: the console is at the root' }];
  if (LOOPBACK.includes(hostname) || hosts.includes(hostname)) return [];
  return [
    {
      path: 'CASEFILE_HOSTS',
      message: `expected ${hostname} among the names, because people open the console at access.oidc.publicUrl`,
    },
  ];
}
