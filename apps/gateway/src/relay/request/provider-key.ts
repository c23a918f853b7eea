import { type Refusal, refusal } from '@gateway/contract';
import type { EndpointFacts } from '@gateway/domain/call/facts';
import type { ProviderKeyHeader } from './headers.ts';

/** The provider key from a variable of the gateway's environment, trimmed; null where it is absent or blank. */
export type ProviderKeys = (variable: string) => string | null;

/** Characters that a header value cannot contain (RFC 9110, section 5.5), or that Node.js refuses. */
const UNCARRIED = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * The provider's key from the gateway's own environment, in the header the operator declared: `authorization`, also where
 * none is declared, takes `Bearer <key>`, any other the bare key (relay-10).
 */
export function providerKeyHeader(
  provider: Pick<EndpointFacts['provider'], 'apiKeyEnv' | 'apiKeyHeader'>,
  keys: ProviderKeys,
): ProviderKeyHeader | Refusal {
  const { apiKeyEnv, apiKeyHeader } = provider;
  if (apiKeyEnv === null || apiKeyEnv === '') return null;
  const key = keys(apiKeyEnv);
  if (key === null) return refusal('provider-key-missing', { details: { name: apiKeyEnv }, headers: fixOf(apiKeyEnv) });
  if (UNCARRIED.test(key)) {
    const message = `The variable ${apiKeyEnv} has characters that a header cannot contain. Set it to the provider's key only.`;
    return refusal('provider-unreachable', { details: { message } });
  }
  const header = apiKeyHeader || 'authorization';
  return [header, header.toLowerCase() === 'authorization' ? `Bearer ${key}` : key];
}

/**
 * What an operator does about an absent variable, in a header: the body is fixed (refusals-15). One that configures
 * the gateway itself is never read for a key.
 */
export function fixOf(variable: string): Readonly<Record<string, string>> {
  if (!/^\w+$/.test(variable)) return {};
  const set = `Set ${variable} in the environment of the gateway and start it again (npm start: --env ${variable}=VALUE).`;
  return { 'x-gateway-fix': `${set} If it configures the gateway itself, name another key variable in the provider.` };
}
