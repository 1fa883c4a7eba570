import fc from 'fast-check';
import { matchRunbook, type RunbookRule, type RunbookRules } from './match-runbook.js';

const NONE = { labels: {}, alerts: [] };
type Book = RunbookRules['runbooks'][number];
/** A runbook in a file of its name, for no alert. */
const book = (name: string, over: Partial<Book> = {}): Book => ({
  name,
  title: name,
  heading: null,
  source: `/books/${name}.md`,
  address: null,
  ...NONE,
  ...over,
});
const books: RunbookRules['runbooks'] = [
  book('disk', { address: 'https://wiki.example/runbooks/disk', labels: { team: 'storage' } }),
  book('general'),
  book('release', { address: 'https://github.com/acme/books/blob/main/release.md', alerts: ['Errors'] }),
];
const rules = (over: Partial<RunbookRules> = {}): RunbookRules => ({
  runbooks: books,
  rules: [],
  default: null,
  mayRead: ({ hostname }) => hostname === 'docs.example',
  ...over,
});
const rule = (runbook: string, labels: Record<string, string>, ...alerts: string[]): RunbookRule => ({
  runbook,
  labels,
  alerts,
});
const question = (url?: string, labels: Record<string, string> = {}, alertType = 'Other') => ({
  labels,
  alertType,
  ...(url === undefined ? {} : { url }),
});

describe('S2-41 an alert without a rule', () => {
  const named = [
    book('kubernetes-kubejobfailed', {
      source: '/books/kubernetes/KubeJobFailed.md',
      title: 'Kube Job Failed',
      heading: 'KubeJobFailed',
    }),
    book('node-node-full', { source: '/books/node/node-full.md', title: 'A node', heading: 'KubeNodeFull' }),
    book('other-node', { source: 'https://git.example/b.git other/kube-node-full.md', title: 'x y' }),
    book('etcd-readme', { source: '/books/etcd/EtcdDown/README.md', title: 'When it is down' }),
    book('wiki', { source: 'https://wiki.example/a/Disk%20Full', title: 'Wiki' }),
  ];
  const match = (alertType: string, url?: string, labels: Record<string, string> = {}) => {
    const { runbook, by, ambiguous } = matchRunbook(
      question(url, labels, alertType),
      rules({ runbooks: named }),
    );
    return [runbook, by, ...ambiguous];
  };

  it.each([
    ['its file', 'KubeJobFailed', 'kubernetes-kubejobfailed'],
    ['its file, spelled otherwise', 'kube_job_failed', 'kubernetes-kubejobfailed'],
    ['its file before the heading of another', 'KubeNodeFull', 'other-node'],
    ['the folder of its README', 'etcddown', 'etcd-readme'],
    ['its page', 'DiskFull', 'wiki'],
    ['its title', 'When it is down', 'etcd-readme'],
  ])('has the runbook that is called as it is, by %s', (_by, alertType, runbook) => {
    expect(match(alertType)).toEqual([runbook, 'name']);
    expect(match('other', undefined, { alertname: alertType })).toEqual([runbook, 'name']);
  });

  it.each([
    ['https://books.example/runbooks/kubernetes/kubejobfailed', 'kubernetes-kubejobfailed'],
    ['https://books.example/KubeJobFailed/', 'kubernetes-kubejobfailed'],
    ['https://books.example/x/kubernetes/KubeJobFailed.html#steps', 'kubernetes-kubejobfailed'],
    ['https://books.example/x/EtcdDown/index.html', 'etcd-readme'],
    ['https://books.example/Disk%20Full?view=1', 'wiki'],
    ['kubernetes/KubeJobFailed.md', 'kubernetes-kubejobfailed'],
  ])('has the runbook whose path ends as its address: %s', (url, runbook) => {
    expect(match('Other', url)).toEqual([runbook, 'url']);
  });

  it('has none where an address, a name or an empty one is that of none', () => {
    for (const url of ['https://books.example/', 'https://books.example/failed', '/', 'kubejob', '%'])
      expect(match('', url)).toEqual([null, 'default']);
    for (const name of ['', '-', 'Kube', 'readme', 'index']) expect(match(name)).toEqual([null, 'default']);
  });

  it('has the runbook of a rule before one that is called as it is', () => {
    const { runbook } = matchRunbook(
      question(undefined, {}, 'KubeJobFailed'),
      rules({ runbooks: [...named, ...books], rules: [rule('disk', {}, 'KubeJobFailed')] }),
    );
    expect(runbook).toBe('disk');
  });
});

