import type { Variable } from '@gateway/configuration';
import { readOwnPlan } from '@gateway/domain/plan/console';
import { usageSumsJob } from '../server/http/background-jobs.ts';
import {
  budgetAlertJob,
  budgetAlerts,
  memberPlanRoutes,
  planRoutes,
  spendingCaps,
  usageRoutes,
} from '../server/routes/billing.ts';
import { meRoutes } from '../server/routes/me.ts';
import { engineErrors } from '../server/routes/providers.ts';
import { keyRoutes, userRoutes } from '../server/routes/users.ts';
import { createHostedSignIn } from '../server/sign-in/hosted.ts';
import { commonRoutes } from './common-routes.ts';
import type { Profile } from './profile.ts';

const user: Variable = {
  name: 'ADMIN_USER',
  form: 'the username of the shared pair, without ":"',
  fallback: null,
  effect: 'Username of the shared pair, which allows everything. Do not use it daily once roles are assigned.',
};
const password: Variable = {
  name: 'ADMIN_PASS',
  form: 'the password of the shared pair',
  fallback: null,
  effect: 'Password of the shared pair.',
};

/** The hosted build: plans, caps and metering; the shared pair or an account key lets in. */
export const profile: Profile<{ readonly user: string; readonly password: string }> = {
  name: 'serverless',
  variables: [user, password],
  readConfiguration(reading) {
    const pair = { user: reading.required(user) ?? '', password: reading.required(password) ?? '' };
    // HTTP Basic ends the username at the first colon (RFC 7617), so this one could never be sent.
    if (pair.user.includes(':')) reading.fault(user, 'must not contain ":", which HTTP Basic cannot carry.');
    return pair;
  },
  routes: [
    ...userRoutes,
    ...keyRoutes,
    ...planRoutes,
    ...usageRoutes,
    engineErrors,
    spendingCaps,
    budgetAlerts,
    ...memberPlanRoutes,
    ...commonRoutes,
    ...meRoutes(readOwnPlan),
  ],
  provisionsLocalAccounts: true,
  backgroundJobs: [usageSumsJob, budgetAlertJob],
  createSignIn: (pair, { database, publicOrigin }) =>
    createHostedSignIn({ ...pair, database, secure: publicOrigin?.startsWith('https:') ?? false }),
};
