import { dashboardStage } from './dashboard-stage.js';
import { addsDestinations } from './destinations.browser.js';
import { checksAreAccessible, showsChecks } from './policy.browser.js';

const stage = dashboardStage();

describe('policies and checks in the dashboard', () => showsChecks(stage));
describe('policies and checks for everybody', () => checksAreAccessible(stage, ['light'], ['notice']));
describe('destinations in the dashboard', () => addsDestinations(stage));
