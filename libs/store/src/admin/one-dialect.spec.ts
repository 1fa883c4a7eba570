import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STORE = join(import.meta.dirname, '../..');
const schema = readFileSync(join(STORE, 'prisma/admin.prisma'), 'utf8');
const models = [...schema.matchAll(/^model (\w+) \{[^]*?@@map\("(\w+)"\)/gm)].map(
  ([, model = '', table = '']) => ({
    property: model[0]!.toLowerCase() + model.slice(1),
    table,
  }),
);
const sources = readdirSync(join(STORE, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ts$/.test(file) && !/\.spec\.ts$|testing\/|generated\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(STORE, 'src', file), 'utf8') }));

describe('a table of admin.prisma', () => {
  it('is there: the client has a model', () => {
    expect(models.length).toBeGreaterThan(0);
  });

  it.each(models)('$table is read and written by the client, and by no statement', ({ property, table }) => {
    const naming = new RegExp(`\\b(?:from|into|update|join|table)\\s+${table}\\b`);
    expect(sources.filter(({ text }) => naming.test(text)).map(({ file }) => file)).toEqual([]);
    expect(sources.some(({ text }) => text.includes(`.${property}.`))).toBe(true);
  });
});
