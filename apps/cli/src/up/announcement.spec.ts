import type { Config } from '@casefile/runtime';
import { announcement, configModel } from './narrator.js';

function config(over: Partial<Config>): Config {
  return {
    databaseUrl: null,
    queueUrl: null,
    dataDir: `${process.cwd()}/.casefile`,
    provider: null,
    ...over,
  } as Config;
}
const provider = (name: string) =>
  ({
    entry: { name, model: 'm-1', baseUrl: 'https://models.example/v1' },
    apiKey: 'sk-secret',
    warnings: [],
  }) as unknown as Config['provider'];

describe('announcement', () => {
  it('says plainly that there is no model', () => {
    expect(configModel(config({}))).toMatch(/^none: .*rules/);
  });

  it('says who answers, and that a simulator makes its answers up', () => {
    expect(configModel(config({ provider: provider('openai') }))).toBe('m-1 of openai at models.example');
    expect(configModel(config({ provider: provider('simulator') }))).toContain('made up');
  });

  it.each([
    ['redis+cluster://me:hunter2@a.example:7001,b.example:7002', 'Redis at a.example:7001, b.example:7002'],
    [
      'rediss+sentinel://a.example,b.example/queues?sentinelPassword=hunter2',
      'Redis at a.example, b.example',
    ],
  ])('names each host of %s, and no password', (queueUrl, place) => {
    const lines = announcement(config({ queueUrl })).join('\n');
    expect(lines).toContain(place);
    expect(lines).not.toContain('hunter2');
  });

  it('prints no password and no key', () => {
    const lines = announcement(
      config({
        databaseUrl: 'postgres://me:hunter2@db.example/x',
        queueUrl: 'redis://:hunter2@q.example:6379',
        provider: provider('openai'),
      }),
    ).join('\n');
    expect(lines).toContain('db.example');
    expect(lines).toContain('Redis at q.example:6379');
    expect(lines).not.toMatch(/hunter2|sk-secret/);
  });
});
