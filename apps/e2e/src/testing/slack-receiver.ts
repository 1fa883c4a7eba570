import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from '@casefile/contracts';

const plainText = (most: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  });

/**
 * Message to an incoming webhook of Slack, as far as Casefile uses it. The limits are those of Slack's reference of
 * blocks: 50 blocks, 150 characters of a header, 3,000 of a section and of a URL, 75 of a button, 25 elements.
 */
const slackMessageSchema = z.strictObject({
  text: z.string().min(1).max(40_000),
  unfurl_links: z.boolean().optional(),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('header'), text: plainText(150) }),
        z.strictObject({ type: z.literal('section'), text: plainText(3_000) }),
        z.strictObject({
          type: z.literal('actions'),
          elements: z
            .array(
              z.strictObject({
                type: z.literal('button'),
                text: plainText(75),
                url: z.url({ protocol: /^https?$/ }).max(3_000),
              }),
            )
            .min(1)
            .max(25),
        }),
      ]),
    )
    .min(1)
    .max(50),
});
export type SlackMessage = z.infer<typeof slackMessageSchema>;

/** An incoming webhook on loopback. */
export interface SlackReceiver {
  url: string;
  /** Messages that were accepted. */
  messages: SlackMessage[];
  /** Why other requests were refused. */
  refusals: string[];
  close(): void;
}

/** Starts a receiver that accepts and refuses messages as an incoming webhook of Slack does. */
export async function slackReceiver(): Promise<SlackReceiver> {
  const messages: SlackMessage[] = [];
  const refusals: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const problem = received(
        request.method,
        request.headers['content-type'],
        Buffer.concat(parts).toString(),
      );
      response.writeHead(problem === null ? 200 : 400, { 'content-type': 'text/html' });
      response.end(problem ?? 'ok');
    });
  });
  const received = (method = '', type = '', text: string): string | null => {
    if (method !== 'POST' || !type.startsWith('application/json')) return refused('invalid_payload');
    try {
      messages.push(slackMessageSchema.parse(JSON.parse(text)));
      return null;
    } catch (error) {
      return refused(`invalid_blocks: ${String(error)}`);
    }
  };
  const refused = (why: string): string => {
    refusals.push(why);
    return why;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/services/T0/B0/x`,
    messages,
    refusals,
    close: () => void server.close(),
  };
}
