import type { ScamReports, Tool } from '@casefile/contracts';
import type { EvidenceSettings } from '../settings.js';
import { checkDomain } from './check-domain.js';
import { lookUpScamReports } from './look-up-scam-reports.js';
import { searchComplaints } from './search-complaints.js';
import { validatePhone } from './validate-phone.js';

/** What tools need from inside the house. */
export interface ToolPorts {
  scamReports: ScamReports;
}

/** Every tool there is. A tool that lacks its key is in the list too: asking it is a gap with its reason. S1-15. */
export function createTools(settings: EvidenceSettings, ports: ToolPorts): Tool[] {
  return [
    lookUpScamReports(settings, ports.scamReports),
    searchComplaints(settings),
    checkDomain(settings),
    validatePhone(settings),
  ];
}
