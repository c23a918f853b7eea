import { errorCode } from '@gateway/contract/error-code';
import { asSentence } from '../process/pluralize.ts';

/** How the client reaches the gateway's routes for workstations. */
export interface ControlPlane {
  /** Base address, without a slash at its end. */
  readonly gateway: string;
  readonly license: string;
  readonly fetch: typeof fetch;
}

/** The gateway did not answer as it should. */
export class ControlPlaneFailed extends Error {
  override readonly name = 'ControlPlaneFailed';
  /** Null where there was no answer. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

const TIMEOUT_MS = 5000;
const LONGEST_SENTENCE = 500;

interface Request {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request with the license. Redirects are not followed: the license goes to the gateway alone.
 * @throws ControlPlaneFailed unless the answer is 200 with a JSON object.
 */
export async function ask(
  { gateway, license, fetch }: ControlPlane,
  { path, body, signal }: Request,
): Promise<Readonly<Record<string, unknown>>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let [status, text] = [0, ''];
  try {
    const response = await fetch(`${gateway}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      headers: {
        authorization: `Bearer ${license}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    [status, text] = [response.status, await response.text()];
  } catch (error) {
    throw new ControlPlaneFailed(`${gateway} does not answer: ${asSentence(causeOf(error))}`, null, { cause: error });
  }
  const answer = objectIn(text);
  if (status === 200 && answer !== null) return answer;
  const sentence = typeof answer?.['error'] === 'string' ? answer['error'].slice(0, LONGEST_SENTENCE) : '';
  throw new ControlPlaneFailed(
    `${gateway}${path} answered ${status}${sentence === '' ? '.' : `: ${asSentence(sentence)}`}`,
    status,
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** `fetch failed` says nothing: the reason is in its cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || errorCode(cause) || error.message;
}

/** The subject of acts, in the order of the contract: the token's `sub`, GATEWAY_SUBJECT, the system's user name. */
export function subjectOf(from: {
  /** What proves the user's identity to the gateway: a token, or a key, which names nobody. */
  readonly credential: string | null;
  readonly variables: ReadonlyMap<string, string>;
  readonly userName: string | null;
}): string {
  const { credential, variables, userName } = from;
  return subjectIn(credential) ?? variables.get('GATEWAY_SUBJECT') ?? userName ?? 'unknown';
}

/** The `sub` of a token, which is not verified here: the gateway does that. Null for anything else, such as a key. */
function subjectIn(credential: string | null): string | null {
  const claims = claimsIn(credential ?? '');
  return typeof claims['sub'] === 'string' && claims['sub'] !== '' ? claims['sub'] : null;
}

/** The claims of a JSON Web Token, not verified. Empty for anything else. */
export function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const parts = token.split('.');
  if (parts.length !== 3) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
    return claims !== null && typeof claims === 'object' ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
