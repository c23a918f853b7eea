import type { BlockList } from 'node:net';
import type { Refusal } from '@gateway/contract';
import type { Authorizer } from '../policy/authorizer.ts';
import type { Clock, DecisionsPort, DirectoryPort, FactsPort, Report } from '../relay/ports.ts';
import type { Inspectors } from '../secrets/inspectors.ts';
import type { Execution } from './execution.ts';

/** A check of a subject by the licence. @param deadline on the clock of `performance.now()` */
export type SubjectCheck = (subject: string, deadline: number) => Refusal | null | Promise<Refusal | null>;

/** What the agent execution routes stand on. Nulls are checks that this build or this deployment does not have. */
export interface ExecutionPorts {
  readonly facts: Pick<FactsPort, 'read'>;
  readonly decisions: DecisionsPort;
  readonly directory: DirectoryPort | null;
  /** Whether the licence covers a subject's commands. */
  readonly license: SubjectCheck | null;
  /** Takes the licence seat of a subject whose command nothing stands against any more. */
  readonly seat: SubjectCheck | null;
  readonly authorizer: Authorizer;
  /** What looks for secrets, by the organization's policy in force. */
  readonly inspectors: Inspectors;
  /** Null where no launcher is configured (the default). */
  readonly execution: Execution | null;
  readonly trustedProxies: BlockList | null;
  readonly clock: Clock;
  readonly report: Report;
}
