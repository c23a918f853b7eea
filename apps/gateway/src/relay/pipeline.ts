import { type Decision, type Detection, type Refusal, refusal, statusOf } from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import type { Finding } from '@gateway/secrets';
import type { Identified } from '../auth/identify.ts';
import { identify, proofOf } from '../auth/identify.ts';
import type { BodyShare } from '../http/body-budget.ts';
import type { RelayHandler } from '../http/routes.ts';
import { charsetOf } from '../inspection/content-type.ts';
import { lineOf } from '../inspection/detections.ts';
import { type Inspector, mayMask } from '../inspection/inspectors.ts';
import { reasonOf } from '../process/report.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { detectionsOf, groupOf } from '../store/log/detections.ts';
import type { CallTrace, Destination } from '../telemetry/tracer.ts';
import { activeCall } from './active-calls.ts';
import { Caller } from './call/caller.ts';
import { headersToProvider, replaceHeader } from './call/headers.ts';
import { decisionOf, type Progress } from './decision.ts';
import { CallExchange } from './exchange.ts';
import type { RelayPorts } from './ports.ts';
import { BodyIntake, type LeavingBody, type RequestBody } from './request/intake.ts';
import { providerKeyHeader } from './request/provider-key.ts';
import { scanned } from './request/scanned.ts';
import { keyMaskOf } from './response/key-mask.ts';
import { accept } from './steps/accept.ts';
import { authorize } from './steps/authorize.ts';
import { forward, type Outbound } from './steps/forward.ts';
import { inspect } from './steps/inspect.ts';
import { type Prepared, prepare } from './steps/prepare.ts';
import { type Recorded, record } from './steps/record.ts';
import { resolve } from './steps/resolve.ts';
import type { Accepted, Inspected, Resolved } from './steps/types.ts';

/** Relays calls: the pipeline accept → identify → resolve → license → authorize → plan → inspect → prepare → record → forward → account. */
export function createRelay(ports: RelayPorts): RelayHandler {
  return (request, response, head, target) => {
    const caller = new Caller(request, response, ports.requestTimeout);
    const call = new Call(accept(caller, head, target, ports.trustedProxies), ports);
    call.travel().catch((error: unknown) => {
      ports.report(`A call failed inside the gateway: ${reasonOf(error)}`, 'error');
      caller.refuse(refusal('undecided'));
    });
  };
}

/** Milliseconds after which a caller is looked at again before its call is recorded. */
const LONG_LOOK = 500;

/** One call on its way through the pipeline. */
class Call implements Progress {
  readonly accepted: Accepted;
  identified: Identified | null = null;
  facts: RelayFacts | null = null;
  readonly #ports: RelayPorts;
  readonly #body: BodyIntake;
  readonly #share: BodyShare;
  readonly #trace: CallTrace | null;
  #inspector: Inspector | null = null;
  /** Run once the answer of a call that was relayed has ended. */
  #ended: (() => void) | null = null;
  /** In the request; they are recorded with its decision. */
  #findings: readonly Finding[] = [];
  /** Milliseconds the database has left, for facts and record together, and when it was last asked. */
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

  async travel(): Promise<void> {
    const { caller, head } = this.accepted;
    const waitsForContinue = head.expectsContinue;
    if (!waitsForContinue) this.#body.start();
    const known = await this.#permit();
    if ('code' in known) return this.#refuse(known);
    if (caller.gone) return;
    if (waitsForContinue) {
      caller.response.writeContinue();
      this.#body.start();
    }
    const admitted = this.#body.admit();
    const late = admitted instanceof Promise;
    const body = late ? await admitted : admitted;
    if (caller.gone) return;
    if ('code' in body) return this.#refuse(body);
    // A body may take half an hour to come: what was read before it would let in who was revoked meanwhile.
    const resolved = late ? await this.#permit() : known;
    if ('code' in resolved) return this.#refuse(resolved);
    if (caller.gone) return;
    const from = performance.now();
    const inspected = await this.#inspect(body);
    if ('code' in inspected) return this.#refuse(inspected);
    if (caller.gone) return;
    const preparing = prepare(inspected, resolved.endpoint.modelSlug);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (caller.gone) return;
    // To scan a long body takes seconds, too.
    const still = performance.now() - from < LONG_LOOK ? resolved : await this.#permit();
    if ('code' in still) return this.#refuse(still);
    const recorded = await this.#record(resolved, prepared.detail);
    if ('code' in recorded) return this.#refuse(recorded);
    // The approval stands in the log, but there is nobody to relay for any more.
    if (!caller.gone) this.#relay(recorded, prepared, head.contentLength);
  }