describe('S2-41 the runbook of an alert', () => {
  it.each([
    ['its address', 'https://wiki.example/runbooks/disk', 'disk'],
    ['its address, at a place of the page', 'https://WIKI.example/runbooks/disk#steps', 'disk'],
    ['the page that GitHub shows', 'https://github.com/acme/books/blob/main/release.md?plain=1', 'release'],
    ['the raw page of GitHub', 'https://raw.githubusercontent.com/acme/books/main/release.md', 'release'],
    ['its name', ' disk ', 'disk'],
    ['the name of its file', 'Disk.md', 'disk'],
  ])('is found by %s', (_what, url, runbook) => {
    // Labels that lead elsewhere count for less.
    const match = matchRunbook(
      question(url, { a: '1' }, 'Errors'),
      rules({ rules: [rule('general', { a: '1' })] }),
    );
    expect(match).toMatchObject({ by: 'url', runbook, ambiguous: [], read: null });
  });

  it('is read at an address that may be read, and then nothing else is looked at', () => {
    const match = matchRunbook(question('https://docs.example/x?y=1#z', { team: 'storage' }), rules());
    expect(match).toMatchObject({ by: 'url', runbook: null });
    expect(match.read?.href).toBe('https://docs.example/x?y=1');
  });

  it.each([
    ['https://evil.example/x', 'evil.example is not an allowed host'],
    ['http://169.254.169.254/latest', '169.254.169.254 is not an allowed host'],
    ['file:///etc/passwd', 'neither an address nor the name of a runbook'],
    ['javascript:alert(1)', 'neither an address nor the name'],
    ['see the wiki', 'neither an address nor the name'],
    [`https://docs.example/${'x'.repeat(3_000)}`, 'more than 2048 characters'],
  ])('is not what %s leads to: labels decide, and it says why', (url, why) => {
    const match = matchRunbook(question(url, { team: 'storage' }), rules());
    expect(match).toMatchObject({ by: 'labels', runbook: 'disk', read: null });
    expect(match.why).toContain('team=storage');
    expect(match.why).toContain(why);
  });

  it('is found by rules when its address could not be read', () => {
    const match = matchRunbook(
      question('https://docs.example/x'),
      rules({ default: 'general' }),
      'docs.example is away.',
    );
    expect(match).toMatchObject({ by: 'default', runbook: 'general', read: null });
    expect(match.why).toContain('docs.example is away.');
  });

  it.each<[string, RunbookRule[], Record<string, string>, string, object]>([
    [
      'labels before type',
      [rule('general', { a: '1' })],
      { a: '1' },
      'Errors',
      { by: 'labels', runbook: 'general' },
    ],
    [
      'more labels',
      [rule('general', { a: '1', b: '2' })],
      { a: '1', b: '2', team: 'storage' },
      '',
      { runbook: 'general' },
    ],
    [
      'a label of another value',
      [rule('general', { a: '1' })],
      { a: '2' },
      'Errors',
      { by: 'alert type', runbook: 'release' },
    ],
    [
      'labels and type, both',
      [rule('general', { a: '1' }, 'Up')],
      { a: '1' },
      'Errors',
      { runbook: 'release' },
    ],
    [
      'a tie',
      [rule('general', { a: '1' })],
      { a: '1', team: 'storage' },
      '',
      { runbook: 'disk', ambiguous: ['general'] },
    ],
    [
      'two rules for one runbook',
      [rule('disk', { a: '1' })],
      { a: '1', team: 'storage' },
      '',
      { runbook: 'disk', ambiguous: [] },
    ],
    [
      'a tie by type',
      [rule('general', {}, 'Errors')],
      {},
      'Errors',
      { by: 'alert type', runbook: 'general', ambiguous: ['release'] },
    ],
    ['a rule without conditions', [rule('general', {})], {}, 'x', { by: 'default', runbook: null }],
    ['names of prototypes', [rule('general', { toString: 'x' })], {}, 'x', { runbook: null }],
    [
      'a runbook that is not there',
      [rule('Gone', { a: '1' })],
      { a: '1' },
      '',
      { by: 'labels', runbook: 'Gone' },
    ],
    [
      'an address',
      [rule('https://wiki.example/runbooks/disk', { a: '1' })],
      { a: '1' },
      '',
      { runbook: 'disk' },
    ],
  ])('by rules: %s', (_what, given, labels, type, expected) => {
    expect(matchRunbook(question(undefined, labels, type), rules({ rules: given }))).toMatchObject(expected);
  });
});

