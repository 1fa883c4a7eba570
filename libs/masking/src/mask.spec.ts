import fc from 'fast-check';
import type { Json } from '@casefile/contracts';
import { maskJson, maskSecrets } from './index.js';

/** Made up, drawn once: letters and digits as keys have them. */
const drawn = (length: number, seed = 7): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return letters[Math.floor(state / 65_536) % letters.length];
  }).join('');
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const url64 = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = [
  url64('{"alg":"HS256","typ":"JWT"}'),
  url64('{"sub":"svc-1","exp":1900000000}'),
  drawn(43, 3),
].join('.');
const keyBody = Array.from({ length: 12 }, (_, i) => drawn(64, 100 + i)).join('\n');
const pem = (kind = 'RSA ') =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${keyBody}\n-----END ${kind}PRIVATE KEY-----`;

/** What is planted, the secret in it, and what stays beside it. */
const PLANTED: readonly [kind: string, text: string, secret: string, stays: string][] = [
  [
    'a key of AWS',
    `aws_access_key_id = AKIA${drawn(16).toUpperCase()}\naws_secret_access_key = ${drawn(40, 2)}`,
    drawn(40, 2),
    'aws_access_key_id',
  ],
  ['a token of GitHub', `git clone with ghp_${drawn(36)} done`, drawn(36), 'git clone with'],
  ['a token of Slack', `slack=xoxb-1234567890-1234567890123-${drawn(24)} sent`, drawn(24), 'sent'],
  ['a token of npm', `//packages.example/:_authToken=npm_${drawn(36)}`, drawn(36), 'packages.example'],
  ['a key of OpenAI', `calling with sk-proj-${drawn(48)}.`, drawn(48), 'calling with'],
  ['a key of Anthropic', `ANTHROPIC_API_KEY=sk-ant-api03-${drawn(90)}`, drawn(90), 'ANTHROPIC_API_KEY='],
  ['a private key in PEM', `before\n${pem()}\nafter`, keyBody, 'after'],
  ['a private key in one line', `key: "${pem('').replaceAll('\n', '\\n')}"`, keyBody.slice(0, 64), 'key: "'],
  [
    'a URL of Postgres',
    `DATABASE_URL=postgres://app:${drawn(12)}@db.example:5432/app`,
    drawn(12),
    'DATABASE_URL=',
  ],
  [
    'a URL with a user',
    `fetching https://bot:${drawn(14)}@git.example/repo.git`,
    drawn(14),
    'git.example/repo.git',
  ],
  ['a bearer token', `Authorization: Bearer ${drawn(32)}`, drawn(32), 'Authorization'],
  [
    'a header in JSON',
    `{"headers":{"authorization":"Basic ${base64(`user:${drawn(12)}`)}","accept":"*/*"}}`,
    base64(`user:${drawn(12)}`),
    'accept',
  ],
  ['a JSON Web Token', `session ${jwt} accepted`, jwt.split('.')[1]!, 'accepted'],
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
    `users:\n- name: admin\n  user:\n    client-key-data: ${base64(keyBody)}\n    token: ${drawn(30)}`,
    drawn(30),
    'name: admin',
  ],
  ['a variable', `DB_HOST=db-1 DB_PASSWORD=${drawn(9)} DB_PORT=5432`, drawn(9), 'DB_PORT=5432'],
  [
    'a variable of a container',
    `env:\n- name: SMTP_PASSWORD\n  value: correct horse\n- name: MODE\n  value: fast`,
    'correct horse',
    'value: fast',
  ],
  [
    'an argument of curl',
    `curl -s -u admin:${drawn(10)} https://metrics.example/api`,
    drawn(10),
    'https://metrics.example/api',
  ],
  [
    'a password of a connection',
    `Server=sql.example;User Id=app;Password=${drawn(11)}!;Encrypt=true`,
    drawn(11),
    'Encrypt=true',
  ],
];

