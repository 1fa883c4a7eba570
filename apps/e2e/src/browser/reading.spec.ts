import { dashboardStage } from './dashboard-stage.js';
import { isSearchable } from './docs.browser.js';
import { showsChecks } from './policy.browser.js';

const stage = dashboardStage();

describe('policies and checks in the dashboard', () => showsChecks(stage));
describe('the documentation in the dashboard', () => isSearchable(stage));
