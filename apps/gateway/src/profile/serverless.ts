import { refusal } from '@gateway/contract';
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
  commandLicense: () => null,
  // Workstations prove themselves by the deployment's licence, and this profile has none that could be presented.
  workstationLicense: () => () => refusal('license-not-presented'),
};
