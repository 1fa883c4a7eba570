import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { apiDocuments } from './api-documents.js';
import { breakingChanges, unannouncedChanges, type ApiDocument } from './testing/api-changes.js';
import { committedVersions, ROOT } from './testing/committed-versions.js';

const documents = apiDocuments();

describe.each(documents)('$file', ({ file, document }) => {
  const kept = JSON.parse(readFileSync(ROOT + file, 'utf8')) as ApiDocument;

  it('has no error and no warning of a public linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: ROOT + file,
      config,
    });
    expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
  });

  it('says of each query parameter what it means', () => {
    type Parameter = { in: string; name: string; description?: string; schema?: { description?: string } };
    const { paths } = document as { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };
    const silent = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations)
        .flatMap(({ parameters = [] }) => parameters)
        .filter((one) => one.in === 'query' && !(one.description ?? one.schema?.description))
        .map(({ name }) => `${path}: ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('is what the service serves; otherwise run `npm run openapi`', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(kept);
  });

  it('has additions only against the last versions that were committed', () => {
    const now = JSON.parse(JSON.stringify(document)) as ApiDocument;
    for (const before of committedVersions(file, 3)) expect(unannouncedChanges(before, now)).toEqual([]);
  });
});

describe('breakingChanges', () => {
  const [first] = documents;
  const read = () => JSON.parse(JSON.stringify(first?.document)) as ApiDocument;
  type Place = Record<string, never>;
  const schema = (document: ApiDocument, name: string) =>
    document.components?.schemas?.[name] as unknown as Record<string, Record<string, Place>>;

  it.each<[string, (now: ApiDocument) => void, RegExp]>([
    ['a path', (now) => delete now.paths['/meta'], /get \/meta is gone/],
    [
      'a field',
      (now) => delete schema(now, 'Meta')['properties']?.['model'],
      /get \/meta 200\.model is gone/,
    ],
    [
      'a parameter',
      (now) => void ((now.paths['/cases']?.['get'] as { parameters: object[] }).parameters.length = 0),
      /query status is gone/,
    ],
    [
      'a value of an enum, deep inside',
      (now) =>
        void (schema(now, 'Interaction')['properties']?.['state']?.['enum'] as unknown as string[]).pop(),
      /runs\[\]\.interactions\[\]\.state does not have all/,
    ],
    [
      'another type',
      (now) => void Object.assign(schema(now, 'RunCost')['properties']?.['usd'] ?? {}, { type: 'string' }),
      /was of type number/,
    ],
    [
      'an alternative of a type',
      (now) => void Object.assign(schema(now, 'Meta')['properties'] ?? {}, { model: { type: 'string' } }),
      /model/,
    ],
    [
      'a field that an answer always had',
      (now) => void (schema(now, 'Meta')['required'] as unknown as string[]).shift(),
      /may now be missing/,
    ],
    [
      'a field that a request needs now',
      (now) => void Object.assign(schema(now, 'AlertInput'), { required: ['source'] }),
      /source is now required/,
    ],
    [
      'a limit that a request has now',
      (now) => void Object.assign(schema(now, 'AlertInput')['properties']?.['text'] ?? {}, { maxLength: 10 }),
      /narrower maxLength/,
    ],
  ])('tells of %s', (_what, change, words) => {
    const now = read();
    change(now);
    expect(breakingChanges(read(), now).join('\n')).toMatch(words);
  });

  it('lets additions pass: a path, a field, a value, an alternative', () => {
    const now = read();
    Object.assign(now.paths, { '/more': {} });
    Object.assign(schema(now, 'Meta')['properties'] ?? {}, { more: { type: 'string' } });
    (schema(now, 'Run')['properties']?.['lane']?.['enum'] as unknown as string[]).push('express');
    Object.assign(schema(now, 'Meta')['properties'] ?? {}, {
      version: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
    expect(breakingChanges(read(), now)).toEqual([]);
  });
});
