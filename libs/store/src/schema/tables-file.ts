import { readSchema, sqlToSchema } from './schema-engine.js';

const HEADER = `// Written by the build from the schema in prisma/.

/**
 * The columns of each table with their types in SQL. \`?\` marks a column that may be null, \`=\` one with a default.
 */`;

/** SQL names of the types that the schema uses, by the names that Prisma's schema engine writes. */
const TYPES: Readonly<Record<string, string>> = {
  UUID: 'uuid',
  TEXT: 'text',
  INTEGER: 'int',
  BIGINT: 'bigint',
  BIGSERIAL: 'bigint',
  'DOUBLE PRECISION': 'float8',
  REAL: 'real',
  BOOLEAN: 'boolean',
  JSON: 'json',
  JSONB: 'jsonb',
  'TIMESTAMPTZ(6)': 'timestamptz',
  BYTEA: 'bytea',
  tsvector: 'tsvector',
};

const NOT_NULL = ' NOT NULL';

/**
 * Returns the text of `generated/tables.ts`. Prisma's schema engine writes the schema as `create table`
 * statements. Their columns are parsed here.
 * @throws Error if the schema uses a type that is not in `TYPES`.
 */
export async function tablesFile(): Promise<string> {
  const script = await sqlToSchema(null, await readSchema());
  const tables = script.matchAll(/^CREATE TABLE "(\w+)" \(\n(.*?)^\);$/gms);
  const written = [...tables].map(([, table = '', body = '']) => `  ${table}: {\n${columnsIn(body)}  },\n`);
  return `${HEADER}\nexport const TABLES = {\n${written.sort().join('')}} as const;\n`;
}

function columnsIn(body: string): string {
  const columns = body.matchAll(/^ {4}"(\w+)" (.+?),?$/gm);
  return [...columns]
    .map(([, name = '', type = '']) => `    ${name}: '${columnType(name, type)}',\n`)
    .join('');
}

function columnType(column: string, written: string): string {
  const [declared = ''] = written.split(' DEFAULT ', 1);
  const hasDefault = declared !== written;
  const isNotNull = declared.endsWith(NOT_NULL);
  const whole = isNotNull ? declared.slice(0, -NOT_NULL.length) : declared;
  const list = whole.endsWith('[]') ? '[]' : '';
  const name = whole.slice(0, whole.length - list.length);
  const type = TYPES[name];
  if (type === undefined) throw new Error(`${column}: add the type ${name} to ${import.meta.url}`);
  // A list has no NOT NULL in Prisma's statements, but is never null in Prisma's client.
  if (!isNotNull && list === '') return `${type}?`;
  return !hasDefault && name !== 'BIGSERIAL' ? type + list : `${type}${list}=`;
}
