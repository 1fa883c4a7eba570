import fc from 'fast-check';
import { hostsIn, inertTechnicalText } from './technical-text.js';

const NONE = hostsIn('');
// A part `www` would be linked by renderers, and is broken up.
const word = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/).filter((part) => part !== 'www');
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most });
const version = fc.tuple(fc.nat(40), fc.nat(99), fc.nat(99)).map((parts) => parts.join('.'));
const camel = fc.stringMatching(/^[A-Z][a-z]{2,8}[A-Z][a-z]{2,8}$/);
const ending = fc.constantFrom(
  'java',
  'md',
  'py',
  'rs',
  'sh',
  'go',
  'ts',
  'so',
  'pl',
  'zip',
  'kt',
  'conf',
  'yaml',
);

/** Kinds of technical names that people search for. */
const NAMES: Record<string, fc.Arbitrary<string>> = {
  'files with their line': fc
    .tuple(word, word, ending, fc.nat(900))
    .map(([a, b, end, line]) => `${a}-${b}.${end}:${line}`),
  'paths of files': fc.tuple(words(3), ending).map(([parts, end]) => `/${parts.join('/')}.${end}`),
  'relative paths': fc.tuple(words(3), word, ending).map(([dirs, a, end]) => `${dirs.join('/')}/${a}.${end}`),
  'frames of a stack': fc
    .tuple(words(3), camel, fc.nat(900))
    .map(([parts, name, line]) => `at com.${parts.join('.')}.${name}.get(${name}.java:${line})`),
  versions: fc.tuple(word, version).map(([a, v]) => `${a} ${v} v${v}`),
  packages: fc.tuple(word, version).map(([a, v]) => `${a}@${v} @${a}/core@${v}`),
  modules: fc.tuple(word, word).map(([a, b]) => `github.com/${a}/${b}/v5 golang.org/x/${b}`),
  images: fc
    .tuple(word, word, version)
    .map(([a, b, v]) => `ghcr.io/${a}/${b}:${v} registry.k8s.io/${a}:${v} registry.${a}.com/${b}:${v}`),
  'labels of Kubernetes': fc.tuple(word, word).map(([a, b]) => `app.kubernetes.io/name: ${a}-${b}`),
  'names of pods and services': fc
    .tuple(word, fc.stringMatching(/^[a-f0-9]{9}$/), fc.stringMatching(/^[a-z0-9]{5}$/))
    .map(([a, hash, end]) => `${a}-${hash}-${end} ${a}-0.${a}.data.svc:9092 ${a}.prod.svc.cluster.local`),
  'attributes and metrics': fc
    .tuple(word)
    .map(
      ([a]) =>
        `service.name=${a} k8s.pod.name=${a} logger.info process.cpu.time ${a}_total ${a}__query_range`,
    ),
  addresses: fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.0.${a}.${b}:5432 fe80::1 localhost:3000`),
};

/** As Markdown shows it. */
const shown = (markdown: string) => markdown.replace(/\\(.)/g, '$1');

describe('T-04 technical names in a report', () => {
  it.each(Object.entries(NAMES))('keeps %s as they are written', (_kind, names) => {
    fc.assert(
      fc.property(names, (name) => {
        expect(shown(inertTechnicalText(name, NONE))).toBe(name);
        expect(shown(inertTechnicalText(`It failed (${name}), again.`, NONE))).toContain(name);
      }),
    );
  });

  it('keeps the text between words unescaped, so that it is found in the Markdown itself', () => {
    const names =
      'InvoiceCache.java:88 AwwwCache.Cwww.get payments-oom.md shop__db_connections ledger-7f9c10000-x2x1z 5.2.0';
    expect(inertTechnicalText(names, NONE)).toBe(names);
  });

  it('keeps the hosts and links of the alert, and breaks up all others', () => {
    const host = fc
      .tuple(words(2), fc.constantFrom('com', 'net', 'org', 'example', 'co.uk', 'xyz'))
      // Never a name that begins like a reversed domain, such as fr.shop.com: that is read as a package.
      .map(([parts, end]) => `${['shop', ...parts].join('-')}.shop.${end}`);
    const around = (name: string) => [
      name,
      `https://${name}/pay?a=1`,
      `http://user@${name}`,
      `www.${name}`,
      `${name}/login`,
      `${name}:8443`,
      `oncall@${name}`,
      `see:https://${name}.`,
      `postgres://db:5432@${name}/x`,
    ];
    fc.assert(
      fc.property(host, (name) => {
        const known = hostsIn(`Probe of ${name} failed, https://www.${name}/x`);
        for (const text of around(name)) {
          expect(shown(inertTechnicalText(text, known))).toBe(text);
          const foreign = shown(inertTechnicalText(`(${text})`, NONE));
          expect(foreign).not.toContain(name);
          expect(foreign).not.toMatch(/https?:\/\//);
        }
      }),
    );
  });

  it('makes no markup of anything', () => {
    const sign = fc.constantFrom(...'\\`*_[]<>~|#+-=&@:.!(){} \n1ab', 'http://', 'www.', '](', '&lt;', '1. ');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 30 }), (signs) => {
        const markdown = inertTechnicalText(signs.join(''), NONE).replace(/\\[^]/g, '?');
        expect(markdown).not.toMatch(
          /[`*[\]<>~|]|tps?:\/\/|(?<![a-z0-9])www\.|^[#+=-]|^\d+[.)](?:\s|$)|&#|\n/,
        );
        expect(markdown).not.toMatch(/(?:^|[^\p{L}\p{N}_])_|_(?:[^\p{L}\p{N}_]|$)/u);
      }),
      { numRuns: 500 },
    );
  });
});
