import { playbooks } from '../playbooks/index.js';

const VERSIONED = /^[a-z][a-z0-9/-]*@[1-9][0-9]*$/;

describe('S2-20 every prompt has an id with a version, which its requests name', () => {
  const prompts = playbooks.flatMap(({ name, answer }) => (answer === undefined ? [] : [{ name, answer }]));

  it.each(prompts)('of $name', ({ name, answer }) => {
    expect(answer.id).toMatch(VERSIONED);
    expect(answer.id.startsWith(`${name}/`)).toBe(true);
  });

  it('of the encouragement to think aloud', () => {
    const ids = playbooks.flatMap(({ thinkAloud }) => (thinkAloud === undefined ? [] : [thinkAloud.id]));
    expect(ids).toEqual(['policy-check/think-aloud@1']);
    for (const id of ids) expect(id).toMatch(VERSIONED);
  });
});
