import { isAccessible } from './access.browser.js';
import { dashboardStage } from './dashboard-stage.js';
import { addsDestinations } from './destinations.browser.js';
import { checksAreAccessible, showsChecks } from './policy.browser.js';
import { isSafe } from './safety.browser.js';
import { isOfUse } from './use.browser.js';

const stage = dashboardStage();

describe('the dashboard in a browser', () => isOfUse(stage));
describe('the dashboard before what strangers and models write', () => isSafe(stage));
describe('policies and checks in the dashboard', () => showsChecks(stage));
describe('policies and checks for everybody', () => checksAreAccessible(stage, ['light'], ['notice']));
describe('destinations in the dashboard', () => addsDestinations(stage));

describe('the dashboard for everybody', () => isAccessible(stage, ['light']));
