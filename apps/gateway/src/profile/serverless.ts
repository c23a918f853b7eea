import { refusal } from '@gateway/contract';
import { plan } from '../relay/steps/plan.ts';
import type { Profile } from './profile.ts';

const MEBIBYTE = 1024 * 1024;

/** The hosted build reads no variable of its own: only how much of plain answers may wait for their usage record, in bytes. */
export interface HostedConfiguration {
  readonly heldPerAnswer: number;
  readonly heldTogether: number;
}

/** The hosted build: plans, monthly caps, and no plain answer before its usage record is written. */
export const profile: Profile<HostedConfiguration> = {
  name: 'serverless',
  administratorKeyRequired: true,
  variables: [],
  readsBilling: true,
  readConfiguration: async () => ({ heldPerAnswer: 16 * MEBIBYTE, heldTogether: 256 * MEBIBYTE }),
  open: ({ heldPerAnswer, heldTogether }) => ({
    relay: { license: null, plan, seat: null, hold: { perAnswer: heldPerAnswer, total: heldTogether, used: 0 } },
    commands: { license: null, seat: null },
    // Workstations prove themselves by the deployment's license, and this profile has none that could be presented.
    workstation: () => refusal('license-not-presented'),
    close: () => {},
  }),
};
