import { ACTIONS, type ChainName, DECISIONS } from '@gateway/database';
import type { ChainedEntry, VerificationResult } from '@gateway/ledger';
import { WrongUsage } from '../context/context.ts';

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

/** An entry which records that the log lacked earlier ones when it was written. */
interface Loss {
  readonly sequence: number;
  readonly detail: string;
}

/** A log, what its verification says, and what its own entries say was lost. */
export type Verified = readonly [ChainName, VerificationResult, readonly Loss[]];

/** Collects these entries while a log is verified. A verification that starts over sees them twice. */
export class Losses {
  readonly #found = new Map<bigint, Loss>();

  readonly see = ({ sequence, entry }: ChainedEntry): void => {
    const { reason, detail } = entry;
    if (reason === 'entries-missing' && typeof detail === 'string')
      this.#found.set(sequence, { sequence: Number(sequence), detail });
  };

  found(): readonly Loss[] {
    return [...this.#found.values()];
  }
}
