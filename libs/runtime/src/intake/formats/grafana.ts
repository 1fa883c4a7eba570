import { createHmac, timingSafeEqual } from 'node:crypto';
import { BadSignature, REPLAY_WINDOW_MS, type ShippedFormat, type Post } from '../format.js';
import { exampleGroup, groupPostSchema, readGroup } from './alertmanager.js';

const SIGNATURE = 'x-grafana-alerting-signature';
/** Header of the time. Its name is configured in Grafana's contact point. */
const TIMESTAMP = 'x-grafana-alerting-timestamp';

/**
 * The webhook of Grafana's contact points. Its signature is the hex of HMAC-SHA256 over `timestamp:body`, if
 * the contact point has a timestamp header. A signature without a timestamp proves no time and is refused.
 */
export const grafana: ShippedFormat = {
  name: 'grafana',
  path: '/v1/webhooks/grafana',
  source: 'grafana',
  summary: "Accept a group of alerts of Grafana's alerting",
  body: groupPostSchema,
  example: { version: '1', orgId: 1, title: '[FIRING:1] DiskFull', ...exampleGroup },
  isBatch: true,
  signature: { secret: 'CASEFILE_GRAFANA_SECRET', verify },
  read: ({ body }, { maxBatch }) => readGroup(body, { source: 'grafana', maxBatch }),
};

function verify({ raw, headers }: Post, secret: string, now: number): void {
  const { [SIGNATURE]: signature, [TIMESTAMP]: timestamp } = headers;
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
    throw new BadSignature(
      `the header ${TIMESTAMP} with the time in seconds: set it as the timestamp header of the contact point's HMAC signature`,
    );
  const expected = createHmac('sha256', secret).update(`${timestamp}:`).update(raw).digest();
  const signatureHex = typeof signature === 'string' && /^[0-9a-f]{64}$/i.test(signature) ? signature : '';
  const sent = Buffer.alloc(expected.length);
  sent.write(signatureHex, 'hex');
  if (!timingSafeEqual(expected, sent) || signatureHex === '')
    throw new BadSignature(`the header ${SIGNATURE} with the HMAC of the time and the body by the secret`);
  if (Math.abs(now - Number(timestamp) * 1000) > REPLAY_WINDOW_MS)
    throw new BadSignature(`a post of the last ${REPLAY_WINDOW_MS / 60_000} minutes`);
}
