import { refusal } from '@gateway/contract';
import type { Profile } from './profile.ts';

/** The restricted build, the default: isolated, licensed by deployment. */
export const profile: Profile<null> = {
  name: 'on-premise',
  administratorKeyRequired: false,
  variables: [],
  readsBilling: false,
  readConfiguration: () => null,
  relayChecks: () => ({ license: null, plan: null, hold: null }),
  commandLicense: () => null,
  workstationLicense: () => () => refusal('license-not-presented'),
};
