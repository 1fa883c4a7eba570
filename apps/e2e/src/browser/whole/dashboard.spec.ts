import { saysParked } from '../parked.browser.js';
import { judgesAgain } from '../batches.browser.js';
import { changesPrompts } from '../prompts.browser.js';
import { runsExperiments } from '../experiments.browser.js';
import { addsDestinations } from '../destinations.browser.js';
import { silencesAlerts } from '../silences.browser.js';
import { showsTheAuditLog } from '../audit.browser.js';
import { isAccessible } from '../access.browser.js';
import { dashboardStage } from '../dashboard-stage.js';
import { checksAreAccessible } from '../policy.browser.js';
import { missesNothing } from '../slow-reads.browser.js';
import { isLight } from '../weight.browser.js';

const stage = dashboardStage();

describe('runs that wait for a person in the dashboard', () => saysParked(stage));

describe('cases judged again in the dashboard', () => judgesAgain(stage));

describe('prompts in the dashboard', () => changesPrompts(stage));

describe('experiments in the dashboard', () => runsExperiments(stage));

describe('the audit log in the dashboard', () => showsTheAuditLog(stage));

describe('destinations in the dashboard', () => addsDestinations(stage));

describe('silences in the dashboard', () => silencesAlerts(stage));

describe('the dashboard while its reads are slow', () => missesNothing(stage));

describe('the dashboard in all looks', () => isAccessible(stage, ['light', 'dark', 'phone']));

describe('policies and checks in all looks', () =>
  checksAreAccessible(stage, ['light', 'dark', 'phone'], ['notice', 'excess', 'estimates']));

describe('the weight of the dashboard', () => isLight(stage));
