import * as oidc from 'openid-client';
import { CommandFailed } from '../process/fault.ts';
import type { TokenCredential } from './credentials-file.ts';

/** What `/ide/identity-discovery` says. */
export interface ProviderAddress {
  readonly issuer: string;
  readonly clientId: string;
}

/** Seconds for one answer of the provider. */
const TIMEOUT_S = 15;
const SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

export type Tokens = Omit<TokenCredential, 'kind' | 'issuer' | 'clientId' | 'sends' | 'expiresAt'>;
export type TokenAnswer = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>;

/** @throws CommandFailed where the gateway names no identity provider. */
export async function readProviderAddress(gateway: string, fetch: typeof globalThis.fetch): Promise<ProviderAddress> {
  let [status, body]: [number, unknown] = [0, null];
  try {
    const response = await fetch(`${gateway}/ide/identity-discovery`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_S * 1000),
    });
    [status, body] = [response.status, await response.json().catch(() => null)];
  } catch (error) {
    throw new CommandFailed(`${gateway} does not answer: ${messageOf(error)}. Check the address of --gateway.`);
  }
  const { issuer, clientId } = (body ?? {}) as Partial<Record<string, unknown>>;
  if (status === 200 && typeof issuer === 'string' && typeof clientId === 'string') return { issuer, clientId };
  if (status === 404) {
    throw new CommandFailed(`${gateway} has no identity provider. Sign in with your account key: gw login --key.`);
  }
  throw new CommandFailed(`${gateway}/ide/identity-discovery answered ${status}. Check the address of --gateway.`);
}

/** Reads what the provider publishes about itself. */
export async function connectProvider(
  { issuer, clientId }: ProviderAddress,
  fetch: typeof globalThis.fetch,
): Promise<oidc.Configuration> {
  const url = URL.parse(issuer);
  if (url?.protocol !== 'https:') throw new CommandFailed(`The identity provider ${issuer} has no https address.`);
  try {
    return await oidc.discovery(url, clientId, undefined, oidc.None(), {
      timeout: TIMEOUT_S,
      [oidc.customFetch]: fetch as oidc.CustomFetch,
    });
  } catch (error) {
    throw providerFailed(issuer, error);
  }
}

/** The scopes to ask for. A provider that lists its scopes without `offline_access` would refuse it. */
export function scopesOf(provider: oidc.Configuration): string {
  const supported = provider.serverMetadata().scopes_supported;
  return SCOPES.filter((scope) => scope === 'openid' || supported === undefined || supported.includes(scope)).join(' ');
}

/** @throws CommandFailed if the answer contains no identity token: nothing would prove who signed in. */
export function tokensIn(answer: TokenAnswer, before?: Tokens): Tokens {
  const idToken = answer.id_token ?? before?.idToken;
  if (idToken === undefined) throw new CommandFailed('The identity provider sent no identity token.');
  return {
    idToken,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? before?.refreshToken ?? null,
  };
}

/** An error of the provider as a sentence: what it said, not what the library calls it. */
export function providerFailed(issuer: string, error: unknown): CommandFailed {
  if (error instanceof CommandFailed) return error;
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
    const description = error.error_description === undefined ? '' : ` (${error.error_description})`;
    return new CommandFailed(`The identity provider ${issuer} refused: ${error.error}${description}.`);
  }
  const hint = isUntrusted(error) ? ' Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.' : '';
  return new CommandFailed(`The identity provider ${issuer} cannot be used: ${messageOf(error)}.${hint}`);
}

function isUntrusted(error: unknown): boolean {
  const codes = /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET_ISSUER/;
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && codes.test(String(at.code))) return true;
  }
  return false;
}

/** The innermost message: `fetch failed` says nothing. */
function messageOf(error: unknown): string {
  let at = error;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  if (!(at instanceof Error)) return String(at);
  return (at.message || ('code' in at ? String(at.code) : at.name)).replace(/\.$/, '');
}
