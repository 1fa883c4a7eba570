import { REASONING_KINDS, UnusableAnswer } from '@casefile/contracts';
import type { CallOptions, LanguageModel, ModelDelta, ModelRequest } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { ProviderBehaviour, SeenRequest } from './provider-behaviour.js';
import { itemsIn, textsIn } from './texts-in.js';
import { describeShapes } from './shapes.conformance.js';
import { describeToolCalls } from './tool-calls.conformance.js';

/** A protocol and a server that speaks it, started for each suite. */
export interface ProviderUnderTest {
  /**
   * Creates a model that calls the server: its entry of the provider table merged with `over`. It times out
   * after `timeoutMs` (default 20 s), reads at most 2 MB and asks for structured output by schema.
   */
  model(over?: { timeoutMs?: number; stream?: boolean; thinkingRoom?: number }): LanguageModel;
  behave(...behaviours: ProviderBehaviour[]): void | Promise<void>;
  requests(): SeenRequest[] | Promise<SeenRequest[]>;
  close(): Promise<void>;
}

const CALL_KEY = 'run-1/unit/reason/1/0/1';
const QUESTION: ModelRequest = {
  promptId: 'test@1',
  kind: 'answer',
  messages: [
    { role: 'system', content: 'Answer shortly.' },
    { role: 'user', content: 'Say hello.' },
  ],
  maxOutputTokens: 100,
};
const SCHEMA = {
  type: 'object',
  properties: { greeting: { type: 'string' } },
  required: ['greeting'],
  additionalProperties: false,
};

/** A typical request for tests. */
export const aModelRequest = (over: Partial<ModelRequest> = {}): ModelRequest => ({ ...QUESTION, ...over });
export const someCallOptions = (over: Partial<CallOptions> = {}): CallOptions => ({
  signal: new AbortController().signal,
  callKey: CALL_KEY,
  ...over,
});

/**
 * Requirements for every provider, whatever its protocol. Run for each provider and for the simulator, once
 * by default and once with `stream: true`.
 */
