import type { JsonObject, RunDocument } from '@casefile/contracts';

/** Code points of the case's title in a file name, which has at most 255 bytes. */
const WORDS_KEPT = 40;

/**
 * Returns a name that is valid in every file system: letters, digits, `_` and `-`, with the id of the case.
 */
export function folderName({ id, title }: { id: string; title: string }): string {
  const safe = title
    .slice(0, WORDS_KEPT * 4)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_');
  const head = Array.from(safe).slice(0, WORDS_KEPT).join('').replace(/^_|_$/g, '');
  return `${head === '' ? 'case' : head}_${id}`;
}

type RecordedCall = RunDocument['interactions'][number];

/** Agent of a cross-examination. Its question is part of the stage of another agent. */
const EXAMINER = 'examiner';
const isExamination = ({ promptId }: Pick<RecordedCall, 'promptId'>): boolean =>
  promptId.includes('/cross-examination');

const callPlace = (call: RecordedCall): string =>
  `${call.round} ${call.stage}${isExamination(call) ? ` ${EXAMINER}` : ''}`;

/**
 * Returns a file per round and agent, and a summary.
 * @param agents Names of the agents by stage. Default: the name of the stage.
 */
export function iterationFiles(
  run: RunDocument,
  agents: Readonly<Record<string, string>> = {},
): { name: string; body: JsonObject }[] {
  const { interactions, verdict, status, settings } = run;
  const outcome = verdict?.outcome ?? {};
  const mode = outcome['mode'] ?? null;
  const places = [...new Set(interactions.map(callPlace))];
  const files = places.map((place) => {
    const calls = interactions.filter((call) => callPlace(call) === place);
    const call = calls.findLast(({ state }) => state === 'completed') ?? calls.at(-1)!;
    const ofStage = (Object.hasOwn(agents, call.stage) ? agents[call.stage] : undefined) ?? call.stage;
    const agent = isExamination(call) ? EXAMINER : ofStage;
    return {
      name: `iteration_${call.round}_${agent.replace(/[^\w-]/g, '_')}.json`,
      body: {
        iteration: call.round,
        agent,
        input_prompt: call.request as unknown as JsonObject,
        output_response: call.response,
        metadata: {
          time: call.createdAt,
          model: call.model,
          tokens: call.usage as unknown as JsonObject,
          ms: call.latencyMs,
          mode,
          calls: calls.length,
          state: call.state,
        },
      },
    };
  });
  const rounds = typeof outcome['rounds'] === 'number' ? outcome['rounds'] : run.round;
  const summary = {
    total_iterations: rounds,
    final_status: typeof outcome['ruling'] === 'string' ? outcome['ruling'] : status,
    mode,
    metadata: { run: run.id, provider: settings.provider, model: settings.model, decided: run.decidedAt },
  };
  return [...files, { name: 'session_summary.json', body: summary }];
}