  /** Every check that needs no body, in the order of the contract (refusals-3). */
  async #permit(): Promise<Resolved | Refusal> {
    const { accepted } = this;
    const { directory, license, authorizer, plan, clock } = this.#ports;
    const identifying = identify(accepted.head, directory);
    const identified = identifying instanceof Promise ? await identifying : identifying;
    if ('code' in identified) return identified;
    this.identified = identified;
    const facts = await this.#read(identified);
    if ('code' in facts) return facts;
    this.facts = facts;
    const { identity } = identified;
    if (identity.kind === 'directory' && facts.account === null) directory?.met(identity.subject);
    const resolved = resolve(identified, facts, accepted.segment);
    if ('code' in resolved) return resolved;
    const unlicensed = license === null ? null : await this.#spent(license(resolved, this.#deadline()));
    if (unlicensed !== null) return unlicensed;
    const authorizing = this.#spent(authorize(resolved, accepted, clock(), authorizer, this.#deadline()));
    const authorized = authorizing instanceof Promise ? await authorizing : authorizing;
    if ('code' in authorized) return authorized;
    const planning = plan === null ? null : this.#spent(plan(authorized, this.#deadline()));
    return (planning instanceof Promise ? await planning : planning) ?? resolved;
  }

  /** When what is asked of the database now has to have answered: at the end of what the call's budget still holds. */
  #deadline(): number {
    this.#asked = performance.now();
    return this.#asked + this.#databaseLeft;
  }

  /** Takes what an answer of the database took off the call's budget. One that did not have to be awaited took nothing. */
  #spent<Outcome>(outcome: Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    return outcome instanceof Promise ? outcome.finally(this.#answered) : outcome;
  }

  readonly #answered = (): void => {
    this.#databaseLeft -= performance.now() - this.#asked;
  };

  async #read({ identity }: Identified): Promise<RelayFacts | Refusal> {
    const { segment, head } = this.accepted;
    try {
      return await this.#ports.facts.read({ identity, endpoint: segment, session: head.session }, this.#deadline());
    } catch {
      return refusal('undecided');
    } finally {
      this.#answered();
    }
  }

  /** Secrets in the request (refusals-3). */
  async #inspect(body: RequestBody): Promise<Inspected | Refusal> {
    const { inspectors } = this.#ports;
    const revision = this.facts?.organizationPolicy ?? null;
    try {
      const found = this.#spent(inspectors(revision, this.#deadline()));
      this.#inspector = found instanceof Promise ? await found : found;
    } catch {
      return refusal('undecided');
    }
    return inspect(body, this.accepted.caller.request.headers, {
      inspector: this.#inspector,
      found: (findings) => {
        this.#findings = findings;
      },
      take: (bytes) => this.#share.take(bytes),
    });
  }

  async #record(resolved: Resolved, detail: string | null): Promise<Recorded | Refusal> {
    const { seat, decisions, clock } = this.#ports;
    const unseated = seat === null ? null : await this.#spent(seat(resolved, this.#deadline()));
    if (unseated !== null) return unseated;
    const decision = decisionOf(this, null, clock(), detail);
    return record(this.accepted, resolved, decision, decisions, this.#deadline(), this.#detectionsOf(decision));
  }

  /** The one place that turns a refusal into an answer and an entry; only the unknown endpoint leaves none. */
  async #refuse(refused: Refusal): Promise<void> {
    const { caller } = this.accepted;
    if (refused.code === 'endpoint-unknown') {
      caller.refuse(await this.#withAvailable(refused));
      return;
    }
    caller.refuse(this.#recordRefusal(refused));
  }

  /** Takes the refusal into the log. @returns what to answer: a refusal that cannot be kept is answered as such. */
  #recordRefusal(refused: Refusal): Refusal {
    const { decisions, clock } = this.#ports;
    const decision = decisionOf(this, refused, clock());
    const kept = decisions.appendLater(decision, this.#detectionsOf(decision));
    return kept || statusOf(refused) === 503 ? refused : refusal('unrecorded');
  }

  /** What was found in the request, as it is recorded with the decision. */
  #detectionsOf({ id }: Decision): readonly Detection[] {
    if (this.#inspector === null || this.#findings.length === 0) return [];
    const circumstances = { decisionId: id, place: 'request', at: this.#ports.clock() } as const;
    return detectionsOf(this.#findings, this.#inspector.stance, circumstances);
  }

  async #withAvailable(refused: Refusal): Promise<Refusal> {
    try {
      const available = await this.#ports.facts.activeEndpointNames(performance.now() + this.#databaseLeft);
      return { ...refused, members: { available } };
    } catch {
      return refusal('undecided');
    }
  }

  /** What was found after the decision: in an answer, or in a request too long to be held. */
  #foundLater(recorded: Recorded, place: 'request' | 'answer', findings: readonly Finding[]): void {
    const { detections, report, clock } = this.#ports;
    if (this.#inspector === null) return;
    const { stance } = this.#inspector;
    detections.writeLater(groupOf(findings, stance, { decisionId: recorded.decisionId, place, at: clock() }));
    report(`In the ${place} of call ${recorded.decisionId}: ${lineOf(findings, stance)}`);
  }

  /** A body that leaves, looked into on its way where it was too long to be held. */
  #leaving(recorded: Recorded, { body, leaving }: Prepared): LeavingBody {
    if (body.kind === 'whole' || !leaving || this.#inspector === null) return body;
    const found = (findings: readonly Finding[]): void => this.#foundLater(recorded, 'request', findings);
    const charset = charsetOf(this.accepted.caller.request.headers['content-type']);
    return { kind: 'flowing', stream: scanned(body.stream, charset, this.#inspector, found) };
  }

  #relay(recorded: Recorded, prepared: Prepared, contentLength: number | null): void {
    const { caller } = this.accepted;
    const { endpoint } = recorded.resolved;
    const key = providerKeyHeader(endpoint.provider, this.#ports.providerKeys);
    if (key !== null && 'code' in key) return caller.refuse(key);
    const upstream = this.#ports.upstreams.of(endpoint.provider.baseUrl);
    if (upstream === null) {
      const message = `The Base URL of provider "${endpoint.provider.slug}" cannot be used: correct it in the console.`;
      return caller.refuse(refusal('provider-unreachable', { details: { message } }));
    }
    // A coding that was undone is of the hop that ends here.
    const { head } = this.accepted;
    const connection = prepared.isDecoded ? `${head.connection ?? 'close'}, content-encoding` : head.connection;
    const headers = headersToProvider(caller.request.rawHeaders, connection, key, proofOf(head)?.text ?? '');
    headers.push(...upstream.headers);
    if (this.#trace !== null) replaceHeader(headers, 'traceparent', this.#trace.left(destinationOf(recorded)));
    const mayChange = prepared.leaving && this.#inspector !== null && mayMask(this.#inspector);
    // A body that flows through leaves in the length it was announced with, or chunked.
    const length = prepared.length ?? (mayChange ? null : contentLength);
    if (prepared.body.kind === 'flowing' && length !== null) headers.push('content-length', String(length));
    const { apiKeyEnv } = endpoint.provider;
    const keyMask = key === null || apiKeyEnv === null ? null : keyMaskOf(this.#ports.providerKeys(apiKeyEnv));
    const outbound: Outbound = {
      upstream,
      clientCertificate: this.#ports.clientCertificate,
      headers,
      body: this.#leaving(recorded, prepared),
      streamAsked: prepared.stream,
      keyMask,
    };
    const found = (findings: readonly Finding[]): void => this.#foundLater(recorded, 'answer', findings);
    const recordRefusal = (refused: Refusal): Refusal => this.#recordRefusal(refused);
    this.#ports.times?.left(performance.now() - recorded.accepted.begun);
    this.#ended = this.#ports.activeCalls.add(activeCall(recorded, (refused) => this.#recordRefusal(refused)));
    forward(
      recorded,
      outbound,
      new CallExchange(
        recorded,
        prepared.prompt,
        this.#ports,
        this.#inspector,
        found,
        recordRefusal,
        keyMask,
        this.#trace,
      ),
    );
  }
}

function destinationOf({ resolved: { endpoint }, decisionId }: Recorded): Destination {
  return { endpoint: endpoint.name, provider: endpoint.provider.slug, model: endpoint.modelSlug, decisionId };
}
