import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the committed Prisma Client', () => {
  it('is that of admin.prisma and of the installed version: `npm run generate` writes it', () => {
    const client = read('../generated/admin/internal/class.ts');
    const [, schema = '""'] = /^ {2}"inlineSchema": (".*"),$/m.exec(client) ?? [];
    expect(JSON.parse(schema)).toContain(read('../../prisma/admin.prisma').trim());
    const { dependencies } = JSON.parse(read('../../package.json')) as {
      dependencies: Record<string, string>;
    };
    expect(client).toContain(`"clientVersion": "${dependencies['@prisma/client']}"`);
  });
});