describe('S2-48 secrets in what outside systems say', () => {
  it.each(PLANTED)('%s is masked, and what stands beside it stays', async (_kind, text, secret, stays) => {
    expect(text).toContain(secret);
    const masked = await maskSecrets(text);
    expect(masked.text).not.toContain(secret);
    for (const line of secret.split('\n')) expect(masked.text).not.toContain(line);
    expect(masked.text).toContain('[masked]');
    expect(masked.text).toContain(stays);
    expect(masked.found).toBeGreaterThan(0);
  });

  it('are masked all twenty in one value, at any depth, the same each time, and masking again finds none', async () => {
    const value: Json = {
      lines: PLANTED.map(([, text]) => text),
      deep: [{ text: PLANTED.map(([, text]) => text).join('\n---\n') }],
    };
    const masked = await maskJson(value);
    const text = JSON.stringify(masked.value);
    expect(
      PLANTED.filter(([, , secret]) => text.includes(secret.split('\n')[0]!)).map(([kind]) => kind),
    ).toEqual([]);
    expect(await maskJson(value)).toEqual(masked);
    expect((await maskJson(masked.value)).value).toEqual(masked.value);
  });

  it('are masked under the names that say so, in structures', async () => {
    const { value } = await maskJson({
      password: 'short',
      nested: [
        { name: 'API_TOKEN', value: 'x y z' },
        { name: 'MODE', value: 'fast' },
      ],
      kind: 'Config',
      secret: 'db-creds',
      tokens: '523',
      nextPageToken: 'abc',
      token: 'expired',
    });
    expect(value).toEqual({
      password: '[masked]',
      nested: [
        { name: 'API_TOKEN', value: '[masked]' },
        { name: 'MODE', value: 'fast' },
      ],
      kind: 'Config',
      secret: 'db-creds',
      tokens: '523',
      nextPageToken: 'abc',
      token: 'expired',
    });
  });

  it('are masked also where a log cut them off, anywhere after the 20th character', async () => {
    const cut = [
      `ghp_${drawn(36)}`,
      `xoxb-1234567890-1234567890123-${drawn(24)}`,
      `sk-ant-api03-${drawn(90)}`,
      jwt,
      pem(),
    ];
    for (const secret of cut) {
      const from = Math.max(0, secret.indexOf('-----\n') + 1) + 24;
      for (let end = from; end < secret.length; end += 7) {
        const left = secret.slice(0, end);
        const { text } = await maskSecrets(`line: ${left}`);
        const last = left
          .split('\n')
          .filter((line) => line.length >= 20 && !line.startsWith('-----'))
          .at(-1)!;
        expect({ end, text: text.includes(last) }).toEqual({ end, text: false });
      }
    }
    // And where its begin is missing.
    expect((await maskSecrets(pem().slice(80))).text).not.toContain(keyBody.slice(-40));
  });

  it('leaves 200 honest lines of logs and metrics as they are', async () => {
    const lines = honestLines();
    expect(lines.length).toBeGreaterThanOrEqual(200);
    const touched = [];
    for (const line of lines) if ((await maskSecrets(line)).text !== line) touched.push(line);
    expect(touched).toEqual([]);
    expect((await maskSecrets(lines.join('\n'))).text).toBe(lines.join('\n'));
  });

  it('changes nothing else: no text without a digit, a quote or a separator is touched', async () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 30 }), async (words) => {
        const text = words.join(' ');
        expect(await maskSecrets(text)).toEqual({ text, found: 0 });
      }),
      { numRuns: 50 },
    );
  });

  it('fails where it cannot look: too deep or too much is withheld by whoever asked', async () => {
    const deep = Array.from({ length: 80 }).reduce<Json>((inner) => [inner], 'x');
    await expect(maskJson(deep)).rejects.toMatchObject({ reasonCode: 'too_large' });
    await expect(maskSecrets('x'.repeat(70_000_000))).rejects.toMatchObject({ reasonCode: 'too_large' });
  });
});

/** As services, proxies, databases, kubelets and exporters write them. */
function honestLines(): string[] {
  const each = (make: (n: number) => string): string[] => Array.from({ length: 10 }, (_, n) => make(n));
  return [
    ...each(
      (n) =>
        `2026-01-05T10:0${n}:00.12${n}Z INFO http request method=GET path=/api/v1/orders/${n * 37} status=200 duration=1${n}ms bytes=52${n}`,
    ),
    ...each(
      (n) =>
        `10.0.3.${n} - - [05/Jan/2026:10:00:0${n} +0000] "GET /login?next=%2Fhome HTTP/1.1" 302 ${n}12 "-" "Mozilla/5.0"`,
    ),
    ...each(
      (n) =>
        `node_filesystem_avail_bytes{device="/dev/sda${n}",fstype="ext4",mountpoint="/var/lib/kubelet"} 4.8${n}e+09`,
    ),
    ...each(
      (n) =>
        `kube_secret_info{namespace="shop",secret="db-creds-${n}",uid="4f2c7a1e-0${n}bb-4c1d-9d0e-0a6f5f7f2b1${n}"} 1`,
    ),
    ...each((n) => `level=warn msg="token expired" user_id=${n}81 token_type=refresh attempts=${n}`),
    ...each(
      (n) =>
        `I0105 10:00:0${n}.1234 1 controller.go:21${n}] Syncing secret shop/db-creds-${n}: not found, will retry`,
    ),
    ...each((n) => `error: password authentication failed for user "app_${n}" (SQLSTATE 28P01)`),
    ...each(
      (n) => `llm usage prompt_tokens=1${n}23 completion_tokens=${n}45 total_tokens=1${n}68 max_tokens: 4096`,
    ),
    ...each((n) => `commit 3f9a${n}c1d8be7702a4f9d6f1b0c2e3d4a5b6c7d8${n}e merged into main by deploy-bot`),
    ...each(
      (n) =>
        `sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0${n} pulled registry.example/shop/web:v1.${n}`,
    ),
    ...each(
      (n) =>
        `{"level":"info","ts":176760${n}000,"msg":"cache hit","key":"orders:${n}","ttl":300,"traceId":"0af7651916cd43dd8448eb211c80319${n}"}`,
    ),
    ...each((n) => `GET https://api.example/v1/items?page_token=abc${n}&limit=50 returned 200 in 3${n} ms`),
    ...each(
      (n) =>
        `postgres: checkpoint complete: wrote ${n}412 buffers (3.${n}%); sync=0.00${n} s, total=2.1${n} s`,
    ),
    ...each(
      (n) =>
        `Warning  BackOff  ${n}m ago (x1${n} over 12m)  kubelet  Back-off restarting failed container web in pod web-7d9c6b5f4d-x2k9${n}`,
    ),
    ...each((n) => `user ann.${n}@mail.example signed in from 192.0.2.${n}, session lasts ${n}0 min`),
    ...each((n) => `secretName: db-creds-${n}`),
    ...each((n) => `password_policy_min_length=${n + 8} password_reset_requested=true`),
    ...each(
      (n) =>
        `connecting to redis://cache-${n}.shop.svc:6379/0 and https://metrics-${n}.example:8443/federate`,
    ),
    ...each(
      (n) =>
        `disk usage on /var 9${n % 10}%: run "docker system prune" or raise the limit; see ticket OPS-4${n}12`,
    ),
    ...each(
      (n) => `the API key was rotated ${n} days ago; authorization: ok; author: bot-${n}; tokenizer: bpe`,
    ),
  ];
}
