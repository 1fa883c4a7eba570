import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { CaseDocument } from '@casefile/contracts';
import { pagedWorld, type IntakeAnswer, type PagedWorld } from './paged-world.js';

/** Posts in the order in which a sender made them, and what a person on call expects of them. */
interface Sequence {
  name: string;
  source: string;
  right: string;
  /** `{u}` is replaced by a text that is new for each run. */
  posts: object[];
  expect: {
    sameCase?: boolean;
    resolved?: boolean;
    /** Pages about the case after the last post. */
    pages?: number;
    /** Disposition after the last post. An alert that opened no case has none. */
    last?: { disposition?: string; dispositionNot?: string };
    ignored?: string;
    playbook?: string;
  };
}

const SEQUENCES = JSON.parse(readFileSync(new URL('sequences.json', import.meta.url), 'utf8')) as Sequence[];

let world: PagedWorld;
beforeAll(async () => void (world = await pagedWorld()));
afterAll(() => world?.close());

it.each(SEQUENCES.map((one) => [one.name, one.right, one] as const))(
  'T-43 %s: %s',
  async (_name, _right, one) => {
    const unique = randomUUID().slice(0, 8);
    const answers: IntakeAnswer[] = [];
    let shown: CaseDocument | null = null;
    for (const post of one.posts) {
      const [answer] = await world.send(JSON.parse(JSON.stringify(post).replaceAll('{u}', unique)));
      answers.push(answer!);
      if (answer?.caseId !== undefined) shown = await world.settled(answer.caseId);
    }
    const { sameCase, resolved, pages, last, ignored, playbook } = one.expect;
    const verdict = shown?.verdict ?? null;
    if (ignored !== undefined) expect(answers.at(-1)).toMatchObject({ ignored });
    if (sameCase) expect(new Set(answers.map(({ caseId }) => caseId)).size).toBe(1);
    if (resolved) expect(shown?.resolvedAt ?? null).not.toBeNull();
    if (playbook !== undefined) expect(shown?.playbook).toBe(playbook);
    if (pages !== undefined) expect(world.pages(shown?.id ?? '')).toHaveLength(pages);
    if (last?.disposition !== undefined) expect(verdict?.disposition).toBe(last.disposition);
    if (last?.dispositionNot !== undefined) {
      expect(verdict?.disposition).not.toBe(last.dispositionNot);
      if (last.dispositionNot === 'act') expect(world.pages(shown?.id ?? '')).toEqual([]);
    }
    if (process.env['SHOW_SEQUENCES'] === 'true')
      console.log(
        [
          one.name,
          ...answers.map((a) => JSON.stringify(a)),
          `joined by ${shown?.joinedBy}`,
          verdict?.disposition,
          ...(verdict?.reasons ?? []),
          ...world.pages(shown?.id ?? '').map((p) => p.payload.custom_details.text),
        ].join('\n'),
      );
  },
);
