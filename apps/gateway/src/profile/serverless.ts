import { refusal } from '@gateway/contract';
import { ADMINISTRATOR_VARIABLES, readAdministratorKey } from '../configuration/administrator.ts';
import { plan } from '../relay/steps/plan.ts';
import { ensureAdministrator } from '../startup/administrator.ts';
import type { Profile } from './profile.ts';

const MEBIBYTE = 1024 * 1024;

/** The key of the first account, and how much of plain answers may wait for their usage record, in bytes. */
export interface HostedConfiguration {
  readonly administratorKey: string;
  readonly heldPerAnswer: number;
  readonly heldTogether: number;
}

/** The hosted build: plans, monthly caps, and no plain answer before its usage record is written. */
export const profile: Profile<HostedConfiguration> = {
  name: 'serverless',
  variables: ADMINISTRATOR_VARIABLES,
  readsBilling: true,
  async readConfiguration(reading) {
    const administratorKey = readAdministratorKey(reading);
    if (administratorKey === null) return null;
    return { administratorKey, heldPerAnswer: 16 * MEBIBYTE, heldTogether: 256 * MEBIBYTE };
  },
  firstStart: ({ administratorKey }, database) => ensureAdministrator(database, administratorKey),
  open: ({ heldPerAnswer, heldTogether }) => ({
    relay: { license: null, plan, seat: null, hold: { perAnswer: heldPerAnswer, total: heldTogether, used: 0 } },
    commands: { license: null, seat: null },
    // Workstations prove themselves by the deployment's license, and this profile has none that could be presented.
    workstation: () => refusal('license-not-presented'),
    close: () => {},
  }),
};
