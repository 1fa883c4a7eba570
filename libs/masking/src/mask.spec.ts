import fc from 'fast-check';
import type { Json } from '@casefile/contracts';
import { drawnSecret, madeUpJwt, madeUpKey, madeUpPem, PLANTED_SECRETS } from '@casefile/contracts/testing';
import { maskJson, maskSecrets } from './index.js';

describe('S2-48 secrets in what outside systems say', () => {
  it.each(PLANTED_SECRETS)(
    '%s is masked, and the text next to it stays',
    async (_kind, text, secret, stays) => {
      expect(text).toContain(secret);
      const masked = await maskSecrets(text);
      expect(masked.text).not.toContain(secret);
      for (const line of secret.split('\n')) expect(masked.text).not.toContain(line);
      expect(masked.text).toContain('[masked]');
      expect(masked.text).toContain(stays);
      expect(masked.found).toBeGreaterThan(0);
    },
  );

  it('are masked all twenty in one value, at any depth, the same each time, and masking again finds none', async () => {
    const value: Json = {
      lines: PLANTED_SECRETS.map(([, text]) => text),
      deep: [{ text: PLANTED_SECRETS.map(([, text]) => text).join('\n---\n') }],
    };
    const masked = await maskJson(value);
    const text = JSON.stringify(masked.value);
    expect(
      PLANTED_SECRETS.filter(([, , secret]) => text.includes(secret.split('\n')[0]!)).map(([kind]) => kind),
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

  it('are masked in a list of arguments, after the option that they belong to', async () => {
    const args = ['--api-key', 'plain-words', '--token', '--verbose', '-password', '${DB_PASSWORD}', 'file'];
    const others = ['token', 'plain-words', '--page-token', 'abc', '--tokens', '523'];
    expect((await maskJson({ args, others })).value).toEqual({
      args: ['--api-key', '[masked]', '--token', '--verbose', '-password', '${DB_PASSWORD}', 'file'],
      others,
    });
  });

  it('are masked also where a log cut them off, anywhere after the 20th character', async () => {
    const cut = [
      `ghp_${drawnSecret(36)}`,
      `xoxb-1234567890-1234567890123-${drawnSecret(24)}`,
      `sk-ant-api03-${drawnSecret(90)}`,
      madeUpJwt,
      madeUpPem(),
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
    // The same if its beginning is missing.
    expect((await maskSecrets(madeUpPem().slice(80))).text).not.toContain(madeUpKey.slice(-40));
  });

  it('leaves 200 honest lines of logs and metrics as they are', async () => {
    const lines = honestLines();
    expect(lines.length).toBeGreaterThanOrEqual(200);
    const touched = [];
    for (const line of lines) if ((await maskSecrets(line)).text !== line) touched.push(line);
    expect(touched).toEqual([]);
    expect((await maskSecrets(lines.join('\n'))).text).toBe(lines.join('\n'));
  });

  it.each([
    'Reset your password: https://evil.example/a1b2c3',
    'Your token:http://evil.example/x1 is ready',
    'Password=https://evil.example',
    'Passwd:evil.example/x1',
    'Token: 0x52908400098527886E0F7030069857D2E4169EE7 (airdrop)',
    'http://evil.example:8080/pay?mail=bob@shop.example now',
    'https://sk-verify-account-service.example/login and xai-token-presale.example/1',
    'Cookie: we use cookies to improve our site, see https://shop.example/cookies',
    'Basic responsibilities, basic internationalization, authorization: Management approves it',
  ])('leaves what a message is judged by: %s', async (text) => {
    expect(await maskSecrets(text)).toEqual({ text, found: 0 });
  });

  it.each([
    ['https://bank.example:pa55word@evil.example/login', 'https://bank.example:[masked]@evil.example/login'],
    ['http://u:pa/ss1@proxy.example:3128/x', 'http://u:[masked]@proxy.example:3128/x'],
    ['http://u:12345@host.example/', 'http://u:[masked]@host.example/'],
    ['Pay (https://evil.example/a?key=abcdefgh1).', 'Pay (https://evil.example/a?key=[masked]).'],
    [
      '<https://evil.example/a?id=7&token=abcdefgh1>, now',
      '<https://evil.example/a?id=7&token=[masked]>, now',
    ],
    [
      '点击https://evil.example/?code=abcdefgh1立即验证。',
      '点击https://evil.example/?code=[masked]立即验证。',
    ],
    ['验证token=abcdef123，立即登录', '验证token=[masked]，立即登录'],
    ['您的密码:abc，请登录https://evil.example/验证', '您的密码:[masked]，请登录https://evil.example/验证'],
    ['Authorization: Bearer abcdefgh', 'Authorization: Bearer [masked]'],
    ['Authorization: a1b2c3d4', 'Authorization: [masked]'],
    ['Set-Cookie: sid=a1b2c3; Path=/', 'Set-Cookie: [masked]'],
    ['sk-0123456789abcdef0123456789abcdef', '[masked]'],
  ])('replaces only the secret of a link or a header: %s', async (text, masked) => {
    expect((await maskSecrets(text)).text).toBe(masked);
  });

  it.each([
    ['Your code is 482913.', 'Your code is [code:6].'],
    ['G-482913 is your login code', 'G-[code:6] is your login code'],
    ['OTP token: 482913, PIN 1234', 'OTP token: [code:6], PIN [code:4]'],
    ['Security code A7K9Q2', 'Security code [code:6a]'],
    ['Use 55 82 10 to sign in', 'Use [code:6] to sign in'],
  ])('replaces a one-time code by a placeholder with its length: %s', async (text, masked) => {
    expect(await maskSecrets(text)).toEqual({ text: masked, found: masked.split('[code').length - 1 });
    expect((await maskSecrets(masked)).text).toBe(masked);
  });

  it('replaces a one-time code in a field that is named for it', async () => {
    const { value } = await maskJson({
      otp: '482913',
      verification_code: '48 29',
      code: '10054',
      pin: 'none',
    });
    expect(value).toEqual({ otp: '[code:6]', verification_code: '[code:4]', code: '10054', pin: 'none' });
  });

  it.each([
    'Use promo code SAVE2026 for 20 % off, ZIP code 94103, area code 0207',
    'exit status code 5003, error code 10054, returned code 100234',
    'Order 482913 is on its way, track it with code of the carrier',
    'Your code of conduct has 2026 pages',
    'Enter your PIN at the machine. Never tell anybody your OTP.',
    'Pin code: the postal code of your town',
    'The password is incorrect. The password is required. Your password is expired.',
    'Your password was changed on 2026-11-30 at 08:00',
    'Password reset link: https://shop.example/reset',
    'password authentication failed for user "app_user1"',
    'The token is expired since 2026-11-27T08:00:12Z',
    'gate pass by UPI to ravi77@okbank',
  ])('leaves other numbers and sentences about secrets: %s', async (text) => {
    expect(await maskSecrets(text)).toEqual({ text, found: 0 });
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

  it('leaves nothing behind in the performance timeline, which is never emptied', async () => {
    performance.clearMarks();
    for (let i = 0; i < 3; i += 1) await maskSecrets(`AWS_SECRET_ACCESS_KEY=${drawnSecret(40)}`);
    expect(performance.getEntriesByType('mark')).toEqual([]);
  });

  it('fails where it cannot look: too deep or too much is withheld by the caller', async () => {
    const deep = Array.from({ length: 80 }).reduce<Json>((inner) => [inner], 'x');
    await expect(maskJson(deep)).rejects.toMatchObject({ reasonCode: 'too_large' });
    await expect(maskSecrets('x'.repeat(70_000_000))).rejects.toMatchObject({ reasonCode: 'too_large' });
  });
});

/** Lines as services, proxies, databases, kubelets and exporters write them. */
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
