import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { sourceAddressOf } from '@gateway/configuration';
import {
  type AgentAct,
  firstCharacters,
  isStorable,
  MAXIMUM_REASON,
  parseActBatch,
  type Refusal,
  refusal,
} from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { Workstations } from '@gateway/domain/session/gateway-workstations';
import { maskText } from '@gateway/secrets';
import type { Report } from '../process/report.ts';
import { answerJson, answerNoRoute, answerRefusal } from './answer.ts';
import { type BodyBudget, parseJson, readBody } from './body.ts';
import type { Head } from './head.ts';
import { discardRest } from './linger.ts';
import type { Handler } from './routes.ts';

/** Dependencies of the workstation control plane (documentation-13). */
export interface WorkstationPorts {
  /** Slug of the organization that is served, or null. */
  readonly organization: string | null;
  readonly workstations: Workstations;
  /** Whether a workstation's `Authorization` contains this deployment's license. Null: it may continue. */
  readonly license: (authorization: string) => Refusal | null;
  /** The identity provider whose tokens are verified; null without a valid one. */
  readonly directory: { readonly issuer: string; readonly clientId: string } | null;
  readonly trustedProxies: BlockList | null;
  /** Holds the batches of acts while they are read. */
  readonly bodies: BodyBudget;
  readonly report: Report;
}

/** Bytes of a batch of acts (limits-4). */
const MOST_BODY = 8 * 2 ** 20;

const STANDING = /^\/sessions\/([^/]+)\/standing$/;

/** The routes below `/ide` (documentation-13). */
export function createWorkstationHandler(ports: WorkstationPorts): Handler {
  return (request, response, head, rest) => {
    const [path = ''] = rest.split('?', 1);
    serve(ports, { request, response, head }, path).catch((error: unknown) => {
      ports.report(`/ide${path} failed: ${errorMessage(error)}`, 'error');
      answerRefusal(response, refusal('control-plane-unreadable'));
    });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: Head;
}

async function serve(ports: WorkstationPorts, exchange: Exchange, path: string): Promise<void> {
  const { request, response, head } = exchange;
  const reading = request.method === 'GET' || request.method === 'HEAD';
  const session = reading ? STANDING.exec(path)?.[1] : undefined;
  const known =
    path === '/acts'
      ? request.method === 'POST'
      : reading && (session !== undefined || path === '/policy' || path === '/identity-discovery');
  if (!known) {
    discardRest(request);
    answerNoRoute(response);
    return;
  }
  if (path === '/identity-discovery') return answer(exchange, ports.directory ?? refusal('directory-not-configured'));
  // Before the body, so that a caller without the license neither learns nor sends anything.
  const unlicensed = ports.license(head.authorization);
  if (unlicensed !== null) return answer(exchange, unlicensed);
  if (path === '/policy') return answer(exchange, await policy(ports));
  if (session !== undefined) return answer(exchange, await standing(ports, session));
  const taken = await acts(ports, exchange);
  if (taken !== null) answer(exchange, taken);
}

function answer({ request, response }: Exchange, value: object): void {
  discardRest(request);
  if (isRefusal(value)) answerRefusal(response, value);
  else answerJson(response, 200, value);
}

function isRefusal(value: object): value is Refusal {
  return 'code' in value && 'details' in value;
}

/** Never an empty policy for an unknown organization, or for one that could not be read. */
async function policy({ organization, workstations }: WorkstationPorts): Promise<object> {
  const nothing = { organization, revision: null, producedAt: null, validFrom: null, validUntil: null, policy: null };
  if (organization === null) return nothing;
  try {
    const served = await workstations.policyOf(organization);
    return served === null
      ? refusal('organization-unknown', { details: { name: organization } })
      : { organization, ...served };
  } catch {
    return refusal('control-plane-unreadable');
  }
}

/** Only the time, never the author or the reason; and never `in force` where it could not be read. */
async function standing({ workstations }: WorkstationPorts, segment: string): Promise<object> {
  const session = decode(segment);
  if (session === null || !isStorable(session)) {
    return refusal('malformed-request', { details: { fault: "the session's name is not well-formed" } });
  }
  try {
    const revokedAt = await workstations.sessionRevokedAt(session);
    return revokedAt === null ? { session, standing: 'in force' } : { session, standing: 'revoked', revokedAt };
  } catch {
    return refusal('control-plane-unreadable');
  }
}

/** All acts of a batch or none. Null where the workstation disconnected before its batch was complete. */
async function acts(
  { workstations, trustedProxies, bodies }: WorkstationPorts,
  { request, response, head }: Exchange,
): Promise<object | null> {
  const body = await readBody(request, response, head, { most: MOST_BODY, budget: bodies });
  if (body === null || 'code' in body) return body;
  const value = parseJson(body.bytes);
  body.release();
  if (value === undefined) return refusal('acts-not-json');
  const batch = parseActBatch(value);
  const address = sourceAddressOf(request.socket.remoteAddress, head.forwardedFor, trustedProxies);
  // The subject of an act is declared, not proven: an investigation of a false parent finds its source here.
  const author = `workstation at ${address ?? 'an unknown address'}`;
  if ('refused' in batch) return refusal('acts-refused', { details: { reason: maskText(batch.refused) } });
  try {
    return {
      received: batch.acts.length,
      stored: await workstations.storeActs(batch.acts.map(withoutSecrets), author),
    };
  } catch {
    return refusal('acts-not-stored');
  }
}

/**
 * An act in the form for storage: a command line may contain its program's input. Sessions and the subject are names that
 * revocation compares, so they stay.
 */
function withoutSecrets(act: AgentAct): AgentAct {
  const target = { ...act.target, value: maskText(act.target.value) };
  const reason = act.reason === undefined ? {} : { reason: firstCharacters(maskText(act.reason), MAXIMUM_REASON) };
  return { ...act, tool: maskText(act.tool), target, ...reason };
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
