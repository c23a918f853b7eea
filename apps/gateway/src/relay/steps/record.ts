import { type Decision, type Detection, type Refusal, refusal } from '@gateway/contract';
import type { DecisionsPort } from '../../auth/ports.ts';
import type { Accepted, Resolved } from './types.ts';

/** Private to this module, so only `record` can make a `Recorded`. */
const DURABLE = Symbol('the decision is durable');

/** A call whose approval is committed. `forward` takes nothing else, so an unrecorded call cannot be relayed. */
export class Recorded {
  readonly accepted: Accepted;
  readonly resolved: Resolved;
  /** Of the decision; the usage record refers to it. */
  readonly decisionId: string;

  constructor(proof: typeof DURABLE, accepted: Accepted, resolved: Resolved, decisionId: string) {
    if (proof !== DURABLE) throw new TypeError('only a durable decision makes a recorded call');
    this.accepted = accepted;
    this.resolved = resolved;
    this.decisionId = decisionId;
  }
}

/**
 * Commits the approval before a byte goes upstream; what cannot be recorded is refused (log-2, refusals-14).
 * @param deadline on the clock of `performance.now()`.
 * @param detections what was found in the request.
 */
export function record(
  accepted: Accepted,
  resolved: Resolved,
  decision: Decision,
  decisions: Pick<DecisionsPort, 'append'>,
  deadline: number,
  detections: readonly Detection[],
): Promise<Recorded | Refusal> {
  return decisions.append(decision, deadline, detections).then(
    () => new Recorded(DURABLE, accepted, resolved, decision.id),
    () => refusal('unrecorded'),
  );
}
