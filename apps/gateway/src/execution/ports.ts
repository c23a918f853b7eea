import type { BlockList } from 'node:net';
import type { PolicyQuestion } from '@gateway/access';
import type { Refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import type { Clock, DecisionsPort, DirectoryPort, FactsPort, Report } from '../relay/ports.ts';
import type { Execution } from './execution.ts';

/** Narrows the matrix by the policy revision that the facts name. A refusal: `policy-forbids`, `policy-error`, `undecided`. */
export type PolicyPort = (question: PolicyQuestion, facts: RelayFacts) => Refusal | null | Promise<Refusal | null>;

/** What the agent execution routes stand on. Nulls are checks that this build or this deployment does not have. */
export interface ExecutionPorts {
  readonly facts: Pick<FactsPort, 'read'>;
  readonly decisions: DecisionsPort;
  readonly directory: DirectoryPort | null;
  /** Whether the licence covers a subject's commands. */
  readonly license: ((subject: string) => Refusal | null | Promise<Refusal | null>) | null;
  readonly policy: PolicyPort | null;
  /** Null where no launcher is configured (the default). */
  readonly execution: Execution | null;
  readonly trustedProxies: BlockList | null;
  readonly clock: Clock;
  readonly report: Report;
}
