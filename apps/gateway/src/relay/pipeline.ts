import { type Refusal, refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/domain/call/facts';
import type { Finding } from '@gateway/secrets';
import { identify, proofOf } from '../auth/identify.ts';
import type { RelayHandler } from '../http/routes.ts';
import { charsetOf, type Inspector, mayMask } from '../inspection/inspectors.ts';
import type { CallTrace, Destination } from '../telemetry/tracer.ts';
import { activeCall } from './active-calls.ts';
import { CallExchange } from './exchange.ts';
import type { RelayPorts } from './ports.ts';
import { Call, decisionOf, keyInAddress, type Unreached } from './relayed-call.ts';
import { Caller, DurationCap } from './request/caller.ts';
import { headersToProvider, replaceHeader } from './request/headers.ts';
import type { LeavingBody } from './request/intake.ts';
import { providerKeyHeader } from './request/provider-key.ts';
import { scan } from './request/windows.ts';
import { keyMaskOf } from './response/mask-scanner.ts';
import { accept } from './steps/accept.ts';
import { authorize, checkProvider } from './steps/authorize.ts';
import { forward, type Outbound } from './steps/forward.ts';
import { inspect } from './steps/inspect.ts';
import { type Prepared, prepare } from './steps/prepare.ts';
import { type Recorded, record } from './steps/record.ts';
import { resolve, withStandby } from './steps/resolve.ts';
import type { Authorized, Inspected } from './steps/types.ts';

/** Milliseconds after which a caller is authorized again before its call is recorded. */
const LONG_LOOK = 500;

/** Relays calls: accept → permit → inspect → prepare → record → forward → account. */
export function createRelay(ports: RelayPorts): RelayHandler {
  const cap = new DurationCap(ports.requestTimeout);
  return (request, response, head, target) => {
    const caller = new Caller(request, response, cap);
    const call = new Call(accept(caller, head, target, ports.trustedProxies), ports);
    answerRefusal(call, relay(call, ports));
  };
}

/** Answers what a call is refused for, and our own faults. */
function answerRefusal(call: Call, relaying: Promise<Refusal | null>): void {
  relaying
    .then((refused) => (refused === null ? null : call.refuse(refused)))
    .catch((error: unknown) => call.fail(error));
}

/*
 * A step's result is awaited only where it is a promise: most steps have their result at once.
 * Each function returns a refusal, or null where the call was sent, or its caller has left.
 */

/** One call, until it is sent. */
async function relay(call: Call, ports: RelayPorts): Promise<Refusal | null> {
  const { caller, head } = call.accepted;
  if (!head.expectsContinue) call.body.start();
  let authorized = await permit(call, ports);
  if ('code' in authorized) return authorized;
  if (caller.gone) return null;
  if (head.expectsContinue) {
    caller.response.writeContinue();
    call.body.start();
  }

  // The whole body, or one that is too long to buffer.
  const admitting = call.body.admit(authorized.resolved.subject);
  const body = admitting instanceof Promise ? await admitting : admitting;
  if ('code' in body) return body;
  if (admitting instanceof Promise) {
    if (caller.gone) return null;
    // A body may take half an hour to arrive: the earlier facts would admit a subject revoked since.
    authorized = await permit(call, ports);
    if ('code' in authorized) return authorized;
    if (caller.gone) return null;
  }

  // Secrets in the request (refusals-3).
  const checked = performance.now();
  const choosing = inspectorOf(call, ports);
  const inspector = choosing instanceof Promise ? await choosing : choosing;
  call.queried();
  if ('code' in inspector) return inspector;
  call.inspector = inspector;
  const inspecting = inspect(body, caller.request.headers, {
    inspector,
    found: (findings) => {
      call.findings = findings;
    },
    take: (bytes) => call.share.take(bytes),
  });
  const inspected = inspecting instanceof Promise ? await inspecting : inspecting;
  if ('code' in inspected) return inspected;
  if (caller.gone) return null;

  const { provider, standby } = authorized.resolved.endpoint;
  if (standby !== null && ports.unreached.isSkipped(provider.slug))
    return relayToStandby(call, ports, inspected, { provider: provider.slug, sentence: null });
  return send(call, ports, inspected, authorized, checked);
}

/** Every check that needs no body, in the order of the contract (refusals-3). */
async function permit(call: Call, ports: RelayPorts): Promise<Authorized | Refusal> {
  const { accepted, unreached } = call;
  const { head, segment } = accepted;
  const identifying = identify(head, ports.directory);
  const identified = identifying instanceof Promise ? await identifying : identifying;
  if ('code' in identified) return identified;
  call.identified = identified;

  const { identity } = identified;
  const query = { identity, endpoint: segment, session: head.session };
  let facts: RelayFacts;
  try {
    facts = await ports.facts.read(query, call.deadline());
    call.queried();
  } catch {
    return refusal('undecided');
  }
  call.facts = facts;
  if (identity.kind === 'directory' && facts.account === null) ports.directory?.met(identity.subject);
  const found = resolve(identified, facts, segment);
  if ('code' in found) return found;
  const resolved = unreached === null ? found : withStandby(found);
  if (resolved === null) return refuseUnreached(unreached as Unreached);

  const licensing = ports.license?.(resolved, call.deadline()) ?? null;
  const unlicensed = licensing instanceof Promise ? await licensing : licensing;
  call.queried();
  if (unlicensed !== null) return unlicensed;

  const authorizing = authorize(resolved, accepted, ports.clock(), ports.authorizer, call.deadline());
  const authorized = authorizing instanceof Promise ? await authorizing : authorizing;
  call.queried();
  if ('code' in authorized) return authorized;

  if (facts.organizationPolicy !== null) {
    const choosing = inspectorOf(call, ports);
    const inspector = choosing instanceof Promise ? await choosing : choosing;
    call.queried();
    const excluded = 'code' in inspector ? inspector : checkProvider(authorized, inspector);
    if ('code' in excluded) return excluded;
  }

  const planning = ports.plan?.(authorized, call.deadline()) ?? null;
  const unplanned = planning instanceof Promise ? await planning : planning;
  call.queried();
  return unplanned ?? authorized;
}

/** What looks for secrets, by the organization's policy in force. */
function inspectorOf(call: Call, ports: RelayPorts): Inspector | Refusal | Promise<Inspector | Refusal> {
  const found = ports.inspectors(call.facts?.organizationPolicy ?? null, call.deadline());
  return found instanceof Promise ? found.catch(() => refusal('undecided')) : found;
}

/**
 * Prepares the body for one engine, records the approval, and sends.
 * @param checked when the caller's rights were checked last, on the clock of `performance.now()`
 */
async function send(
  call: Call,
  ports: RelayPorts,
  inspected: Inspected,
  permitted: Authorized,
  checked: number,
): Promise<Refusal | null> {
  const { accepted } = call;
  const { caller } = accepted;
  let { resolved } = permitted;
  let since = checked;
  let prepared: Prepared | null = null;
  while (prepared === null) {
    const { modelSlug } = resolved.endpoint;
    const preparing = prepare(inspected, modelSlug);
    prepared = preparing instanceof Promise ? await preparing : preparing;
    if (caller.gone) return null;
    if (performance.now() - since < LONG_LOOK) break;
    // To scan a long body takes seconds, too.
    const again = await permit(call, ports);
    if ('code' in again) return again;
    if (caller.gone) return null;
    since = performance.now();
    resolved = again.resolved;
    if (resolved.endpoint.modelSlug !== modelSlug) prepared = null;
  }

  const seating = ports.seat?.(resolved, call.deadline()) ?? null;
  const unseated = seating instanceof Promise ? await seating : seating;
  call.queried();
  if (unseated !== null) return unseated;

  const detail = [prepared.detail, keyInAddress(accepted), whyStandby(call.unreached)].filter((line) => line !== null);
  const decision = decisionOf(call, null, ports.clock(), detail.length === 0 ? null : detail.join('; '));
  const found = call.detectionsOf(decision);
  const recorded = await record(accepted, resolved, decision, ports.decisions, call.deadline(), found);
  call.queried();
  if ('code' in recorded) return recorded;
  // The log still has the approval.
  if (caller.gone) return null;

  const { inspector, trace, unreached } = call;
  const outbound = outboundOf(recorded, prepared, ports, {
    inspector,
    trace,
    foundInRequest: (findings) => call.foundLater(recorded, 'request', findings),
    unsent: unsentOf(call, ports, inspected, recorded),
    earlier:
      unreached === null || unreached.sentence === null
        ? null
        : `Provider ${unreached.provider}: ${unreached.sentence}`,
  });
  if ('code' in outbound) return outbound;
  if (unreached === null) ports.times?.left(performance.now() - accepted.begun);
  const recordRefusal = (refused: Refusal): Refusal => call.recordRefusal(refused);
  call.ended = ports.activeCalls.add(activeCall(recorded, recordRefusal));
  const exchange = new CallExchange(recorded, ports, {
    sent: prepared.prompt,
    inspector,
    found: (findings) => call.foundLater(recorded, 'answer', findings),
    recordRefusal,
    keyMask: outbound.keyMask,
    trace,
  });
  forward(recorded, outbound, exchange);
  return null;
}

/** What follows where no byte can be sent; null where the endpoint has no standby, or it serves already. */
function unsentOf(call: Call, ports: RelayPorts, inspected: Inspected, { resolved }: Recorded): Outbound['unsent'] {
  const { standby, provider } = resolved.endpoint;
  if (standby === null) return null;
  return (sentence) => {
    ports.unreached.failed(provider.slug);
    answerRefusal(call, relayToStandby(call, ports, inspected, { provider: provider.slug, sentence }));
  };
}

/**
 * No byte of the request was sent: the call takes its steps again with the standby, which is decided and recorded on its own. Its
 * body was inspected, and is prepared for the standby's model.
 */
async function relayToStandby(
  call: Call,
  ports: RelayPorts,
  inspected: Inspected,
  unreached: Unreached,
): Promise<Refusal | null> {
  call.beginAgain(unreached);
  const authorized = await permit(call, ports);
  if ('code' in authorized) return authorized;
  if (call.accepted.caller.gone) return null;
  return send(call, ports, inspected, authorized, performance.now());
}

/** The standby was removed meanwhile. */
function refuseUnreached({ provider, sentence }: Unreached): Refusal {
  const message = sentence ?? `The provider ${provider} could not be reached.`;
  return refusal('provider-unreachable', { details: { message } });
}

function whyStandby(unreached: Unreached | null): string | null {
  if (unreached === null) return null;
  const { provider, sentence } = unreached;
  const why = sentence === null ? 'is skipped after failed connections' : 'could not be reached';
  return `standby: provider ${provider} ${why}`;
}

/** What accompanies a request on its way to the provider. */
interface Leaving {
  /** Null where nothing is looked for. */
  readonly inspector: Inspector | null;
  /** Null where the caller requested no trace. */
  readonly trace: CallTrace | null;
  /** Takes what is found in a body that is looked into while it leaves. */
  readonly foundInRequest: (findings: readonly Finding[]) => void;
  /** Takes over where no byte could be sent; null where no other provider can serve the call. */
  readonly unsent: Outbound['unsent'];
  /** Why the first provider of the endpoint could not be reached; null in any other call. */
  readonly earlier: string | null;
}

type OutboundPorts = Pick<RelayPorts, 'providerKeys' | 'upstreams' | 'clientCertificate'>;

/** The request as the provider gets it: with its key, without the caller's. A refusal where the endpoint's provider cannot be called. */
function outboundOf(
  recorded: Recorded,
  prepared: Prepared,
  { providerKeys, upstreams, clientCertificate }: OutboundPorts,
  leaving: Leaving,
): Outbound | Refusal {
  const { endpoint } = recorded.resolved;
  const key = providerKeyHeader(endpoint.provider, providerKeys);
  if (key !== null && 'code' in key) return key;
  const upstream = upstreams.of(endpoint.provider.baseUrl, leaving.unsent !== null);
  if (upstream === null) {
    const message = `The Base URL of provider "${endpoint.provider.slug}" cannot be used: correct it in the console.`;
    return refusal('provider-unreachable', { details: { message } });
  }
  const { head, caller } = recorded.accepted;
  // A coding that was undone is of the hop that ends here.
  const connection = prepared.isDecoded ? `${head.connection ?? 'close'}, content-encoding` : head.connection;
  const headers = headersToProvider(caller.request.rawHeaders, connection, key, proofOf(head)?.text ?? '');
  headers.push(...upstream.headers);
  if (leaving.trace !== null) replaceHeader(headers, 'traceparent', leaving.trace.left(destinationOf(recorded)));
  const mayChange = prepared.leaving && leaving.inspector !== null && mayMask(leaving.inspector);
  // A body that flows through leaves in the length it was announced with, or chunked.
  const length = prepared.length ?? (mayChange ? null : head.contentLength);
  if (prepared.body.kind === 'flowing' && length !== null) headers.push('content-length', String(length));
  const { apiKeyEnv } = endpoint.provider;
  return {
    upstream,
    clientCertificate,
    headers,
    body: leavingBody(recorded, prepared, leaving),
    streamAsked: prepared.stream,
    unsent: leaving.unsent,
    earlier: leaving.earlier,
    keyMask: key === null || apiKeyEnv === null ? null : keyMaskOf(providerKeys(apiKeyEnv)),
  };
}

/** An outgoing body, scanned during sending if it was too long to buffer. */
function leavingBody(
  recorded: Recorded,
  { body, leaving }: Prepared,
  { inspector, foundInRequest }: Leaving,
): LeavingBody {
  if (body.kind === 'whole' || !leaving || inspector === null) return body;
  const charset = charsetOf(recorded.accepted.caller.request.headers['content-type']);
  return { kind: 'flowing', stream: scan(body.stream, charset, inspector, foundInRequest) };
}

function destinationOf({ resolved: { endpoint }, decisionId }: Recorded): Destination {
  return { endpoint: endpoint.name, provider: endpoint.provider.slug, model: endpoint.modelSlug, decisionId };
}
