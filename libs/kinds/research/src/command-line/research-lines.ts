import { researchDraftSchema, researchReviewSchema, sourceSchema } from '@casefile/contracts';
import type { ShownRun } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';
import type { RunSection } from '@casefile/kit/command-line/run-section';

const WIDTH = 160;

/**
 * The sources by tier, then the result of each round: searches, rulings, and new, solved or repeated
 * findings.
 */
export const rounds: RunSection = {
  title: 'research',
  lines: ({ artifacts }) => [...sourceLines(artifacts), ...artifacts.flatMap(roundLines)],
};

type Artifact = ShownRun['artifacts'][number];

function sourceLines(artifacts: readonly Artifact[]): string[] {
  const evidence = artifacts.filter(({ artifact }) => artifact === 'evidence').at(-1)?.body;
  const items = Array.isArray(evidence?.['items']) ? evidence['items'] : [];
  const sources = items.flatMap((item) => {
    const { id, result } = item as { id?: unknown; result?: unknown };
    const read = sourceSchema.safeParse(result);
    return read.success && typeof id === 'string' ? [{ id, source: read.data }] : [];
  });
  return sources
    .toSorted((a, b) => tierOf(a.source) - tierOf(b.source))
    .map(({ id, source }) => {
      const { tier, type } = source._reasoning_metadata;
      return `tier ${tier ?? '?'}  ${oneLine(type)}  [${oneLine(id)}] ${excerpt(`${source.site}: ${source.name}`, WIDTH)}`;
    });
}

const tierOf = ({ _reasoning_metadata: { tier } }: { _reasoning_metadata: { tier: number | null } }) =>
  tier ?? 9;

function roundLines({ artifact, round, body }: Artifact): string[] {
  if (artifact === 'draft') {
    const read = researchDraftSchema.safeParse(body['answer']);
    if (!read.success || read.data.kind !== 'search') return [];
    const queries = Array.isArray(body['queries']) ? body['queries'].map(String) : [];
    return [`round ${round}  searches for ${queries.map((query) => `“${excerpt(query, 80)}”`).join(', ')}`];
  }
  const read = researchReviewSchema.safeParse(artifact === 'review' ? body['answer'] : null);
  if (!read.success) return [];
  const { fresh, solved, repeated, critique, share } = read.data;
  const counts = `${fresh.length} new, ${solved.length} solved, ${repeated.length} repeated`;
  return [
    `round ${round}  ${oneLine(String(body['ruling']))}  findings: ${counts}  found in sources: ${share === null ? 'none to check' : `${Math.round(share * 100)} %`}`,
    ...(critique === '' ? [] : [`         ${excerpt(critique, WIDTH)}`]),
  ];
}
