/* oxlint-disable typescript/unbound-method -- steps are called with their call as `this`, and typed so. */

import { type Approval, type Decision, type Detection, type Refusal, refusal, statusOf } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { RelayFacts } from '@gateway/database/gateway';
import type { Finding } from '@gateway/secrets';
import type { Identified } from '../auth/identify.ts';
import { identify } from '../auth/identify.ts';
import type { BodyShare } from '../http/body-budget.ts';
import type { RelayHandler } from '../http/routes.ts';
import { lineOf } from '../inspection/detections.ts';
import { type Inspector } from '../inspection/inspectors.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { detectionsOf, groupOf } from '../store/log/detections.ts';
import type { CallTrace } from '../telemetry/tracer.ts';
import { activeCall } from './active-calls.ts';
import { Caller } from './call/caller.ts';
import { DurationCap } from './call/duration-cap.ts';
import { decisionOf, keyInAddress, type Progress } from './decision.ts';
import { CallExchange } from './exchange.ts';
import { type Leaving, outboundOf } from './outbound.ts';
import type { RelayPorts } from './ports.ts';
import { BodyIntake, type RequestBody } from './request/intake.ts';
import { accept } from './steps/accept.ts';
import { authorize, checkProvider } from './steps/authorize.ts';
import { forward } from './steps/forward.ts';
import { inspect } from './steps/inspect.ts';
import { type Prepared, prepare } from './steps/prepare.ts';
import { type Recorded, record } from './steps/record.ts';
import { resolve, withAvailable, withStandby } from './steps/resolve.ts';
import type { Accepted, Authorized, Inspected, Resolved } from './steps/types.ts';

/** Why the endpoint's standby serves a call. */
interface Unreached {
  /** The slug of the first provider. */
  readonly provider: string;
  /** The fault of its connection; null where it was skipped. */
  readonly sentence: string | null;
}

/** Relays calls: accept → identify → resolve → license → authorize → plan → inspect → prepare → record → forward → account. */
export function createRelay(ports: RelayPorts): RelayHandler {
  const cap = new DurationCap(ports.requestTimeout);
  return (request, response, head, target) => {
    const caller = new Caller(request, response, cap);
    new Call(accept(caller, head, target, ports.trustedProxies), ports).handle();
  };
}

/** Milliseconds after which a caller is authorized again before its call is recorded. */
const LONG_LOOK = 500;

/** The step that continues a call with the result of the one before: a method of `Call`, so that no call allocates its steps. */
type Step<Value> = (this: Call, value: Value) => void;

/**
 * One call in the pipeline. A step's result is used directly, or when its promise settles: most calls wait only for the database,
 * and one promise per step took a tenth of their processor time.
 */
class Call implements Progress {
  readonly accepted: Accepted;
  identified: Identified | null = null;
  facts: RelayFacts | null = null;
  readonly #ports: RelayPorts;
  readonly #body: BodyIntake;
  readonly #share: BodyShare;
  readonly #trace: CallTrace | null;
  /** Null until every check that needs no body has passed; renewed where the checks are repeated. */
  #authorized: Authorized | null = null;
  /** The step after those checks. */
  #next: Step<Authorized> = this.#admit;
  #inspector: Inspector | null = null;
  #lookedFrom = 0;
  /** For a second attempt; null where the endpoint has no standby. */
  #inspected: Inspected | null = null;
  /** Null while the endpoint's first model serves the call. */
  #unreached: Unreached | null = null;
  #prepared: Prepared | null = null;
  /** Run once the answer of a call that was relayed has ended. */
  #ended: (() => void) | null = null;
  /** In the request; they are recorded with its decision. */
  #findings: readonly Finding[] = [];
  /** The call's remaining database budget in milliseconds, for facts and record together, and the time of the last query. */
  #databaseLeft = DATABASE_BUDGET;
  #asked = 0;

