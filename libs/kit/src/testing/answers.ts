import { asCasefileError, canonicalJson, CasefileError, type Json } from '@casefile/contracts';
import type { RecordedAnswer } from './script.js';

/**
 * Answers of a run. A stage that is rendered again reads them, so that no question is asked twice. A replay begins with
 * those of another run and asks none.
 */
export class Answers {
  readonly recorded: RecordedAnswer[] = [];

  /** @param source The run to replay. null: questions are asked. */
  constructor(private readonly source: readonly RecordedAnswer[] | null) {}

  /**
   * Returns the recorded answer of a call, or asks and records it.
   * @throws CasefileError of the answer; `evidence_miss` if a replay makes a call that the run did not make.
   */
  async once<T>(at: string, request: RecordedAnswer['request'], ask: () => T | Promise<T>): Promise<T> {
    const known = this.at(at, request);
    const answer = known?.answer ?? (await answered(ask));
    if (known === undefined || !this.recorded.includes(known)) this.recorded.push({ at, request, answer });
    if ('error' in answer) throw answer.error;
    return answer.value as T;
  }

  private at(at: string, request: RecordedAnswer['request']): RecordedAnswer | undefined {
    const isSame = (one: RecordedAnswer) =>
      one.at === at &&
      canonicalJson(one.request as unknown as Json) === canonicalJson(request as unknown as Json);
    const known = this.recorded.find(isSame) ?? this.source?.find(isSame);
    if (known === undefined && this.source !== null)
      throw new CasefileError('evidence_miss', `the recorded run made no such call: ${at}`);
    return known;
  }
}

async function answered<T>(ask: () => T | Promise<T>): Promise<RecordedAnswer['answer']> {
  try {
    return { value: await ask() };
  } catch (thrown) {
    return { error: asCasefileError(thrown) };
  }
}
