import type { Sql } from '@gateway/database';
import type { DecisionLog } from '@gateway/database/gateway';
import type { Signer } from '@gateway/ledger';
import type { Assets } from '../http/assets.ts';
import type { GuessLog } from './guess-log.ts';
import type { PolicyRevisions } from './revisions.ts';

/** Dependencies of the routes. Only `start.ts` knows how each is made. */
export interface Services {
  readonly database: Sql;
  /** Connections of their own for files that are sent for as long as their reader takes. */
  readonly exports: Sql;
  readonly decisions: DecisionLog;
  /** Takes the refusals of proofs that name nobody. */
  readonly guesses: GuessLog;
  /** Signs acts of administration and checkpoints. */
  readonly signer: Signer;
  /** GATEWAY_LOG_ORIGIN; null: the identifier of the installation. */
  readonly logOrigin: string | null;
  readonly assets: Assets;
  readonly policies: PolicyRevisions;
  /** Where callers reach the gateway, as the operator says; null where nobody did. */
  readonly gatewayUrl: string | null;
  /** The person or address that grants roles; null where the operator names none. */
  readonly contact: string | null;
}
