import { plan } from '../relay/steps/plan.ts';
import type { Profile } from './profile.ts';

const MEBIBYTE = 1024 * 1024;

/** The hosted build: plans, monthly caps, and no plain answer before its usage record is written. */
export const profile: Profile<null> = {
  name: 'serverless',
  administratorKeyRequired: true,
  variables: [],
  readsBilling: true,
  readConfiguration: () => null,
  relayChecks: () => ({
    license: null,
    plan,
    hold: { perAnswer: 16 * MEBIBYTE, total: 256 * MEBIBYTE, used: 0 },
  }),
};
