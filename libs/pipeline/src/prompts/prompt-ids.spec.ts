import { playbooks } from '../playbooks/index.js';

const VERSIONED = /^[a-z][a-z0-9/-]*@[1-9][0-9]*$/;

describe('S2-20 every prompt has an id with a version, which its requests name', () => {
  const prompts = playbooks.flatMap(({ name, strategies }) =>
    Object.values(strategies).flatMap(({ promptIds }) =>
      Object.values(promptIds).map((id) => ({ name, id })),
    ),
  );

  it.each(prompts)('$id of $name', ({ name, id }) => {
    expect(id).toMatch(VERSIONED);
    expect(id.startsWith(`${name}/`)).toBe(true);
  });

  it('of the encouragement to think aloud', () => {
    const ids = playbooks.flatMap(({ thinkAloud }) => (thinkAloud === undefined ? [] : [thinkAloud.id]));
    expect(ids).toEqual(['policy-check/think-aloud@1']);
    for (const id of ids) expect(id).toMatch(VERSIONED);
  });
});
