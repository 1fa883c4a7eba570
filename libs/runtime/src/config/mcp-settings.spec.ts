import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { playbookNamed } from '@casefile/pipeline';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { describeInstallation } from '../installation/describe-installation.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import { readConfig } from './read-config.js';

function configOf(servers: object, env: Record<string, string> = {}) {
  const path = join(temporaryFolder('config'), 'own.yaml');
  writeFileSync(path, JSON.stringify({ mcp: { servers } }));
  return readConfig({ LLM_PROVIDER: 'none', CASEFILE_CONFIG: path, ...env }, kinds);
}
const USE = { allow: ['get-logs', 'list.pods'], kinds: ['message-screening'] };
const STDIO = {
  command: 'node',
  args: ['server.mjs', '--at=${AT}'],
  env: { TOKEN: '${TOKEN}', PATH: '/bin' },
  ...USE,
};

describe('S2-42 MCP servers in the configuration', () => {
  it('are written as in other programs, with variables of the environment', () => {
    const http = {
      type: 'http',
      url: 'http://${HOST_NAME}:8080/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
      ...USE,
    };
    const env = { AT: 'here', TOKEN: 's3cret', HOST_NAME: 'tools.example' };
    const { outside, mcp, settings } = configOf({ cluster: STDIO, remote: http }, env);
    expect(outside().mcp.map(({ server }) => server.via)).toEqual([
      { command: 'node', args: ['server.mjs', '--at=here'], env: { TOKEN: 's3cret', PATH: '/bin' } },
      { url: 'http://tools.example:8080/mcp', headers: { Authorization: 'Bearer s3cret' } },
    ]);
    expect(JSON.stringify({ mcp, settings })).not.toContain('s3cret');
  });

  it('name each variable that is not set where they are used, and print no value of another', () => {
    const { outside, mcp } = configOf({ cluster: STDIO }, { TOKEN: 's3cret' });
    expect(mcp.map(({ server }) => server.name)).toEqual(['cluster']);
    const start = () => outside();
    expect(start).toThrow(
      /mcp\.servers\.cluster\.args\.1: expected the environment variable AT, which is not set/,
    );
    expect(start).not.toThrow(/s3cret/);
  });

  it.each([
    ['neither a command nor a URL', USE, /expected either command .* or url/],
    ['both', { ...STDIO, url: 'http://host.example' }, /expected either command .* or url/],
    ['headers for a command', { command: 'x', headers: {}, ...USE }, /headers belong to url/],
    ['no list of what is allowed', { command: 'x', kinds: ['scam-verdict'] }, /allow/],
    ['no kind of case', { command: 'x', allow: ['a'] }, /kinds/],
    [
      'a kind that there is not',
      { command: 'x', allow: ['a'], kinds: ['nothing'] },
      /kinds\.0: there is no such playbook/,
    ],
    [
      'a required tool that is not allowed',
      { command: 'x', ...USE, required: ['b'] },
      /required: expected names that are in allow/,
    ],
    [
      'a pin that is no hash',
      { command: 'x', ...USE, pins: { 'get-logs': 'abc' } },
      /pins\.get-logs: expected a SHA-256/,
    ],
    ['another protocol', { url: 'file:///etc/passwd', ...USE }, /url: expected http/],
    [
      'tools that would have one name',
      { command: 'x', ...USE, allow: ['a.b', 'a_b'] },
      /two tools would be called cluster__a_b/,
    ],
    [
      'a name that no provider takes',
      { command: 'x', ...USE, allow: ['a'.repeat(60)] },
      /at most 64 characters/,
    ],
    ['a key that there is not', { ...STDIO, comand: 'x' }, /comand/],
  ])('refuse %s', (_what, server, problem) => {
    expect(() => configOf({ cluster: server }, { AT: 'a', TOKEN: 't' })).toThrow(problem);
  });

  it('refuse a name that would make names of tools ambiguous', () => {
    expect(() => configOf({ a__b: { command: 'x', ...USE } })).toThrow(/a__b/);
  });

  it('give their tools to cases of their kinds and alerts alone, frozen by wire name', () => {
    const config = configOf({
      cluster: { command: 'x', ...USE },
      other: { command: 'x', ...USE, allow: ['facts'], forAlerts: { team: 'web', env: 'prod' } },
    });
    const toolsOf = (kind: string, labels?: Record<string, string>) =>
      freezeSettings(playbookNamed(kind, playbooks), describeInstallation(config), {
        text: 'x',
        ...(labels === undefined ? {} : { labels }),
      } as never).tools.filter((name) => name.includes('__'));
    const own = ['cluster__get-logs', 'cluster__list_pods'];
    expect(toolsOf('message-screening')).toEqual(own);
    expect(toolsOf('message-screening', { team: 'web' })).toEqual(own);
    expect(toolsOf('message-screening', { team: 'web', env: 'prod', more: 'x' })).toEqual([
      ...own,
      'other__facts',
    ]);
    expect(toolsOf('scam-verdict', { team: 'web', env: 'prod' })).toEqual([]);
  });
});