export function describeProvider(
  name: string,
  start: () => Promise<ProviderUnderTest>,
  { stream = false }: { stream?: boolean } = {},
): void {
  describe(`provider ${name}${stream ? ', streamed' : ''}`, () => {
    describeShapes(start, { stream, schema: SCHEMA });
    let provider: ProviderUnderTest;
    beforeAll(async () => void (provider = await start()));
    afterAll(() => provider.close());

    const ask = (
      request: Partial<ModelRequest> = {},
      options: Partial<CallOptions> = {},
      timeoutMs?: number,
    ) =>
      provider
        .model({ ...(timeoutMs !== undefined && { timeoutMs }), ...(stream && { stream }) })
        .complete(aModelRequest(request), someCallOptions(options));
    const failureOf = async (behaviour: ProviderBehaviour) => {
      await provider.behave(behaviour);
      const before = (await provider.requests()).length;
      const failure: unknown = await ask().catch((thrown: unknown) => thrown);
      return { failure, requests: (await provider.requests()).length - before };
    };

    it('answers, with usage, finish reason, model and the raw body', async () => {
      const usage = { input: 120, output: 30, reasoning: 12, cached: 64 };
      await provider.behave({ kind: 'answer', content: 'hello', usage });
      const response = await ask();
      expect(response).toMatchObject({
        content: 'hello',
        toolCalls: [],
        finishReason: 'stop',
        reasoning: null,
        usage: { inputTokens: 120, outputTokens: 30, reasoningTokens: 12, cachedTokens: 64 },
      });
      expect(response.provider).toBe(provider.model().provider);
      expect(response.model).not.toBe('');
      expect(JSON.stringify(response.raw)).toContain('hello');
    });

    it('sends one request with its call key and the messages in order', async () => {
      await provider.behave({ kind: 'answer', content: 'hello' });
      const before = (await provider.requests()).length;
      const talk: ModelRequest['messages'] = [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Say it louder.' },
      ];
      const messages = [...QUESTION.messages, ...talk];
      await ask({ messages }, { callKey: 'run-1/unité/reason/1/0/2' });
      const requests = (await provider.requests()).slice(before);
      expect(requests).toHaveLength(1);
      expect(requests[0]?.callKey).toBe('run-1/unit%C3%A9/reason/1/0/2');
      const text = JSON.stringify(requests[0]?.body);
      // The place of the system prompt differs: some protocols have a field for it outside the messages.
      expect(text).toContain('Answer shortly.');
      expect(text.indexOf('Say hello.')).toBeGreaterThan(-1);
      expect(text.indexOf('Hello.')).toBeGreaterThan(text.indexOf('Say hello.'));
      expect(text.indexOf('Say it louder.')).toBeGreaterThan(text.indexOf('Hello.'));
    });

    const askWithRoom = (thinkingRoom: number, maxOutputTokens: number) =>
      provider
        .model({ stream, thinkingRoom })
        .complete(aModelRequest({ maxOutputTokens }), someCallOptions());

    it.each([0, 289])('S2-06 sends the limit of the answer and a room of %d for thoughts', async (room) => {
      await provider.behave({ kind: 'answer', content: 'hello' });
      await askWithRoom(room, 4711);
      expect(JSON.stringify((await provider.requests()).at(-1)?.body)).toContain(`:${4711 + room}`);
    });

    it('S2-06 has its answer cut where the thoughts use up the limit, and whole where they have room', async () => {
      const content = 'An answer of eight words, or nine tokens.';
      await provider.behave({ kind: 'answer', content, reasoning: 'Let me think of that. '.repeat(30) });
      await expect(askWithRoom(0, 100)).resolves.toMatchObject({ content: '', finishReason: 'length' });
      await expect(askWithRoom(300, 100)).resolves.toMatchObject({ content, finishReason: 'stop' });
    });

    it('S1-24 asks for structured output by the schema it was given', async () => {
      await provider.behave({ kind: 'answer', content: '{"greeting":"hello"}' });
      const response = await ask({ answerSchema: { name: 'greeting', schema: SCHEMA } });
      expect(JSON.parse(response.content)).toEqual({ greeting: 'hello' });
      expect(JSON.stringify((await provider.requests()).at(-1)?.body)).toContain('"greeting"');
    });

    describeToolCalls({ ask, provider: () => provider, messages: QUESTION.messages, schema: SCHEMA });

    it('S2-10 takes reasoning from the field of the provider', async () => {
      await provider.behave({ kind: 'answer', content: 'hello', reasoning: 'They greet.' });
      const { content, reasoning } = await ask();
      expect(content).toBe('hello');
      expect(reasoning?.content).toBe('They greet.');
      expect(reasoning?.source).not.toBe('tags');
      expect(REASONING_KINDS).toContain(reasoning?.kind);
    });

    it('S2-10 sends what seals the reasoning of a turn with tools back as it came', async () => {
      const toolCalls = [{ id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' }];
      const reasoning = 'I should look it up.';
      await provider.behave({ kind: 'answer', content: '', reasoning, toolCalls });
      const turn = await ask();
      expect(turn.providerState).toBeDefined();
      await provider.behave({ kind: 'answer', content: 'done' });
      const { toolCalls: calls, content, providerState = null } = turn;
      await ask({
        messages: [
          ...QUESTION.messages,
          { role: 'assistant', content, toolCalls: calls, providerState },
          { role: 'tool', toolCallId: 'c1', content: 'found' },
        ],
      });
      const sent = JSON.stringify((await provider.requests()).at(-1)?.body);
      const sealed = textsIn(itemsIn(providerState)).filter((text) => text.length > 10);
      expect(sealed).not.toEqual([]);
      for (const text of sealed) expect(sent).toContain(JSON.stringify(text));
    });

    it('sends nothing back that another provider gave', async () => {
      await provider.behave({ kind: 'answer', content: 'done' });
      const providerState = {
        provider: 'somebody',
        protocol: 'else',
        items: [{ type: 'thinking', signature: 'foreign-seal' }],
      };
      const talk: ModelRequest['messages'] = [
        { role: 'assistant', content: 'Hello.', providerState },
        { role: 'user', content: 'Again.' },
      ];
      await ask({ messages: [...QUESTION.messages, ...talk] });
      const sent = JSON.stringify((await provider.requests()).at(-1)?.body);
      expect(sent).toContain('Hello.');
      expect(sent).not.toContain('foreign-seal');
    });

    it('reports the pieces of a streamed answer, and of no other', async () => {
      const pieces: ModelDelta[] = [];
      const content = 'A somewhat longer answer, in several pieces.';
      await provider.behave({ kind: 'answer', content, reasoning: 'They want many words.' });
      const response = await ask({}, { onDelta: (delta) => void pieces.push(delta) });
      expect(response.content).toBe(content);
      const heard = (kind: ModelDelta['kind']) =>
        pieces
          .filter((piece) => piece.kind === kind)
          .map((piece) => piece.text)
          .join('');
      expect(heard('content')).toBe(stream ? content : '');
      expect(heard('reasoning')).toBe(stream ? 'They want many words.' : '');
    });

    it('S2-11 takes reasoning out of tags', async () => {
      await provider.behave({
        kind: 'answer',
        content: '<think>one</think>\nhello <thinking>two\nlines</thinking>',
      });
      const { content, reasoning } = await ask();
      expect(content).toBe('hello');
      expect(reasoning).toMatchObject({ content: 'one\n\ntwo\nlines', source: 'tags' });
    });

    it('leaves an answer that was cut at its length limit to the caller', async () => {
      await provider.behave({ kind: 'answer', content: '{"greeting":"hel', finishReason: 'length' });
      await expect(ask()).resolves.toMatchObject({ content: '{"greeting":"hel', finishReason: 'length' });
    });

    const failures: [string, ProviderBehaviour, string, boolean][] = [
      ['400', { kind: 'status', status: 400 }, 'bad_request', false],
      ['401', { kind: 'status', status: 401 }, 'bad_key', false],
      ['402', { kind: 'status', status: 402 }, 'quota_exhausted', false],
      ['403', { kind: 'status', status: 403 }, 'bad_key', false],
      ['404', { kind: 'status', status: 404 }, 'bad_request', false],
      ['408', { kind: 'status', status: 408 }, 'timeout', true],
      ['429', { kind: 'status', status: 429 }, 'rate_limited', true],
      [
        '429 of the quota',
        { kind: 'status', status: 429, code: 'insufficient_quota' },
        'quota_exhausted',
        false,
      ],
      ['500', { kind: 'status', status: 500 }, 'server_error', true],
      ['503', { kind: 'status', status: 503 }, 'server_error', true],
      ['529', { kind: 'status', status: 529 }, 'server_error', true],
      ['a cut body', { kind: 'cut' }, 'cut_answer', true],
      ['malformed JSON', { kind: 'malformed' }, 'cut_answer', true],
      ['an empty answer', { kind: 'empty' }, 'empty_answer', true],
      ['a refusal', { kind: 'answer', content: '', refusal: 'I will not.' }, 'refused', false],
      ['a 100 MB body', { kind: 'huge', megabytes: 100 }, 'too_large', false],
      ['a redirect in circles', { kind: 'redirect' }, 'bad_answer', false],
      ['a page instead of JSON', { kind: 'html' }, 'bad_answer', true],
    ];
    it.each(failures)(
      'turns %s into its reason code, after exactly one request',
      async (_what, behaviour, reasonCode, retryable) => {
        const { failure, requests } = await failureOf(behaviour);
        expect(failure).toMatchObject({ reasonCode, retryable });
        expect(requests).toBe(1);
      },
    );

    it('hands on how long the provider wants to be left alone', async () => {
      const { failure } = await failureOf({ kind: 'status', status: 429, retryAfterS: 7 });
      expect(failure).toMatchObject({ reasonCode: 'rate_limited', retryAfterMs: 7000 });
    });

    it('keeps what a refused answer cost', async () => {
      const usage = { input: 3, output: 2, reasoning: 0, cached: 0 };
      const { failure } = await failureOf({ kind: 'answer', content: '', refusal: 'No.', usage });
      expect(failure).toBeInstanceOf(UnusableAnswer);
      expect((failure as UnusableAnswer).response.usage).toMatchObject({ inputTokens: 3, outputTokens: 2 });
    });

    it('gives up a provider that never answers, at its own timeout', async () => {
      await provider.behave({ kind: 'hang' });
      await expect(ask({}, {}, 50)).rejects.toMatchObject({ reasonCode: 'timeout', retryable: true });
    });

    it('stops when the caller aborts', async () => {
      await provider.behave({ kind: 'hang' });
      const caller = new AbortController();
      const before = (await provider.requests()).length;
      const answer = ask({}, { signal: caller.signal });
      const outcome = expect(answer).rejects.toMatchObject({ reasonCode: 'aborted', retryable: false });
      await until('the provider has the request', async () => (await provider.requests()).length > before);
      caller.abort();
      await outcome;
    });

    it('makes no request when the caller has aborted before', async () => {
      const before = (await provider.requests()).length;
      await expect(ask({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ reasonCode: 'aborted' });
      expect(await provider.requests()).toHaveLength(before);
    });
  });
}
