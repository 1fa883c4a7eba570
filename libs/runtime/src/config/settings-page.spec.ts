import { readFileSync } from 'node:fs';
import { environmentSchema } from './environment-schema.js';
import { settingsFileSchema } from './settings-schema.js';

const page = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
const documentedNames = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

describe('docs/settings.md', () => {
  it('lists every environment variable that is read, and every section of the configuration file', () => {
    const known = [...Object.keys(environmentSchema.shape), ...Object.keys(settingsFileSchema.shape)];
    expect(known.filter((name) => !documentedNames.includes(name))).toEqual([]);
  });

  it('lists no variable or section that does not exist', () => {
    const known = [...Object.keys(environmentSchema.shape), ...Object.keys(settingsFileSchema.shape)];
    const others = documentedNames.filter((name) => !known.includes(name));
    expect(others.filter((name) => !/^[A-Z]+_API_KEY$/.test(name))).toEqual([]);
  });
});
