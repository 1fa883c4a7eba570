import { dashboardStage } from './dashboard-stage.js';
import { showsChecks } from './policy.browser.js';

const stage = dashboardStage();

describe('policies and checks in the dashboard', () => showsChecks(stage));
