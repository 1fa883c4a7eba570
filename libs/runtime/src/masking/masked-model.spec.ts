import { PERSONAL_DATA, type Masking, type ModelRequest, type ModelResponse } from '@casefile/contracts';
import { PSEUDONYM_NOTE } from '@casefile/masking';
import type { StepModel } from '@casefile/pipeline';
import { maskedModel } from './masked-model.js';

const masking: Masking = { rules: 1, personalData: [...PERSONAL_DATA], patterns: [] };
const EMAIL = 'jane@mail.example';
const IBAN = 'DE89370400440532013000';
const request: ModelRequest = {
  promptId: 'kind/answer@1',
  kind: 'answer',
  messages: [
    { role: 'system', content: `Judge. Report to ${EMAIL}.` },
    { role: 'user', content: `{"text":"Pay to\\n${IBAN}"}` },
    {
      role: 'assistant',
      content: `I check ${EMAIL}.`,
      toolCalls: [{ id: '4111111111111111', name: 'check', args: { email: EMAIL } }],
      providerState: { signed: EMAIL },
    },
    { role: 'tool', toolCallId: '4111111111111111', content: `${IBAN} is known` },
  ],
  tools: [{ name: 'check', description: 'Checks', parameters: { properties: { email: { enum: [EMAIL] } } } }],
  answerSchema: { name: 'answer', schema: { enum: [IBAN] } },
  maxOutputTokens: 100,
};
const usage = { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedTokens: 0 };

/** Calls a model that answers with the pseudonyms of its prompt. */
async function called(own: { masking?: Masking }) {
  const sent: ModelRequest[] = [];
  const model: StepModel = {
    available: true,
    recorded: () => false,
    draw: () => ({ seed: 's', deadlineAt: null }),
    call: async (_step: number, one: ModelRequest): Promise<ModelResponse> => {
      sent.push(one);
      const text = one.messages[1]!.content;
      return {
        provider: 'p',
        model: 'm',
        content: text,
        toolCalls: [{ id: 'c', name: 'check', args: { iban: [/\[IBAN-\w+\]|DE\d+/.exec(text)![0]] } }],
        finishReason: 'stop',
        usage,
        reasoning: { content: text, source: 'tags' },
        raw: { text },
        costUsd: null,
      };
    },
  };
  const response = await maskedModel(model, { caseId: 'case', settings: own }).call(1, request, null);
  return { sent: sent[0]!, response };
}

describe('S2-21 a model whose run masks personal data', () => {
  it('gets pseudonyms in every text, and its caller the values', async () => {
    const { sent, response } = await called({ masking });
    const { messages, ...rest } = sent;
    const [system, user, assistant, tool] = messages;
    const email = /\[EMAIL-[A-Z]{6}\]/.exec(system!.content)![0];
    const iban = /\[IBAN-[A-Z]{6}\]/.exec(user!.content)![0];
    expect(messages).toEqual([
      { role: 'system', content: `Judge. Report to ${email}.\n\n${PSEUDONYM_NOTE}` },
      { role: 'user', content: `{"text":"Pay to\\n${iban}"}` },
      {
        role: 'assistant',
        content: `I check ${email}.`,
        toolCalls: [{ id: '4111111111111111', name: 'check', args: { email } }],
        providerState: { signed: EMAIL },
      },
      { role: 'tool', toolCallId: '4111111111111111', content: `${iban} is known` },
    ]);
    expect([assistant?.role, tool?.role]).toEqual(['assistant', 'tool']);
    expect(rest).toEqual({
      promptId: 'kind/answer@1',
      kind: 'answer',
      tools: [
        { name: 'check', description: 'Checks', parameters: { properties: { email: { enum: [email] } } } },
      ],
      answerSchema: { name: 'answer', schema: { enum: [iban] } },
      maxOutputTokens: 100,
    });
    const text = request.messages[1]!.content;
    expect(response).toMatchObject({
      content: text,
      toolCalls: [{ id: 'c', name: 'check', args: { iban: [IBAN] } }],
      reasoning: { content: text, source: 'tags' },
      raw: { text: user!.content },
    });
  });

  it('gets the request itself if the run masks none', async () => {
    const { sent, response } = await called({});
    expect(sent).toBe(request);
    expect(response.content).toBe(request.messages[1]!.content);
  });
});
