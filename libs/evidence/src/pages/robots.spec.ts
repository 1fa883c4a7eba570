import { allowsPath, readRobots } from './robots.js';

const allowed = (text: string, path: string) => allowsPath(readRobots(text, 'casefile'), path);

describe('T-61 robots.txt', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /private', '/private/a', false],
    ['User-agent: *\nDisallow: /private', '/a/private', true],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: *\nDisallow: /\nAllow: /open', '/open/a', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['user-agent: *\r\ndisallow: /*.pdf$ # files', '/x/y.pdf', false],
    ['user-agent: *\ndisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['user-agent: *\ndisallow: /a*b*c', '/a1b2c3', false],
    ['user-agent: *\ndisallow: /a*b*c', '/a1c2b3', true],
    ['user-agent: *\ndisallow: /aa*aa$', '/aaa', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Casefile\nDisallow: /x', '/y', true],
    ['User-agent: Casefile\nUser-agent: other\nDisallow: /x', '/x', false],
    ['User-agent: other\nDisallow: /\nUser-agent: casefile\nAllow: /', '/y', true],
    ['Disallow: /\nUser-agent: other\nDisallow: /', '/y', true],
    ['not a file of rules', '/y', true],
  ])('%j lets a program read %s: %s', (text, path, isAllowed) => {
    expect(allowed(text, path)).toBe(isAllowed);
  });
});