/** The same, written as the requirement says it: every rule that fits, those with most labels, by name. */
function byTheRequirement(
  labels: Record<string, string>,
  type: string,
  given: readonly RunbookRule[],
): string[] {
  let best: { most: number; names: Set<string> } = { most: 0, names: new Set() };
  for (const { runbook, labels: wanted, alerts } of given) {
    let count = 0;
    let isFit = alerts.length === 0 || alerts.some((one) => one === type);
    for (const key in wanted) {
      if (labels[key] === wanted[key]) count += 1;
      else isFit = false;
    }
    if (!isFit || (count === 0 && alerts.length === 0)) continue;
    if (count > best.most) best = { most: count, names: new Set() };
    if (count === best.most) best.names.add(runbook);
  }
  return [...best.names].sort();
}

describe('S2-41 50 alerts and 30 rules', () => {
  const KEYS = ['service', 'team', 'severity', 'zone'];
  const TYPES = ['DiskFull', 'Errors', 'ProbeFailed', 'Latency'];
  /** A sequence that is the same each time (mulberry32). */
  function numbers(seed: number) {
    let state = seed;
    return (below: number): number => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) % below;
    };
  }
  function table(seed: number) {
    const next = numbers(seed);
    const labelsOf = (most: number) =>
      Object.fromEntries(KEYS.filter(() => next(4) < most).map((key) => [key, `${next(3)}`]));
    const given = Array.from({ length: 30 }, (_each, i): RunbookRule => {
      const labels = next(4) === 0 ? {} : labelsOf(2);
      const hasAlerts = Object.keys(labels).length === 0 || next(3) === 0;
      return { runbook: `book-${i % 20}`, labels, alerts: hasAlerts ? [TYPES[next(3)] ?? ''] : [] };
    });
    const alerts = Array.from({ length: 50 }, () => ({
      labels: labelsOf(3),
      alertType: TYPES[next(4)] ?? '',
    }));
    return { given, alerts };
  }

  it('are matched as the requirement says, and every tie is listed', () => {
    const { given, alerts } = table(41);
    const runbooks = [...new Set(given.map(({ runbook }) => runbook))].map((name) => book(name));
    const found = alerts.map((alert) => {
      const { runbook, ambiguous, by } = matchRunbook(alert, {
        ...rules(),
        runbooks,
        rules: given,
        default: 'usual',
      });
      return { by, names: [runbook, ...ambiguous] };
    });
    const expected = alerts.map(({ labels, alertType }) => byTheRequirement(labels, alertType, given));
    expect(found.map(({ by, names }) => (by === 'default' ? [] : names))).toEqual(expected);
    // The table has each of them: by labels, by type, by default, and ties.
    expect(new Set(found.map(({ by }) => by))).toEqual(new Set(['labels', 'alert type', 'default']));
    expect(expected.filter(({ length }) => length > 1).length).toBeGreaterThanOrEqual(5);
  });

  it('do not depend on the order of the rules', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(49), (seed, at) => {
        const { given, alerts } = table(seed);
        const alert = alerts[at] ?? { labels: {}, alertType: '' };
        const match = (some: RunbookRule[]) => matchRunbook(alert, rules({ runbooks: [], rules: some }));
        expect(match([...given].reverse())).toMatchObject({
          runbook: match(given).runbook,
          ambiguous: match(given).ambiguous,
        });
      }),
    );
  });
});
