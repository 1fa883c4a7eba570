import type { PatternSearch, ScamReports, Tool } from '@casefile/contracts';
import type { EvidenceSettings } from '../settings.js';
import { checkDomain } from './check-domain.js';
import { findSimilarScams } from './find-similar-scams.js';
import { lookUpScamReports } from './look-up-scam-reports.js';
import { searchComplaints } from './search-complaints.js';
import { validatePhone } from './validate-phone.js';

/** What tools need from inside the house. */
export interface ToolPorts {
  scamReports: ScamReports;
  /** Absent: nothing to look messages up in, which is a gap. */
  patterns?: PatternSearch;
}

/** Every tool there is. A tool that lacks its key is in the list too: asking it is a gap with its reason. S1-15. */
export function createTools(settings: EvidenceSettings, ports: ToolPorts): Tool[] {
  return [
    lookUpScamReports(settings, ports.scamReports),
    searchComplaints(settings),
    checkDomain(settings),
    validatePhone(settings),
    findSimilarScams(settings, ports.patterns),
  ];
}
