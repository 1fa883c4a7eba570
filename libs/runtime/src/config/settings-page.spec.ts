import { readFileSync } from 'node:fs';
import { environmentSchema } from './environment-schema.js';
import { toolVariables } from '@casefile/evidence';
import { settingsFileSchema } from './settings-schema.js';

const page = readFileSync(new URL('../../../../docs/reference/settings.md', import.meta.url), 'utf8');
const documentedNames = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

const known = [
  ...Object.keys(environmentSchema.shape),
  ...Object.keys(toolVariables),
  ...Object.keys(settingsFileSchema.shape),
];

describe('docs/reference/settings.md', () => {
  it('lists every environment variable that is read, and every section of the configuration file', () => {
    expect(known.filter((name) => !documentedNames.includes(name))).toEqual([]);
  });

  it('lists no variable or section that does not exist', () => {
    const others = documentedNames.filter((name) => !known.includes(name));
    expect(others.filter((name) => !/^[A-Z]+_API_KEY$/.test(name))).toEqual([]);
  });

  it('says of each variable of a tool what its tool says', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    for (const [name, { about }] of Object.entries(toolVariables)) {
      const row = rows.find((line) => line.split(' | ')[0]?.includes(`\`${name}\``));
      expect([name, row]).toEqual([name, expect.stringContaining(about)]);
    }
  });
});
