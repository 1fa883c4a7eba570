import { z, type JsonObject, type ModelRequest } from '@casefile/contracts';
import { fencedText, drawMark } from '@casefile/pipeline/fence';
import { inLine, plainText } from '@casefile/pipeline/plain-text';
import type { PromptTexts } from '@casefile/pipeline/prompts/prompt';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import { defineController } from '@casefile/pipeline/strategies/react/controller';
import type { TurnsBefore } from '@casefile/pipeline/strategies/react/guide';
import type { Guide } from '@casefile/pipeline/strategies/react/guide';
import { afterModelFailure, modelRequestTokens } from '@casefile/pipeline/strategies/react/spending';
import { evidenceLookUp, lookUpsOf } from '../look-ups.js';
import { options } from '../options.js';
import { runbookIn, whyNoRunbook } from '../runbook.js';
import {
  crossExamination,
  finalAnalysis,
  partialAnalysis,
  selectFurther,
  selectTools,
  thinkAloud,
} from './prompts.js';
import { conclude } from './conclude.js';
import { separatingCauses } from './guide.js';
import { offeredTools } from './offered-tools.js';
import { shownRead, shownReads, toolsAsJson } from './show.js';

/** Tool that reads the rest of a result that was cut. */
export const STORED_RESULT = 'stored_result';
/**
 * Number of consecutive turns without new results after which the look-ups end. A loop then ends at turn 8 of
 * 10 at the latest.
 */
const BARREN_TURNS = 3;
const PARTIAL_TOKENS = 400;

const stopSchema = z.object({ reason: z.string().trim().min(1).max(2_000) });

/** Controller of the turns in which a model investigates an incident. */
export const controller = defineController({
  prompt: selectTools,
  thinkAloud,
  endsWhenResolved: true,
  morePrompts: {
    further: selectFurther,
    partial: partialAnalysis,
    final: finalAnalysis,
    crossExamination,
  },
  tools: (input) => {
    const offered = offeredTools(input).map(({ name }) => name);
    return offered.length === 0 ? [] : [...offered, STORED_RESULT];
  },
  guide: separatingCauses(STORED_RESULT) as Guide,
  finish: {
    name: 'stop',
    description: 'Ends the look-ups: nothing that could still be looked up would change the conclusion.',
    parameters: {
      type: 'object',
      properties: { reason: { type: 'string', description: 'What is settled, and what stays open' } },
      required: ['reason'],
    },
    schema: stopSchema,
  },
  endsAfterBarren: BARREN_TURNS,
  settlesForced: true,
  open({ brief, evidence }, _unit, mark, prompts) {
    const text = prompts.of(selectTools);
    const reads = lookUpsOf(evidence, []);
    return [
      { role: 'system', content: text.render({ system: {} }) },
      {
        role: 'user',
        content: text.render({
          alert: { alert: fencedText(plainText(brief.text), mark) },
          ...runbookSections({ evidence }, mark),
          found: reads.length === 0 ? [] : { found: fencedText(shownReads(reads), mark) },
          tools: { tools: fencedText(toolsAsJson(offeredTools({ brief, evidence })), mark) },
          task: {},
        }),
      },
    ];
  },
  // The model cannot choose the case of a stored result, because only results of the current case may be
  // read.
  bind: (): JsonObject => ({}),
  observe: (call, _before, { evidence }, place) => shownRead(evidenceLookUp(evidence, call, place)),
  further: (turns, input, prompts) => {
    const text = prompts.of(selectFurther);
    const called = calledLines(turns, input);
    return {
      promptId: text.id,
      text: text.render({ called: { called }, task: { left: String(turns.left) } }),
    };
  },
  afterTurn,
  settle: conclude,
});

/** Returns the runbook, or the reason why there is none. */
function runbookSections({ evidence }: Pick<ReasonInput, 'evidence'>, mark: string) {
  const runbook = runbookIn(evidence);
  if (runbook !== null) return { runbook: { runbook: fencedText(plainText(runbook.text), mark) } };
  return { 'no-runbook': { why: fencedText(whyNoRunbook(evidence), mark) } };
}

// Returns each call with its outcome on one line. The results themselves are in the conversation.
function calledLines({ calls }: TurnsBefore, { evidence }: ReasonInput): string {
  if (calls.length === 0) return 'No look-up was made yet.';
  return calls
    .map((call, place) => evidenceLookUp(evidence, call, place))
    .map(
      ({ id, tool, gap }) =>
        `[${id}] ${inLine(tool, 100)}: ${gap === null ? 'answered' : `failed (${inLine(gap, 100)})`}`,
    )
    .join('\n');
}

// The note is shown to people who follow the run and is kept with the draft. Later questions do not use it.
async function afterTurn(turns: TurnsBefore, step: number, input: ReasonInput, ports: StagePorts) {
  const figures = options.read(ports.run.settings.options);
  const nothing = { tokens: 0, note: null };
  if (!figures.partialAnalysis || turns.calls.length === 0) return nothing;
  if (!ports.model.recorded(step) && (await ports.resolvedAt()) !== null) return nothing;
  const request = partialRequest(
    turns,
    input,
    ports.prompts,
    drawMark(ports.model.draw(figures.patienceMs), step),
  );
  const tokens = modelRequestTokens(request) + PARTIAL_TOKENS;
  try {
    const { content } = await ports.model.call(step, request, ports.clock.now() + figures.callTimeoutMs);
    return { tokens, note: plainText(content).trim() };
  } catch (error) {
    // Rethrows errors that are not failures of the model.
    afterModelFailure(error, ports, null);
    ports.log.warn({ error, round: turns.taken }, 'a round was not summed up');
    return { tokens, note: null };
  }
}

function partialRequest(
  { calls }: TurnsBefore,
  { brief, evidence }: ReasonInput,
  prompts: PromptTexts,
  mark: string,
): ModelRequest {
  const text = prompts.of(partialAnalysis);
  const user = text.render({
    alert: { alert: fencedText(plainText(brief.text), mark) },
    found: { found: fencedText(shownReads(lookUpsOf(evidence, calls)), mark) },
    task: {},
  });
  return {
    promptId: text.id,
    kind: 'partial-analysis',
    level: 'low',
    messages: [
      { role: 'system', content: text.render({ system: {} }) },
      { role: 'user', content: user },
    ],
    maxOutputTokens: PARTIAL_TOKENS,
    temperature: 0,
  };
}
