import { errorMessage } from '@gateway/contract/error-code';
import { CommandFailed } from '../process/fault.ts';
import { credentialsFile, type TokenCredential } from './credentials-file.ts';
import type { DeviceCode } from './device-flow.ts';
import { expiryOf } from './kept-credential.ts';

/** What a gateway makes of a proof of identity. */
type Accepted =
  | { readonly accepted: true; readonly endpoints: readonly string[] }
  /** The gateway's sentence. */
  | { readonly accepted: false; readonly status: number; readonly sentence: string };

/** No endpoint has this name: names begin with a letter or a digit. */
const NOWHERE = '_sign-in';
const TIMEOUT_MS = 15_000;

/**
 * Asks a gateway whether it accepts a proof. It has no route for that; but an unknown endpoint is answered with 404, and
 * the names of those there are, only after the proof was accepted. No engine is called, and nothing is charged.
 * @throws CommandFailed where there is no gateway.
 */
async function probe(gateway: string, proof: string, fetch: typeof globalThis.fetch): Promise<Accepted> {
  let [status, body]: [number, unknown] = [0, null];
  try {
    const response = await fetch(`${gateway}/${NOWHERE}/`, {
      headers: { authorization: `Bearer ${proof}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    [status, body] = [response.status, await response.json().catch(() => null)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CommandFailed(`${gateway} does not answer: ${errorMessage(cause)}`);
  }
  const { error, available } = (body ?? {}) as Partial<Record<string, unknown>>;
  if (status === 404 && Array.isArray(available)) return { accepted: true, endpoints: available.map(String) };
  if ((status === 401 || status === 403) && typeof error === 'string')
    return { accepted: false, status, sentence: error };
  throw new CommandFailed(
    `${gateway} answered ${status}: this address is not a gateway. Check the address of --gateway.`,
  );
}

/** Exit code where the gateway refuses (the contract of `gw`, Running). */
const REFUSED = 4;

export interface LoginPorts {
  readonly home: string;
  readonly now: () => Date;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** A sign-in that the gateway accepted and that is stored now. */
export interface SignedIn {
  /** The endpoints that the gateway serves. */
  readonly endpoints: readonly string[];
  /** Null for an account key. */
  readonly token: TokenCredential | null;
}

/** Keeps an account key, once the gateway has accepted it. */
export function loginWithKey(gateway: string, key: string, ports: LoginPorts): Promise<SignedIn> {
  return untilInterrupted(ports, (given) => keepKey(gateway, key, given));
}

async function keepKey(gateway: string, key: string, ports: LoginPorts): Promise<SignedIn> {
  const answer = await probe(gateway, key, ports.fetch);
  if (!answer.accepted) {
    throw new CommandFailed(
      `${gateway} does not accept the key (${answer.status}): ${answer.sentence} Nothing was kept.`,
      REFUSED,
    );
  }
  await credentialsFile(ports.home).update(gateway, async () => ({ kind: 'key', key }));
  return { endpoints: answer.endpoints, token: null };
}

export type FlowPorts =
  | { readonly flow: 'code'; readonly show: (address: string) => void }
  | { readonly flow: 'device'; readonly show: (code: DeviceCode) => void };

/** Signs in at the identity provider that the gateway names, and keeps the tokens once the gateway has accepted one. */
export function loginWithProvider(gateway: string, ports: LoginPorts, flow: FlowPorts): Promise<SignedIn> {
  return untilInterrupted(ports, (given) => keepTokens(gateway, given, flow));
}

async function keepTokens(gateway: string, ports: LoginPorts, flow: FlowPorts): Promise<SignedIn> {
  const { connectProvider, readProviderAddress, tokensIn } = await import('./identity-provider.ts');
  const address = await readProviderAddress(gateway, ports.fetch);
  const provider = await connectProvider(address, ports.fetch);
  const answer =
    flow.flow === 'code'
      ? await (await import('./code-flow.ts')).signInWithCode(provider, { show: flow.show, signal: ports.signal })
      : await (await import('./device-flow.ts')).signInWithDevice(provider, { show: flow.show, signal: ports.signal });
  const tokens = tokensIn(answer);
  // The gateway's audience is the client, as a rule: then it takes the identity token. Else it takes the access token.
  let refusal: string | null = null;
  for (const sends of ['idToken', 'accessToken'] as const) {
    const accepted = await probe(gateway, tokens[sends], ports.fetch);
    if (!accepted.accepted) {
      refusal ??= `(${accepted.status}): ${accepted.sentence}`;
      continue;
    }
    const expiresAt = expiryOf(tokens[sends], ports.now()).toISOString();
    const token: TokenCredential = { kind: 'token', ...address, sends, ...tokens, expiresAt };
    await credentialsFile(ports.home).update(gateway, async () => token);
    return { endpoints: accepted.endpoints, token };
  }
  throw new CommandFailed(
    `You signed in at ${address.issuer}, but ${gateway} does not accept you ${refusal} Nothing was kept.`,
    REFUSED,
  );
}

/** An interruption ends every request, too, and is then the reason: not what became of the request. */
async function untilInterrupted(ports: LoginPorts, work: (given: LoginPorts) => Promise<SignedIn>): Promise<SignedIn> {
  const fetch: typeof globalThis.fetch = (input, init) =>
    ports.fetch(input, { ...init, signal: AbortSignal.any([ports.signal, ...(init?.signal ? [init.signal] : [])]) });
  try {
    return await work({ ...ports, fetch });
  } catch (error) {
    ports.signal.throwIfAborted();
    throw error;
  }
}
