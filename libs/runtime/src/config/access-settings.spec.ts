import { accessSettingsSchema, readOidc } from './access-settings.js';

const OIDC = {
  issuer: 'https://login.example.com',
  clientId: 'casefile',
  clientSecret: '${OIDC_SECRET}',
  publicUrl: 'https://casefile.example.com/',
  roles: { soc: 'operator' },
};
const read = (
  over: Record<string, unknown> = {},
  variables: Record<string, string> | null = { OIDC_SECRET: 'hush' },
  hosts = ['casefile.example.com'],
) =>
  readOidc(
    { access: accessSettingsSchema.parse({ oidc: { ...OIDC, ...over } }), delivery: { consoleUrl: null } },
    variables,
    hosts,
  );
const issuesOf = (over: Record<string, unknown>) =>
  accessSettingsSchema
    .safeParse({ oidc: { ...OIDC, ...over } })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('access.oidc', () => {
  it('is off by default', () => {
    const access = accessSettingsSchema.parse({});
    expect(readOidc({ access, delivery: { consoleUrl: null } }, {}, [])).toEqual({
      oidc: null,
      problems: [],
    });
  });

  it('is resolved for the console, with the origin of the public URL', () => {
    expect(read()).toMatchObject({
      problems: [],
      oidc: { clientSecret: 'hush', publicUrl: 'https://casefile.example.com', groupsClaim: 'groups' },
    });
  });

  it('keeps placeholders in other processes, and checks no variable there', () => {
    expect(read({}, null, [])).toMatchObject({ problems: [], oidc: { clientSecret: '${OIDC_SECRET}' } });
  });

  it('takes the URL of messages if it has no URL of its own', () => {
    const { publicUrl: _own, ...rest } = OIDC;
    const access = accessSettingsSchema.parse({ oidc: rest });
    const consoleUrl = 'http://localhost:3000';
    const variables = { OIDC_SECRET: 'hush' };
    expect(readOidc({ access, delivery: { consoleUrl } }, variables, []).oidc?.publicUrl).toBe(consoleUrl);
    expect(readOidc({ access, delivery: { consoleUrl: null } }, variables, []).problems).toMatchObject([
      { path: 'access.oidc.publicUrl' },
    ]);
  });

  it.each([
    [{ issuer: 'http://login.example.com' }, 'access.oidc.issuer', 'expected https://'],
    [{ issuer: 'login.example.com' }, 'access.oidc.issuer', 'expected http://... or https://...'],
    [{ publicUrl: 'http://casefile.example.com' }, 'access.oidc.publicUrl', 'expected https://'],
    [{ publicUrl: 'https://casefile.example.com/app' }, 'access.oidc.publicUrl', 'without a path'],
    [{ publicUrl: 'https://other.example.com' }, 'CASEFILE_HOSTS', 'expected other.example.com'],
    [{ clientSecret: '${UNSET}' }, 'access.oidc.clientSecret', 'the environment variable UNSET'],
  ])('names the wrong field of %j', (over, path, message) => {
    expect(read(over).problems).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it.each([
    [{ clientSecret: 'in plain text' }, 'oidc.clientSecret: expected ${NAME}'],
    [{ roles: { soc: 'root' } }, 'oidc.roles.soc: expected one of viewer, reviewer, operator, admin'],
    [{ roles: {} }, 'oidc.roles: expected GROUP: role'],
    [{ scopes: ['profile'] }, 'oidc.scopes: expected openid'],
  ])('names the wrong field of %j before a variable is read', (over, message) => {
    expect(issuesOf(over)).toEqual([expect.stringContaining(message)]);
  });
});
