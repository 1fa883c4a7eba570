import { dashboardStage } from './dashboard-stage.js';
import { addsDestinations } from './destinations.browser.js';
import { silencesAlerts } from './silences.browser.js';
import { showsChecks } from './policy.browser.js';

const stage = dashboardStage();

describe('policies and checks in the dashboard', () => showsChecks(stage));
describe('destinations in the dashboard', () => addsDestinations(stage));
describe('silences in the dashboard', () => silencesAlerts(stage));
