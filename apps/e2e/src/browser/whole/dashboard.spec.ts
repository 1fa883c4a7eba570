import { isAccessible } from '../access.browser.js';
import { dashboardStage } from '../dashboard-stage.js';
import { checksAreAccessible } from '../policy.browser.js';
import { missesNothing } from '../slow-reads.browser.js';
import { isLight } from '../weight.browser.js';

const stage = dashboardStage();

describe('the dashboard while its reads are slow', () => missesNothing(stage));

describe('the dashboard in the dark and on a phone', () => isAccessible(stage, ['dark', 'phone']));

describe('policies and checks in the dark and on a phone', () =>
  checksAreAccessible(stage, ['dark', 'phone']));

describe('the weight of the dashboard', () => isLight(stage));
