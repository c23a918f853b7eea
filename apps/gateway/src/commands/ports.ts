import type { BlockList } from 'node:net';
import type { Authorizer } from '../auth/authorizer.ts';
import type { Check, DecisionsPort, FactsPort, IdentityProviderPort } from '../auth/ports.ts';
import type { BodyBudget } from '../http/body.ts';
import type { Inspectors } from '../inspection/inspectors.ts';
import type { Clock, Report } from '../process/report.ts';
import type { Execution } from './execution.ts';

/** Dependencies of the agent execution routes. A null is a check that this build or deployment does not have. */
export interface ExecutionPorts {
  readonly facts: Pick<FactsPort, 'read'>;
  readonly decisions: DecisionsPort;
  readonly directory: IdentityProviderPort | null;
  /** Whether the license covers a subject's commands. */
  readonly license: Check<string> | null;
  /** Takes the license seat of a subject whose command has passed every other check. */
  readonly seat: Check<string> | null;
  readonly authorizer: Authorizer;
  /** What looks for secrets, by the organization's policy in force. */
  readonly inspectors: Inspectors;
  /** Null where no launcher is configured (the default). */
  readonly execution: Execution | null;
  /** Holds the commands while they are read. */
  readonly bodies: BodyBudget;
  readonly trustedProxies: BlockList | null;
  readonly clock: Clock;
  readonly report: Report;
}
