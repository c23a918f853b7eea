import { type Approval, type Decision, type Detection, type Refusal, refusal, statusOf } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { RelayFacts } from '@gateway/domain/call/facts';
import type { Finding } from '@gateway/secrets';
import { type Identified, proofOf } from '../auth/identify.ts';
import type { BodyShare } from '../http/body.ts';
import { type Inspector, lineOf } from '../inspection/inspectors.ts';
import { DATABASE_BUDGET } from '../store/database.ts';
import { detectionsOf, groupOf } from '../store/detections.ts';
import { decisionFor, LONGEST_TEXT, recordable } from '../store/records.ts';
import type { CallTrace } from '../telemetry/tracer.ts';
import type { RelayPorts } from './ports.ts';
import { BodyIntake } from './request/intake.ts';
import { CALL } from './steps/authorize.ts';
import type { Recorded } from './steps/record.ts';
import { withAvailable } from './steps/resolve.ts';
import type { Accepted } from './steps/types.ts';

/** Why the endpoint's standby serves a call. */
export interface Unreached {
  /** The slug of the first provider. */
  readonly provider: string;
  /** The fault of its connection; null where it was skipped. */
  readonly sentence: string | null;
}

/** How far one call has come, and what leaves it for the log: the pipeline sets the members, in its order. */
export class Call implements Progress {
  readonly accepted: Accepted;
  readonly body: BodyIntake;
  readonly share: BodyShare;
  /** Null where the caller requested none. */
  readonly trace: CallTrace | null;
  identified: Identified | null = null;
  facts: RelayFacts | null = null;
  /** What looks for secrets; null until a body is looked into. */
  inspector: Inspector | null = null;
  /** In the request; they are recorded with its decision. */
  findings: readonly Finding[] = [];
  /** Null while the endpoint's first model serves the call. */
  unreached: Unreached | null = null;
  /** Run once the answer of a call that was relayed has ended. */
  ended: (() => void) | null = null;
  readonly #ports: RelayPorts;
  /** The remaining database budget in milliseconds, for facts and record together, and when the query that runs was made. */
  #databaseLeft = DATABASE_BUDGET;
  #asked: number | null = null;

  constructor(accepted: Accepted, ports: RelayPorts) {
    const { request, response } = accepted.caller;
    this.accepted = accepted;
    this.#ports = ports;
    this.share = ports.bodies.open();
    this.trace = ports.tracer?.(request) ?? null;
    this.body = new BodyIntake(request, accepted.head.hasBody, this.share);
    response.once('close', () => {
      this.share.release();
      this.ended?.();
      this.trace?.ended(response.statusCode, response.writableFinished);
    });
  }

  get granted(): Approval {
    return this.unreached === null ? 'role' : 'standby';
  }

  /** The first engine was not reached: a second attempt begins. */
  beginAgain(unreached: Unreached): void {
    this.ended?.();
    this.ended = null;
    this.unreached = unreached;
    this.#databaseLeft = DATABASE_BUDGET;
  }

  /** The deadline of a database query that is made now: the end of the call's remaining budget. */
  deadline(): number {
    this.#asked = performance.now();
    return this.#asked + this.#databaseLeft;
  }

  /** The query whose deadline was asked for has ended: its time is subtracted from the call's budget. */
  queried(): void {
    if (this.#asked === null) return;
    this.#databaseLeft -= performance.now() - this.#asked;
    this.#asked = null;
  }

  /** Turns a refusal into an answer and an entry. */
  refuse(refused: Refusal): void {
    const { caller } = this.accepted;
    // The approval has its entry, and the endpoint's name may be a secret.
    if (refused.code === 'provider-unreachable' || refused.code === 'provider-key-missing') caller.refuse(refused);
    else if (refused.code !== 'endpoint-unknown') caller.refuse(this.recordRefusal(refused));
    else
      withAvailable(refused, this.#ports.facts, performance.now() + this.#databaseLeft)
        .then((reported) => caller.refuse(reported))
        .catch((error: unknown) => this.fail(error));
  }

  /** A fault of ours: nothing was decided. */
  fail(error: unknown): void {
    this.#ports.report(`A call failed inside the gateway: ${errorMessage(error)}`, 'error');
    this.accepted.caller.refuse(refusal('undecided'));
  }

  /** Records the refusal. @returns the answer: a refusal that cannot be recorded is answered as such. */
  recordRefusal(refused: Refusal): Refusal {
    const { decisions, clock } = this.#ports;
    const decision = decisionOf(this, refused, clock());
    const kept = decisions.appendLater(decision, this.detectionsOf(decision));
    return kept || statusOf(refused) === 503 ? refused : refusal('unrecorded');
  }

  /** Findings in the request, recorded with the decision. */
  detectionsOf({ id }: Decision): readonly Detection[] {
    if (this.inspector === null || this.findings.length === 0) return [];
    const circumstances = { decisionId: id, place: 'request', at: this.#ports.clock() } as const;
    return detectionsOf(this.findings, this.inspector.responsePolicy, circumstances);
  }

  /** Findings after the decision: in an answer, or in a request too long to buffer. */
  foundLater({ decisionId }: Recorded, place: 'request' | 'answer', findings: readonly Finding[]): void {
    const { detections, report, clock } = this.#ports;
    if (this.inspector === null) return;
    const { responsePolicy } = this.inspector;
    detections.writeLater(groupOf(findings, responsePolicy, { decisionId, place, at: clock() }));
    report(`In the ${place} of call ${decisionId}: ${lineOf(findings, responsePolicy)}`);
  }
}

/** How far a call had progressed at its decision. */
interface Progress {
  readonly accepted: Accepted;
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
  /** The reason of an approval. */
  readonly granted: Approval;
}

/** The entry of a decision on a call. @param detail of the entry, beyond its reason. */
export function decisionOf(progress: Progress, refused: Refusal | null, now: number, detail?: string | null): Decision {
  const { accepted, identified, facts, granted } = progress;
  const { head, segment, sourceAddress } = accepted;
  // A declared name was looked into when it was declared.
  const resource = `endpoint:${facts?.endpoint?.name ?? recordable(segment, LONGEST_TEXT)}`;
  const judged = { head, sourceAddress, identified, facts, permission: CALL, resource, session: head.session, granted };
  return decisionFor(judged, refused, now, detail);
}

const KEY = /gwk_[0-9a-f]{48}/;
const SHORTEST_PROOF = 16;

/**
 * The detail of a call whose address contains an account key or the caller's token, perhaps percent-encoded. The engine gets the
 * address as written (relay-3). Null for any other call.
 */
export function keyInAddress({ head, rest }: Accepted): string | null {
  if (rest.indexOf('?') < 0) return null;
  const decoded = rest.includes('%') ? rest.replaceAll(/%([0-7][0-9a-f])/gi, decodeAscii) : rest;
  const proof = proofOf(head)?.text ?? '';
  const isShown = KEY.test(decoded) || (proof.length >= SHORTEST_PROOF && decoded.includes(proof));
  return isShown ? 'address: a key or token of the caller is in the query, and left for the engine as written' : null;
}

const decodeAscii = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));
