import { asCasefileError, builtModule, CasefileError, z, type BoundedTask } from '@casefile/contracts';
import type { HistoryCommit, ReadHistoryArgs } from '../../sources/git/read-history.js';
import { commitOf, fetchPack, remoteRefs, type Remote } from '../../sources/git/remote.js';
import { recordsAnswerBytes, recordsAnswerSchema } from '../answer-schema.js';
import { filled } from '../place-arguments.js';
import { defineProtocol, requestFields } from './protocol.js';

const commitsSchema = z.strictObject({
  ...requestFields,
  read: z.literal('commits'),
  ref: z.string().min(1).max(200).describe('Branch or tag. Without a value, HEAD is read.'),
  answer: recordsAnswerSchema,
});
const refsSchema = z.strictObject({
  ...requestFields,
  read: z.literal('refs'),
  answer: recordsAnswerSchema,
});
const requestSchema = z.discriminatedUnion('read', [commitsSchema, refsSchema], {
  error: 'expected read: commits or refs',
});
type GitRequest = z.infer<typeof requestSchema>;

const sourceFields = { auth: z.array(z.literal('basic')).max(1).default(['basic']) };
type GitSource = z.infer<z.ZodObject<typeof sourceFields>>;

const LIMITS = { objects: 200_000, objectBytes: 2_000_000, allBytes: 100_000_000 };
const READ_HISTORY: BoundedTask<ReadHistoryArgs, HistoryCommit[]> = {
  what: 'The history of the repository',
  advice: 'Have its server leave files out (uploadpack.allowFilter).',
  limits: { memoryMb: 220, timeMs: 20_000 },
  module: builtModule('../../sources/git/read-history.js', import.meta.url),
  load: () => import('../../sources/git/read-history.js'),
};

/** Git repositories over smart HTTP: the newest commits, without their files, and the branches and tags. */
export const git = defineProtocol<GitSource, GitRequest>({
  schemes: ['https:', 'http:'],
  address: /^https?:\/\/[^?#]+$/,
  example: 'https://git.example/team/shop.git',
  source: sourceFields,
  request: requestSchema,
  places: (request) => (request.read === 'refs' ? [] : [{ field: 'ref', text: request.ref, holds: 'text' }]),
  client:
    ({ url, source: { limits } }, runner) =>
    async ({ request, values, secret }, _read, context) => {
      const remote = remoteOf(url, secret);
      try {
        const server = await remoteRefs(remote, context);
        if (request.read === 'refs') {
          const named = [...server.refs].filter(([name]) => /^refs\/(?:heads|tags)\//.test(name));
          const records = named.map(([name, commit]) => JSON.stringify({ name: name.slice(5), commit }));
          return recordsAnswerBytes(records, null);
        }
        const ref = filled(request.ref, values);
        const commit = commitOf(server, ref === undefined ? undefined : String(ref));
        const filter = server.capabilities.includes('filter') ? 'tree:0' : null;
        const wanted = { commit, depth: limits.rows, filter, maxBytes: limits.bytes };
        const pack = await fetchPack(remote, wanted, context);
        const args = { head: commit, most: limits.rows, limits: LIMITS };
        const commits = await runner.run(READ_HISTORY, pack, args, context);
        return recordsAnswerBytes(
          commits.map((one) => JSON.stringify(one)),
          commits.length < limits.rows ? null : `the newest ${limits.rows} commits`,
        );
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof CasefileError && error.reasonCode !== 'unreadable_document') throw error;
        const { host } = new URL(url);
        const message = `The repository on ${host} cannot be read: ${asCasefileError(error).message}`;
        throw new CasefileError('bad_answer', message, { details: { host }, cause: error });
      }
    },
});

/** A secret is `user:token`, or a token alone. */
function remoteOf(url: string, secret: string | null): Remote {
  if (secret === null) return { url };
  const [, username, token = secret] = /^([^:]*):(.*)$/s.exec(secret) ?? [];
  return { url, token, ...(username === undefined ? {} : { username }) };
}
