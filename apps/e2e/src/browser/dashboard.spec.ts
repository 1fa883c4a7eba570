import { isAccessible } from './access.browser.js';
import { showsTheAuditLog } from './audit.browser.js';
import { dashboardStage } from './dashboard-stage.js';
import { saysParked } from './parked.browser.js';
import { judgesAgain } from './batches.browser.js';
import { addsDestinations } from './destinations.browser.js';
import { runsExperiments } from './experiments.browser.js';
import { changesPrompts } from './prompts.browser.js';
import { checksAreAccessible, showsChecks } from './policy.browser.js';
import { isSafe } from './safety.browser.js';
import { isOfUse } from './use.browser.js';

const stage = dashboardStage();

describe('the dashboard in a browser', () => isOfUse(stage));
describe('the dashboard before what strangers and models write', () => isSafe(stage));
describe('policies and checks in the dashboard', () => showsChecks(stage));
describe('policies and checks for everybody', () => checksAreAccessible(stage, ['light']));
describe('runs that wait for a person in the dashboard', () => saysParked(stage));
describe('cases judged again in the dashboard', () => judgesAgain(stage));

describe('prompts in the dashboard', () => changesPrompts(stage));

describe('experiments in the dashboard', () => runsExperiments(stage));

describe('the audit log in the dashboard', () => showsTheAuditLog(stage));

describe('destinations in the dashboard', () => addsDestinations(stage));

describe('the dashboard for everybody', () => isAccessible(stage, ['light']));
