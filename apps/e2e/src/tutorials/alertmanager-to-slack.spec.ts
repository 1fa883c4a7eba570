import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '@casefile/contracts/testing';
import { parse } from 'yaml';
import { startConfiguredAlertmanager, type Alertmanager } from '../testing/alertmanager.js';
import { launchedServices, type LaunchedServices } from '../testing/launched-services.js';
import { runCasefile } from '../testing/run-casefile.js';
import { slackReceiver, type SlackMessage, type SlackReceiver } from '../testing/slack-receiver.js';
import { blockWith, tutorialBlocks } from './blocks.js';

const blocks = tutorialBlocks('alertmanager-to-slack');

interface Settings {
  destinations: { team: object };
}
interface Routes {
  route: object;
  receivers: { webhook_configs: { url: string }[] }[];
}

describe('the tutorial from Alertmanager to Slack', () => {
  let slack: SlackReceiver;
  let services: LaunchedServices;
  let alertmanager: Alertmanager;
  const savedEnv = { ...process.env };

  beforeAll(async () => {
    slack = await slackReceiver();
    const settings = parse(blockWith(blocks, 'yaml', '# casefile.yaml')) as Settings;
    // The receiver of the test is on loopback, Slack is not.
    Object.assign(settings.destinations.team, { allowPrivate: true });
    services = await launchedServices({
      settings,
      env: () => ({ LLM_PROVIDER: 'none', SLACK_WEBHOOK_URL: slack.url }),
    });
    process.env['CONSOLE_PORT'] = new URL(services.service('console').url).port;
    const routes = parse(blockWith(blocks, 'yaml', '# alertmanager.yml')) as Routes;
    for (const { webhook_configs: hooks } of routes.receivers)
      for (const hook of hooks)
        hook.url = hook.url.replace('http://localhost:3001', services.service('ingest').url);
    // Groups are posted after a second, so that the test need not wait for the usual times.
    Object.assign(routes.route, { group_wait: '1s', group_interval: '1s' });
    alertmanager = await startConfiguredAlertmanager(routes);
  });
  afterAll(async () => {
    process.env = savedEnv;
    await alertmanager.stop();
    await services.close();
    slack.close();
  });

  const shell = (part: string) => {
    const line = blockWith(blocks, 'sh', part).replaceAll('localhost:9093', new URL(alertmanager.url).host);
    return promisify(execFile)('sh', ['-c', line.replace('curl -s', 'curl -sS --fail')]);
  };
  const wordsOf = ({ text, blocks: parts }: SlackMessage): string =>
    [text, ...parts.map((part) => ('text' in part ? part.text.text : ''))].join('\n');

  it('sends a test, the page and its end to Slack, in the form that Slack accepts', async () => {
    const [command = ''] = blockWith(blocks, 'sh', 'destinations test').split('\n');
    const tested = await runCasefile(...command.split(' ').slice(2));
    expect(tested).toMatchObject({ code: 0, errors: [] });
    await until('the test is received', () => slack.messages.length === 1);

    await shell('"annotations"');
    await until('the page is received', () => slack.messages.length === 2);
    const shown = blocks.find(({ text }) => text.startsWith('PAGE:'))?.text ?? '';
    const page = slack.messages[1]!;
    for (const line of shown.split('\n')) expect(wordsOf(page)).toContain(line);
    const [button] = page.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
    expect(button).toMatchObject({
      text: { text: 'Open the case' },
      url: expect.stringMatching(/^http:\/\/localhost:3000\/cases\/[\w-]+$/),
    });
    const listed = await runCasefile('deliveries', 'list');
    expect([listed.code, listed.lines.join('\n')]).toEqual([0, expect.stringContaining('delivered')]);

    await shell('"endsAt"');
    await until('the end is received', () => slack.messages.length === 3);
    expect(wordsOf(slack.messages[2]!)).toMatch(/CheckoutDown[^]*resolved|resolved[^]*CheckoutDown/i);
    expect(slack.refusals).toEqual([]);
  });
});
