import { ACTIONS, type ChainName, DECISIONS } from '@gateway/database';
import { WrongUsage } from '../context/fault.ts';

/** `--log NAME` chooses a log; `--chain` is its older name. */
export interface LogOption {
  readonly log?: string;
  readonly chain?: string;
}

export const LOGS: readonly ChainName[] = [DECISIONS, ACTIONS];

const NAMED: Readonly<Record<string, ChainName>> = { decisions: DECISIONS, administration: ACTIONS, actions: ACTIONS };

/** The chosen log; null where none was. */
export function chosenLog({ log, chain }: LogOption): ChainName | null {
  if (log !== undefined && chain !== undefined) throw new WrongUsage('--chain is the older name of --log. Keep --log.');
  const name = log ?? chain;
  if (name === undefined) return null;
  const known = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (known === undefined)
    throw new WrongUsage(`${log === undefined ? '--chain' : '--log'} is decisions or administration.`);
  return known;
}

/** The chosen logs: both where none was. */
export function chosenLogs(option: LogOption): readonly ChainName[] {
  const log = chosenLog(option);
  return log === null ? LOGS : [log];
}
