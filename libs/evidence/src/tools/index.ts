import type {
  PastCases,
  PatternSearch,
  PolicyDocuments,
  ReadMailHeaders,
  ReadTextSignals,
  Runbooks,
  ScamReports,
  StoredResults,
  Storms,
  Tool,
} from '@casefile/contracts';
import type { ReadWebPage } from '../pages/web-pages.js';
import type { EvidenceSettings } from '../settings.js';
import { checkDomain } from './check-domain.js';
import { findSimilarScams } from './find-similar-scams.js';
import { findPastCases } from './find-past-cases.js';
import { findRunbook } from './find-runbook.js';
import { findSections } from './find-sections.js';
import { getFacts } from './get-facts.js';
import { getPolicy } from './get-policy.js';
import { getSections } from './get-sections.js';
import { lookUpScamReports } from './look-up-scam-reports.js';
import { listStormMembers } from './list-storm-members.js';
import { mailHeaders } from './read-mail-headers.js';
import { readStoredResult } from './read-stored-result.js';
import { readPage } from './read-page.js';
import { textSignals } from './read-text-signals.js';
import { searchComplaints } from './search-complaints.js';
import { searchWeb } from './search-web.js';
import { searchPolicy, type AskForSections } from './search-policy.js';
import { tightenPolicySpans } from './tighten-policy-spans.js';
import { validatePhone } from './validate-phone.js';

/** Dependencies of the tools inside the system. */
export interface ToolPorts {
  /** Default: there are no reports to query, and each call is a gap. */
  scamReports?: ScamReports;
  /** Default: there are no patterns to query, and each call is a gap. */
  patternSearch?: PatternSearch;
  /** Rules that read a text, which are pure and part of the playbooks. Default: each call is a gap. */
  readText?: ReadTextSignals;
  /** Rules that read the headers of a mail, as above. Default: each call is a gap. */
  readMailHeaders?: ReadMailHeaders;
  /** Default: there are no policies to query, and each call is a gap. */
  policies?: PolicyDocuments;
  /** Default: there are no runbooks, and each call is a gap. */
  runbooks?: Runbooks;
  /** Absent: there are no past cases, and the call is a gap. */
  pastCases?: Pick<PastCases, 'find'>;
  /** Default: there are no storms, and each call is a gap. */
  storms?: Pick<Storms, 'ofRun'>;
  /** Default: there are no stored results, and each call is a gap. */
  storedResults?: Pick<StoredResults, 'read'>;
  /** Default: no pages are read, and each call is a gap. */
  readWebPage?: ReadWebPage;
  /** Asks a model to lead `pi_search` down a policy's tree. Default: keyword ranks always lead. */
  chooseSections?: AskForSections;
}

type CreateTool = (settings: EvidenceSettings, ports: ToolPorts) => Tool;

/** The tools by name. */
const TOOLS: Readonly<Record<string, CreateTool>> = {
  scam_db: (settings, { scamReports }) => lookUpScamReports(settings, scamReports),
  exa_search: (settings) => searchComplaints(settings),
  domain_reputation: (settings) => checkDomain(settings),
  phone_validator: (settings) => validatePhone(settings),
  find_similar_scams: (settings, { patternSearch }) => findSimilarScams(settings, patternSearch),
  text_signals: (settings, { readText, patternSearch }) => textSignals(settings, readText, patternSearch),
  mail_headers: (settings, ports) => mailHeaders(settings, ports.readMailHeaders),
  pi_search: (settings, { policies, chooseSections }) => searchPolicy(settings, policies, chooseSections),
  facts_get: (settings) => getFacts(settings),
  spans_tighten: (settings, { policies }) => tightenPolicySpans(settings, policies),
  policy_get: (settings, { policies }) => getPolicy(settings, policies),
  sections_get: (settings, { policies }) => getSections(settings, policies),
  sections_search: (settings, { policies }) => findSections(settings, policies),
  runbook_find: (settings, { runbooks }) => findRunbook(settings, runbooks),
  past_cases: (settings, { pastCases }) => findPastCases(settings, pastCases),
  storm_members: (settings, { storms }) => listStormMembers(settings, storms),
  stored_result: (settings, { storedResults }) => readStoredResult(settings, storedResults),
  web_search: (settings) => searchWeb(settings),
  read_page: (settings, { readWebPage }) => readPage(settings, readWebPage),
};

/** Names of all tools of Casefile, without those of MCP servers. */
export const toolNames: readonly string[] = Object.keys(TOOLS);

/** Creates all tools. A tool without its key is included; its calls are gaps with the reason. */
export function createTools(settings: EvidenceSettings, ports: ToolPorts): Tool[] {
  return Object.values(TOOLS).map((create) => create(settings, ports));
}
