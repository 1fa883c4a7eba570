/** Returns a fixed made-up secret of letters and digits, like those in keys. */
export const drawnSecret = (length: number, seed = 7): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return letters[Math.floor(state / 65_536) % letters.length];
  }).join('');
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const url64 = (text: string): string => Buffer.from(text).toString('base64url');
export const madeUpJwt = [
  url64('{"alg":"HS256","typ":"JWT"}'),
  url64('{"sub":"svc-1","exp":1900000000}'),
  drawnSecret(43, 3),
].join('.');
/** The lines of a private key. */
export const madeUpKey = Array.from({ length: 12 }, (_, i) => drawnSecret(64, 100 + i)).join('\n');
/** A private key in the format of a file. */
export const madeUpPem = (kind = 'RSA ') =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${madeUpKey}\n-----END ${kind}PRIVATE KEY-----`;

/** Twenty kinds of text with a secret, the secret, and the part that remains after masking. */
export const PLANTED_SECRETS: readonly [kind: string, text: string, secret: string, stays: string][] = [
  [
    'a key of AWS',
    `aws_access_key_id = AKIA${drawnSecret(16, 20).toUpperCase()}\naws_secret_access_key = ${drawnSecret(40, 2)}`,
    drawnSecret(40, 2),
    'aws_access_key_id',
  ],
  [
    'a token of GitHub',
    `git clone with ghp_${drawnSecret(36, 21)} done`,
    drawnSecret(36, 21),
    'git clone with',
  ],
  [
    'a token of Slack',
    `slack=xoxb-1234567890-1234567890123-${drawnSecret(24, 22)} sent`,
    drawnSecret(24, 22),
    'sent',
  ],
  [
    'a token of npm',
    `//packages.example/:_authToken=npm_${drawnSecret(36, 23)}`,
    drawnSecret(36, 23),
    'packages.example',
  ],
  ['a key of OpenAI', `calling with sk-proj-${drawnSecret(48, 24)}.`, drawnSecret(48, 24), 'calling with'],
  [
    'a key of Anthropic',
    `ANTHROPIC_API_KEY=sk-ant-api03-${drawnSecret(90, 25)}`,
    drawnSecret(90, 25),
    'ANTHROPIC_API_KEY=',
  ],
  ['a private key in PEM', `before\n${madeUpPem()}\nafter`, madeUpKey, 'after'],
  [
    'a private key in one line',
    `key: "${madeUpPem('').replaceAll('\n', '\\n')}"`,
    madeUpKey.slice(0, 64),
    'key: "',
  ],
  [
    'a URL of Postgres',
    `DATABASE_URL=postgres://app:${drawnSecret(12, 28)}@db.example:5432/app`,
    drawnSecret(12, 28),
    'DATABASE_URL=',
  ],
  [
    'a URL with a user',
    `fetching https://bot:${drawnSecret(14, 29)}@git.example/repo.git`,
    drawnSecret(14, 29),
    'git.example/repo.git',
  ],
  ['a bearer token', `Authorization: Bearer ${drawnSecret(32, 30)}`, drawnSecret(32, 30), 'Authorization'],
  [
    'a header in JSON',
    `{"headers":{"authorization":"Basic ${base64(`user:${drawnSecret(12, 31)}`)}","accept":"*/*"}}`,
    base64(`user:${drawnSecret(12, 31)}`),
    'accept',
  ],
  ['a JSON Web Token', `session ${madeUpJwt} accepted`, madeUpJwt.split('.')[1]!, 'accepted'],
  [
    'data of a Kubernetes Secret',
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db-creds\ndata:\n  username: ${base64('admin')}\n  host: ${base64('hunter22')}\ntype: Opaque`,
    base64('hunter22'),
    'name: db-creds',
  ],
  [
    'a Kubernetes Secret as JSON',
    JSON.stringify({ kind: 'Secret', metadata: { name: 'db-creds' }, data: { host: base64('hunter22') } }),
    base64('hunter22'),
    'db-creds',
  ],
  [
    'a kubeconfig',
    `users:\n- name: admin\n  user:\n    client-key-data: ${base64(madeUpKey)}\n    token: ${drawnSecret(30, 35)}`,
    drawnSecret(30, 35),
    'name: admin',
  ],
  [
    'a variable',
    `DB_HOST=db-1 DB_PASSWORD=${drawnSecret(9, 36)} DB_PORT=5432`,
    drawnSecret(9, 36),
    'DB_PORT=5432',
  ],
  [
    'a variable of a container',
    `env:\n- name: SMTP_PASSWORD\n  value: correct horse\n- name: MODE\n  value: fast`,
    'correct horse',
    'value: fast',
  ],
  [
    'an argument of curl',
    `curl -s -u admin:${drawnSecret(10, 38)} https://metrics.example/api`,
    drawnSecret(10, 38),
    'https://metrics.example/api',
  ],
  [
    'a password of a connection',
    `Server=sql.example;User Id=app;Password=${drawnSecret(11, 39)}!;Encrypt=true`,
    drawnSecret(11, 39),
    'Encrypt=true',
  ],
];
