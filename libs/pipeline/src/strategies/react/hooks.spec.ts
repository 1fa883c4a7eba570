import { later } from '@casefile/contracts';
import { fencedText } from '../../fence.js';
import {
  asks,
  controller,
  endOf,
  fetchIt,
  finish,
  last,
  look,
  options,
  play,
  playbook,
  rules,
  tools,
} from '../../testing/toy-controller.js';
import { calls } from '../../testing/turn-world.js';
import type { Controller } from './controller.js';
import { react } from './index.js';

/** The toy kind with more of a controller. */
const withHooks = (more: Partial<Controller>) => ({
  playbook: {
    ...playbook,
    strategies: { ...playbook.strategies, react: react({ ...controller, ...more }, rules, options) },
  },
});

describe('what a controller may add to the strategy react', () => {
  it('S2-43 says something last in each further turn, under its own prompt, and keeps it out of the conversation', async () => {
    const further: Controller['further'] = ({ taken, left, calls: made }) => ({
      promptId: 'toy/further@1',
      text: `${taken} taken, ${left} left, ${made.length} calls`,
    });
    const played = await play(
      [calls(look('a')), calls(look('b')), calls(finish)],
      {},
      withHooks({ further }),
    );
    expect(played.paid.map(({ promptId }) => promptId)).toEqual([
      'toy/react@1',
      'toy/further@1',
      'toy/further@1',
    ]);
    expect(last(played.paid).messages.filter(({ content }) => content.includes('taken'))).toEqual([
      { role: 'user', content: '2 taken, 8 left, 2 calls' },
    ]);
  });

  it('S2-43 receives each turn whose calls have ended, once for each, and charged for what it asks itself', async () => {
    const steps: number[] = [];
    const afterTurn: Controller['afterTurn'] = async (_turns, step) => {
      steps.push(step);
      return { tokens: 3_000, note: `after ${step}` };
    };
    const played = await play(
      [calls(look('a')), calls(fetchIt('b')), calls(finish)],
      { tokenLimit: 50_000, hardTokenLimit: 60_000 },
      withHooks({ afterTurn }),
    );
    expect([...new Set(steps)]).toEqual([10_001, 10_002]);
    expect(endOf(played).notes).toEqual([
      { turn: 1, text: 'after 10001' },
      { turn: 2, text: 'after 10002' },
    ]);
    expect(endOf(played).spent.tokens.input).toBe(3 * 500 + 2 * 3_000);
  });

  it('S2-43 ends a loop that brings nothing new, without a further turn where it concludes itself', async () => {
    const script = () => calls(look('a'));
    const played = await play(script, {}, withHooks({ endsAfterBarren: 3, settlesForced: true }));
    expect(endOf(played)).toMatchObject({ finished: null, reasonCode: 'no_progress' });
    expect(played.paid).toHaveLength(4);
  });

  it('S2-43 lets a loop ask about what the case names, and not about words of the prompt', async () => {
    const open: Controller['open'] = (_input, _unit, mark) => [
      { role: 'system', content: 'Look into alpha, bravo, charlie and delta.' },
      { role: 'user', content: fencedText('echo foxtrot golf hotel india', mark) },
    ];
    const world = {
      ...withHooks({ open, endsAfterBarren: 3, settlesForced: true }),
      tools: { ...tools, look: { asks, answer: () => 'same' } },
    };
    const asking = (words: string[]) => (_request: unknown, turn: number) =>
      calls(look(words[turn - 1] ?? 'x'));
    const ended = async (words: string[]) =>
      endOf(await play(asking(words), { maxIterations: 5 }, world)).reasonCode;
    expect(await ended(['echo', 'foxtrot', 'golf', 'hotel', 'india'])).toBe('max_iterations_reached');
    expect(await ended(['alpha', 'bravo', 'charlie', 'delta', 'alpha'])).toBe('no_progress');
  });

  it('S2-43 ends at the hard limit of tokens where the other one only warns', async () => {
    const script = (_request: unknown, turn: number) => calls(look(`q${turn}`));
    const figures = { tokenLimit: 1_000, hardTokenLimit: 3_000, limitMode: 'soft' };
    const played = await play(script, figures, withHooks({ settlesForced: true }));
    expect(endOf(played)).toMatchObject({ reasonCode: 'budget_exceeded', remarks: ['tokens_limit_passed'] });
    expect(played.paid.length).toBeLessThan(7);
  });

  it('offers the tools of the case', async () => {
    const tools: Controller['tools'] = ({ brief }) => (brief.text === '' ? ['look'] : ['fetch']);
    const played = await play([calls(look('a')), calls(finish)], {}, withHooks({ tools }));
    expect(played.paid[0]!.tools!.map(({ name }) => name)).toEqual(['fetch', 'finish']);
    expect(last(played.paid[1]!.messages).content).toMatch(/there is no tool "look"/);
  });

  it('waits where it concludes by asking a model that is out', async () => {
    const settle: Controller['settle'] = async () => later(5_000, 'server_error');
    const played = await play([calls(finish)], {}, withHooks({ settle }));
    expect(played.outcome).toMatchObject({ kind: 'later', reasonCode: 'server_error' });
  });
});