  constructor(accepted: Accepted, ports: RelayPorts) {
    this.accepted = accepted;
    this.#ports = ports;
    this.#share = ports.bodies.open();
    this.#trace = ports.tracer?.(accepted.caller.request) ?? null;
    accepted.caller.response.once('close', () => {
      this.#share.release();
      this.#ended?.();
      const { response } = accepted.caller;
      this.#trace?.ended(response.statusCode, response.writableFinished);
    });
    this.#body = new BodyIntake(accepted.caller.request, accepted.head.hasBody, this.#share);
  }

  get granted(): Approval {
    return this.#unreached === null ? 'role' : 'standby';
  }

  handle(): void {
    this.#guarded(() => {
      if (!this.accepted.head.expectsContinue) this.#body.start();
      this.#permit(this.#admit);
    });
  }

  /** Every check that needs no body, in the order of the contract (refusals-3). */
  #permit(next: Step<Authorized>): void {
    this.#next = next;
    this.#go(identify(this.accepted.head, this.#ports.directory), this.#read);
  }

  #read(identified: Identified): void {
    this.identified = identified;
    const { segment, head } = this.accepted;
    const query = { identity: identified.identity, endpoint: segment, session: head.session };
    this.#ports.facts.ask(query, this.#deadline(), (error, facts) => {
      this.#answered();
      this.#guarded(() => this.#go(error === null && facts !== null ? facts : refusal('undecided'), this.#resolve));
    });
  }

  #resolve(facts: RelayFacts): void {
    const identified = this.identified as Identified;
    this.facts = facts;
    const { identity } = identified;
    if (identity.kind === 'directory' && facts.account === null) this.#ports.directory?.met(identity.subject);
    this.#go(resolve(identified, facts, this.accepted.segment), this.#license);
  }

  #license(found: Resolved): void {
    const resolved = this.#unreached === null ? found : withStandby(found);
    if (resolved === null) return this.#refuseUnreached();
    const licensed = this.#ports.license?.(resolved, this.#deadline()) ?? null;
    this.#spend(licensed, () => this.#authorize(resolved));
  }

  #authorize(resolved: Resolved): void {
    const { authorizer, clock } = this.#ports;
    const next = this.facts?.organizationPolicy == null ? this.#plan : this.#checkProvider;
    this.#spend(authorize(resolved, this.accepted, clock(), authorizer, this.#deadline()), next);
  }

  #checkProvider(authorized: Authorized): void {
    this.#spend(this.#inspectorOf(), (inspector) => this.#go(checkProvider(authorized, inspector), this.#plan));
  }

  #plan(authorized: Authorized): void {
    this.#authorized = authorized;
    this.#spend(this.#ports.plan?.(authorized, this.#deadline()) ?? null, this.#permitted);
  }

  #permitted(): void {
    if (!this.accepted.caller.gone) this.#next(this.#authorized as Authorized);
  }

  /** The whole body, or one that is too long to buffer. */
  #admit(): void {
    const { caller, head } = this.accepted;
    if (head.expectsContinue) {
      caller.response.writeContinue();
      this.#body.start();
    }
    const admitted = this.#body.admit((this.#authorized as Authorized).resolved.subject);
    if (!(admitted instanceof Promise)) return this.#go(admitted, this.#inspect);
    // A body may take half an hour to arrive: the earlier facts would admit a subject revoked since.
    this.#go(admitted, (body) => {
      if (!caller.gone) this.#permit(() => this.#inspect(body));
    });
  }

  /** Secrets in the request (refusals-3). */
  #inspect(body: RequestBody): void {
    this.#lookedFrom = performance.now();
    this.#spend(this.#inspectorOf(), (inspector) => {
      this.#inspector = inspector;
      const inspecting = inspect(body, this.accepted.caller.request.headers, {
        inspector,
        found: (findings) => {
          this.#findings = findings;
        },
        take: (bytes) => this.#share.take(bytes),
      });
      this.#go(inspecting, this.#prepare);
    });
  }

  #inspectorOf(): Inspector | Refusal | Promise<Inspector | Refusal> {
    const found = this.#ports.inspectors(this.facts?.organizationPolicy ?? null, this.#deadline());
    return found instanceof Promise ? found.catch(() => refusal('undecided')) : found;
  }

  #prepare(inspected: Inspected): void {
    if (this.accepted.caller.gone) return;
    const { modelSlug, provider, standby } = (this.#authorized as Authorized).resolved.endpoint;
    if (standby !== null) {
      this.#inspected = inspected;
      if (this.#ports.unreached.isSkipped(provider.slug))
        return this.#useStandby({ provider: provider.slug, sentence: null });
    }
    this.#go(prepare(inspected, modelSlug), this.#finish);
  }

  /**
   * No byte of the request was sent: the call takes its steps again with the standby, which is decided and recorded on its own. Its
   * body was inspected, and is prepared for the standby's model.
   */
  #useStandby(unreached: Unreached): void {
    this.#unreached = unreached;
    this.#databaseLeft = DATABASE_BUDGET;
    this.#permit(() => {
      this.#lookedFrom = performance.now();
      this.#prepare(this.#inspected as Inspected);
    });
  }

  /** The standby was removed meanwhile. */
  #refuseUnreached(): void {
    const { provider, sentence } = this.#unreached as Unreached;
    const message = sentence ?? `The provider ${provider} could not be reached.`;
    this.accepted.caller.refuse(refusal('provider-unreachable', { details: { message } }));
  }

  #finish(prepared: Prepared): void {
    if (this.accepted.caller.gone) return;
    this.#prepared = prepared;
    // To scan a long body takes seconds, too.
    if (performance.now() - this.#lookedFrom < LONG_LOOK) this.#seat(this.#authorized as Authorized);
    else this.#permit(this.#seat);
  }

  #seat({ resolved }: Authorized): void {
    this.#spend(this.#ports.seat?.(resolved, this.#deadline()) ?? null, this.#record);
  }

  #record(): void {
    const { resolved } = this.#authorized as Authorized;
    const { decisions, clock } = this.#ports;
    const detail = joined(joined(this.#prepared?.detail ?? null, keyInAddress(this.accepted)), this.#whyStandby());
    const decision = decisionOf(this, null, clock(), detail);
    const found = this.#detectionsOf(decision);
    record(this.accepted, resolved, decision, decisions, this.#deadline(), found, (outcome) => {
      this.#guarded(() => this.#go(outcome, this.#relay));
    });
  }

  #whyStandby(): string | null {
    if (this.#unreached === null) return null;
    const { provider, sentence } = this.#unreached;
    const why = sentence === null ? 'is skipped after failed connections' : 'could not be reached';
    return `standby: provider ${provider} ${why}`;
  }

  /** Continues with a step's result, or refuses. */
  #go<Value extends object | null>(outcome: Value | Refusal | Promise<Value | Refusal>, next: Step<Value>): void {
    if (outcome instanceof Promise)
      outcome.then((known) => this.#go(known, next)).catch((error: unknown) => this.#fail(error));
    else if (outcome !== null && 'code' in outcome) this.#refuse(outcome);
    else next.call(this, outcome);
  }

  /** The same for a step that may query the database: its time is subtracted from the call's budget. */
  #spend<Value extends object | null>(outcome: Value | Refusal | Promise<Value | Refusal>, next: Step<Value>): void {
    this.#go(outcome instanceof Promise ? outcome.finally(() => this.#answered()) : outcome, next);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#ports.report(`A call failed inside the gateway: ${errorMessage(error)}`, 'error');
    this.accepted.caller.refuse(refusal('undecided'));
  }

  /** The deadline of a database query: the end of the call's remaining budget. */
  #deadline(): number {
    this.#asked = performance.now();
    return this.#asked + this.#databaseLeft;
  }

  #answered(): void {
    this.#databaseLeft -= performance.now() - this.#asked;
  }

  /** Turns every refusal into an answer and an entry; only the unknown endpoint has no entry. */
  #refuse(refused: Refusal): void {
    const { caller } = this.accepted;
    if (refused.code !== 'endpoint-unknown') caller.refuse(this.#recordRefusal(refused));
    else
      withAvailable(refused, this.#ports.facts, performance.now() + this.#databaseLeft)
        .then((reported) => caller.refuse(reported))
        .catch((error: unknown) => this.#fail(error));
  }

  /** Records the refusal. @returns the answer: a refusal that cannot be recorded is answered as such. */
  #recordRefusal(refused: Refusal): Refusal {
    const { decisions, clock } = this.#ports;
    const decision = decisionOf(this, refused, clock());
    const kept = decisions.appendLater(decision, this.#detectionsOf(decision));
    return kept || statusOf(refused) === 503 ? refused : refusal('unrecorded');
  }

  /** Findings in the request, recorded with the decision. */
  #detectionsOf({ id }: Decision): readonly Detection[] {
    if (this.#inspector === null || this.#findings.length === 0) return [];
    const circumstances = { decisionId: id, place: 'request', at: this.#ports.clock() } as const;
    return detectionsOf(this.#findings, this.#inspector.responsePolicy, circumstances);
  }

  /** Findings after the decision: in an answer, or in a request too long to buffer. */
  #foundLater(recorded: Recorded, place: 'request' | 'answer', findings: readonly Finding[]): void {
    const { detections, report, clock } = this.#ports;
    if (this.#inspector === null) return;
    const { responsePolicy } = this.#inspector;
    detections.writeLater(groupOf(findings, responsePolicy, { decisionId: recorded.decisionId, place, at: clock() }));
    report(`In the ${place} of call ${recorded.decisionId}: ${lineOf(findings, responsePolicy)}`);
  }

  #relay(recorded: Recorded): void {
    const { caller } = this.accepted;
    // The log still has the approval.
    if (caller.gone) return;
    const prepared = this.#prepared as Prepared;
    const leaving: Leaving = {
      inspector: this.#inspector,
      trace: this.#trace,
      foundInRequest: (findings) => this.#foundLater(recorded, 'request', findings),
      unsent: this.#unsentOf(recorded),
      earlier: this.#earlier(),
    };
    const outbound = outboundOf(recorded, prepared, this.#ports, leaving);
    if ('code' in outbound) return caller.refuse(outbound);
    const recordRefusal = (refused: Refusal): Refusal => this.#recordRefusal(refused);
    if (leaving.earlier === null) this.#ports.times?.left(performance.now() - recorded.accepted.begun);
    this.#ended = this.#ports.activeCalls.add(activeCall(recorded, recordRefusal));
    const exchange = new CallExchange(recorded, this.#ports, {
      sent: prepared.prompt,
      inspector: this.#inspector,
      found: (findings) => this.#foundLater(recorded, 'answer', findings),
      recordRefusal,
      keyMask: outbound.keyMask,
      trace: this.#trace,
    });
    forward(recorded, outbound, exchange);
  }

  /** What follows where no byte can be sent; null where the endpoint has no standby, or it serves already. */
  #unsentOf({ resolved: { endpoint } }: Recorded): Leaving['unsent'] {
    if (endpoint.standby === null || this.#inspected === null) return null;
    const { slug } = endpoint.provider;
    return (sentence) => {
      this.#ended?.();
      this.#ended = null;
      this.#ports.unreached.failed(slug);
      this.#guarded(() => this.#useStandby({ provider: slug, sentence }));
    };
  }

  #earlier(): string | null {
    const unreached = this.#unreached;
    return unreached === null || unreached.sentence === null
      ? null
      : `Provider ${unreached.provider}: ${unreached.sentence}`;
  }
}

/** Two lines of an entry's detail as one. */
function joined(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `${one}; ${other}`;
}
