import { isAccessible } from './access.browser.js';
import { dashboardStage } from './dashboard-stage.js';
import { isSafe } from './safety.browser.js';
import { isOfUse } from './use.browser.js';

const stage = dashboardStage();

describe('the dashboard in a browser', () => isOfUse(stage));
describe('the dashboard before what strangers and models write', () => isSafe(stage));
describe('the dashboard for everybody', () => isAccessible(stage, ['light'], ['/cases']));
