import { defineTool, secretVariable, urlVariable, z, type ToolVariables } from '@casefile/contracts';
import { toolNames } from '@casefile/evidence';
import { kinds } from '@casefile/shipped/loaded';
import { configurationEntries } from './configuration-entries.js';
import { readConfig } from './read-config.js';

const toolNamed = (name: string, variables: ToolVariables) =>
  defineTool({
    name,
    description: 'Looks something up.',
    variables,
    args: z.strictObject({}),
    run: async () => ({ result: {}, source: 'test' }),
  });
const [first, ...others] = kinds;
const withTools = (...tools: ReturnType<typeof toolNamed>[]) => [{ ...first!, tools }, ...others];
const VARIABLES = {
  STOCK_URL: urlVariable('address of the stock'),
  STOCK_KEY: secretVariable('key of the stock'),
};

describe('variables of the tools that kinds bring', () => {
  it('are read, and shown with the others, secrets masked', async () => {
    const texts = { STOCK_URL: 'http://stock.internal:8080/v1', STOCK_KEY: 'planted-key' };
    const config = readConfig({ ...texts, LLM_PROVIDER: 'none' }, withTools(toolNamed('stock', VARIABLES)));
    expect(config.toolEnvironment).toMatchObject(texts);
    const entries = await configurationEntries(config);
    expect(entries.find(({ name }) => name === 'STOCK_URL')).toMatchObject({
      value: texts.STOCK_URL,
      source: 'environment',
    });
    expect(JSON.stringify(entries)).not.toContain('planted-key');
  });

  it.each<[string, Record<string, string>, ReturnType<typeof toolNamed>[], RegExp]>([
    ['a wrong value', { STOCK_URL: 'stock' }, [toolNamed('stock', VARIABLES)], /STOCK_URL: expected a URL/],
    [
      'a variable of Casefile itself',
      {},
      [toolNamed('stock', { DATABASE_URL: urlVariable('x') })],
      /DATABASE_URL: expected another name in the tool stock of kind .*: Casefile reads this variable/,
    ],
    ['a wrong name', {}, [toolNamed('stock', { stock: urlVariable('x') })], /stock: expected a name such as/],
    ['the name of a shipped tool', {}, [toolNamed(toolNames[0]!, {})], /kinds: two tools have the name/],
    [
      'a name twice',
      {},
      [toolNamed('stock', {}), toolNamed('stock', {})],
      /kinds: two tools have the name stock/,
    ],
  ])('stop the start with the name of the variable or tool: %s', (_, texts, tools, problem) => {
    expect(() => readConfig({ ...texts, LLM_PROVIDER: 'none' }, withTools(...tools))).toThrow(problem);
  });
});
