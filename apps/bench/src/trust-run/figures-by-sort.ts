import type { JudgedCase } from './measure.js';
import { EXAMINERS, KINDS, type Examiner } from './trust-case.js';

/** Cases of one mode, judged. */
export interface JudgedMode {
  honest: boolean;
  examiner: Examiner;
  judged: readonly JudgedCase[];
}

const ARMS: Record<Examiner, string> = {
  none: 'examiner out',
  same: 'same model agrees',
  yes: 'supports everything',
  labels: 'examiner knows',
};
const WAYS = { act: 'acted on', dismiss: 'let go' } as const;

/**
 * Returns a section of Markdown: per kind, direction and sort the wrong answers that were accepted in each arm, and
 * the right answers that were lost.
 */
export function sortsReport(modes: readonly JudgedMode[]): string {
  const rows = KINDS.flatMap((kind) =>
    (['act', 'dismiss'] as const).flatMap((way) => {
      const sorts = new Set(
        modes.flatMap(({ judged }) =>
          judged.flatMap(({ one }) =>
            !one.honest && one.kind === kind && one.wrongWay === way ? (one.sort ?? []) : [],
          ),
        ),
      );
      const named = [...sorts].sort().map((sort) => [sort, [sort]] as const);
      return [...named, ['sum', [...sorts]] as const]
        .filter(([, own]) => own.length > 0)
        .map(([name, own]) =>
          rowOf(`${kind}, ${WAYS[way]}`, name, modes, ({ one }) => {
            return (
              one.kind === kind && one.wrongWay === way && one.sort !== undefined && own.includes(one.sort)
            );
          }),
        );
    }),
  );
  const lost = KINDS.map((kind) => lostOf(kind, modes)).filter((cells) => cells.length > 0);
  const head = ['kind and direction', 'sort', 'pairs', ...EXAMINERS.map((examiner) => ARMS[examiner])];
  const lostHead = ['kind', 'right answers', ...EXAMINERS.map((examiner) => ARMS[examiner])];
  return `\n## Wrong answers accepted, by sort\n\n${table(head, rows)}\n\n## Right answers lost\n\n${table(lostHead, lost)}\n`;
}

function rowOf(
  name: string,
  sort: string,
  modes: readonly JudgedMode[],
  isOwn: (judged: JudgedCase) => boolean,
): string[] {
  const counts = EXAMINERS.map((examiner) => {
    const mode = modes.find((one) => !one.honest && one.examiner === examiner);
    const own = mode?.judged.filter((judged) => !judged.one.honest && isOwn(judged)) ?? [];
    return { all: own.length, accepted: own.filter(({ accepted }) => accepted).length };
  });
  return [
    name,
    sort,
    String(Math.max(...counts.map(({ all }) => all))),
    ...counts.map(({ all, accepted }) => (all === 0 ? '-' : String(accepted))),
  ];
}

function lostOf(kind: string, modes: readonly JudgedMode[]): string[] {
  const counts = EXAMINERS.map((examiner) => {
    const mode = modes.find((one) => one.honest && one.examiner === examiner);
    const own = mode?.judged.filter(({ one }) => one.kind === kind && one.sort !== undefined) ?? [];
    const lost = own.filter(
      ({ one, disposition }) => disposition === null || !one.expected.includes(disposition),
    );
    return { all: own.length, lost: lost.length };
  });
  const all = Math.max(...counts.map((one) => one.all));
  return all === 0
    ? []
    : [kind, String(all), ...counts.map((one) => (one.all === 0 ? '-' : String(one.lost)))];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
