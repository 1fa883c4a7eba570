import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '@casefile/contracts';
import { maskJson } from '@casefile/masking';
import { bodyDigest, readConfig, tryWebhook } from '@casefile/runtime';
import { kinds } from '@casefile/shipped/loaded';
import type { HostileInput } from './hostile-input.js';

const CHINESE = '您的账户已被冻结，请立即联系客服处理，密码：x7Kp9q2L，电话 13912345678。';
const ONE_MEGABYTE = 990_000;

/** Bodies that ingest reads. */
const BODIES: Record<string, (full: boolean) => string> = {
  'Body: one megabyte of Chinese text': () =>
    JSON.stringify({ name: 'a', text: CHINESE.repeat(ONE_MEGABYTE / Buffer.byteLength(CHINESE)) }),
  'Body: one megabyte of secrets': () =>
    JSON.stringify({ name: 'a', text: 'password: abc123def \n'.repeat(ONE_MEGABYTE / 22) }),
  'Body: 49,000 fields': () =>
    JSON.stringify({
      name: 'a',
      fields: Array.from({ length: 49 }, (_, i) =>
        Object.fromEntries(Array.from({ length: 980 }, (_one, j) => [`f${i}-${j}`, 'v'])),
      ),
    }),
  'Body: eight million brackets': (full) => '['.repeat(full ? 8_000_000 : 2_000_000),
  'Body: three million empty objects': (full) =>
    `{"name":"a","list":[${'{},'.repeat(full ? 3_000_000 : 300_000)}{}]}`,
};

const PROOF = { header: 'x-token', secret: '${HOSTILE_TOKEN}' };
const WEBHOOK = { playbook: 'incident', mapping: { name: '/name', summary: '/text' }, proof: PROOF };

export const bodies: readonly HostileInput[] = Object.entries(BODIES).map(([name, make]) => ({
  name,
  offer: async (folder, full) => {
    const place = join(folder, 'body.json');
    await writeFile(place, make(full));
    return { place };
  },
  serve: async (place) => {
    const file = `${place}.config.yaml`;
    await writeFile(file, JSON.stringify({ webhooks: { own: WEBHOOK } }));
    const env = { CASEFILE_CONFIG: file, LLM_PROVIDER: 'none', HOSTILE_TOKEN: 'a token of some length' };
    const config = readConfig(env, kinds);
    await maskJson('loads the rules');
    const raw = await readFile(place);
    // As ingest: the bounds, the parser, the fields, the fingerprint, the masking.
    return async () => {
      try {
        await tryWebhook(config, 'own', { raw, headers: {} }, 0);
        const body = JSON.parse(raw.toString()) as Json;
        bodyDigest(body as never);
        await maskJson(body);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    };
  },
}));
