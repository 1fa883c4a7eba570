import { getDomain } from 'tldts';
import { OFFICIAL_ENDINGS, shippedTier, SOURCE_GROUPS } from './shipped-sources.js';

const rows = SOURCE_GROUPS.flatMap(({ language, tier, type, why, sources }) =>
  Object.entries(sources).flatMap(([name, hosts]) =>
    hosts.map((host) => ({ language, tier, type, why, name, host })),
  ),
);

describe('the shipped list of sources', () => {
  it('covers at least twenty languages with a reliable source of each', () => {
    const languages = new Set(rows.filter(({ tier }) => tier <= 2).map(({ language }) => language));
    languages.delete('any');
    expect(languages.size).toBeGreaterThanOrEqual(20);
  });

  it('gives a reason for each tier, and one tier for each host', () => {
    for (const group of [...SOURCE_GROUPS, ...OFFICIAL_ENDINGS]) {
      expect(group.why).toMatch(/^[A-Z].{20,}\.$/);
      expect([1, 2, 3, 4, 5]).toContain(group.tier);
    }
    const hosts = rows.map(({ host }) => host);
    expect(hosts.filter((host, i) => hosts.indexOf(host) !== i)).toEqual([]);
  });

  it.each(rows.map(({ host, name, tier, type }) => [host, name, tier, type] as const))(
    'finds %s and hosts below it',
    (host, name, tier, type) => {
      expect(host).toBe(host.toLowerCase());
      expect(getDomain(host)).not.toBeNull();
      for (const url of [`https://${host}/a?b=1`, `http://www.${host}:8080/`])
        expect(shippedTier(url)).toMatchObject({ name, tier, type });
      expect(shippedTier(`https://${host}.evil.example/`)).toBeNull();
      expect(shippedTier(`https://evil-${host.replaceAll('.', '-')}.example/`)).toBeNull();
    },
  );

  it.each([
    ['https://www.cpsc.gov/Recalls/2026/x', 1, 'government'],
    ['https://www.ons.gov.uk/economy', 1, 'government'],
    ['https://www.interieur.gouv.fr/', 1, 'government'],
    ['https://www.soumu.go.jp/', 1, 'government'],
    ['https://news.mit.edu/2026/x', 2, 'university'],
    ['https://www.ox.ac.uk/', 2, 'university'],
  ])('knows official endings: %s', (url, tier, type) => {
    expect(shippedTier(url)).toMatchObject({ tier, type });
  });

  it.each([
    'https://gov/',
    'https://gov.example/',
    'https://mygov.co/',
    'https://edu.example.com/',
    'https://reuters.com.example/',
    'https://203.0.113.7/reuters.com',
    'https://unheard-of.example/reuters.com',
    'mailto:a@reuters.com',
    'no url',
    '',
  ])('has no tier for %j', (url) => expect(shippedTier(url)).toBeNull());
});
