import type { FieldProblem } from '@casefile/contracts';
import { readAlertmanagerSettings, type ConfiguredAlertmanager } from './alertmanager-settings.js';
import { readMcpServers, type ConfiguredMcpServer } from './mcp-settings.js';
import { readFeedSettings, type ConfiguredFeed } from './feed-settings.js';
import { filledIn, type Variables } from './placeholders.js';
import { readRunbookSettings, type ConfiguredRunbooks } from './runbook-settings.js';
import type { SettingsFile } from './settings-schema.js';

/**
 * Settings of external systems. They may contain `${NAME}`, which only the process that uses them replaces.
 */
export interface OutsideSettings {
  mcp: readonly ConfiguredMcpServer[];
  /** Runbooks per alert, and the places to read them from. */
  runbooks: ConfiguredRunbooks;
  /** JSON file of pages for web searches without a search engine key; null: none. */
  pages: string | null;
  /** Knowledge bases that are fetched. */
  feeds: readonly ConfiguredFeed[];
  /** Alertmanager whose silences are read; null: none. */
  alertmanager: ConfiguredAlertmanager | null;
}

/**
 * Returns the settings of external systems, and their problems.
 * @param variables Replace `${NAME}`; null: placeholders stay.
 */
export function readOutsideSettings(
  settings: Pick<SettingsFile, 'mcp' | 'runbooks' | 'evidence' | 'feeds' | 'alertmanager'>,
  variables: Variables | null,
  kinds: readonly string[],
): OutsideSettings & { problems: FieldProblem[] } {
  const ofPages: FieldProblem[] = [];
  const { pages } = settings.evidence;
  const mcp = readMcpServers(settings.mcp, variables, kinds);
  const runbooks = readRunbookSettings(settings.runbooks, variables);
  const alertmanager = readAlertmanagerSettings(settings.alertmanager, variables);
  const feeds = readFeedSettings(settings.feeds, variables);
  return {
    feeds: feeds.feeds,
    alertmanager: alertmanager.alertmanager,
    mcp: mcp.servers,
    runbooks: runbooks.settings,
    pages: pages === undefined ? null : filledIn(pages, variables, 'evidence.pages', ofPages),
    problems: [
      ...ofPages,
      ...mcp.problems,
      ...runbooks.problems,
      ...feeds.problems,
      ...alertmanager.problems,
    ],
  };
}
