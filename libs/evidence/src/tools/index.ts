import type {
  PatternSearch,
  PolicyDocuments,
  ReadTextSignals,
  Runbooks,
  ScamReports,
  StoredResults,
  Tool,
} from '@casefile/contracts';
import type { EvidenceSettings } from '../settings.js';
import { checkDomain } from './check-domain.js';
import { findSimilarScams } from './find-similar-scams.js';
import { findRunbook } from './find-runbook.js';
import { findSections } from './find-sections.js';
import { getFacts } from './get-facts.js';
import { getPolicy } from './get-policy.js';
import { getSections } from './get-sections.js';
import { lookUpScamReports } from './look-up-scam-reports.js';
import { readStoredResult } from './read-stored-result.js';
import { textSignals } from './read-text-signals.js';
import { searchComplaints } from './search-complaints.js';
import { searchWeb } from './search-web.js';
import { searchPolicy, type AskForSections } from './search-policy.js';
import { tightenPolicySpans } from './tighten-policy-spans.js';
import { validatePhone } from './validate-phone.js';

/** What tools need from inside the system. */
export interface ToolPorts {
  /** Absent: no reports to look anything up in, which is a gap. */
  scamReports?: ScamReports;
  /** Absent: nothing to look messages up in, which is a gap. */
  patternSearch?: PatternSearch;
  /** The rules that read a text, which are pure and live with the kinds of case. Absent: a gap. */
  readText?: ReadTextSignals;
  /** Absent: no policy to look anything up in, which is a gap. */
  policies?: PolicyDocuments;
  /** Absent: no runbooks to find one among, which is a gap. */
  runbooks?: Runbooks;
  /** Absent: no record to read on in, which is a gap. */
  storedResults?: Pick<StoredResults, 'read'>;
  /** How a model is asked to lead `pi_search` down a policy's tree; absent: the ranks of words always do. */
  chooseSections?: AskForSections;
}

/** Every tool there is. A tool that lacks its key is in the list too: asking it is a gap with its reason. S1-15. */
export function createTools(settings: EvidenceSettings, ports: ToolPorts): Tool[] {
  return [
    lookUpScamReports(settings, ports.scamReports),
    searchComplaints(settings),
    checkDomain(settings),
    validatePhone(settings),
    findSimilarScams(settings, ports.patternSearch),
    textSignals(settings, ports.readText, ports.patternSearch),
    searchPolicy(settings, ports.policies, ports.chooseSections),
    getFacts(settings),
    tightenPolicySpans(settings, ports.policies),
    getPolicy(settings, ports.policies),
    getSections(settings, ports.policies),
    findSections(settings, ports.policies),
    findRunbook(settings, ports.runbooks),
    readStoredResult(settings, ports.storedResults),
    searchWeb(settings),
  ];
}
