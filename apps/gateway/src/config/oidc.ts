import { issuerFault } from '@gateway/access';
import { printable, type Reading, type Variable } from '@gateway/configuration';
import { readAuthorities } from './certificate-pair.ts';

const issuer: Variable = {
  name: 'OIDC_ISSUER',
  form: 'an absolute https URL without query or fragment',
  fallback: 'no identity provider: only account keys are accepted',
  effect: "Address of the organization's identity provider (OpenID Connect). Set together with OIDC_CLIENT_ID.",
};
const clientId: Variable = {
  name: 'OIDC_CLIENT_ID',
  form: 'the public client identifier that the identity provider assigned',
  fallback: 'no directory',
  effect:
    'Client identifier for workstations (/ide/identity-discovery), and the audience of tokens unless OIDC_AUDIENCE names another.',
};
const audience: Variable = {
  name: 'OIDC_AUDIENCE',
  form: 'a text that the tokens carry in `aud`',
  fallback: 'OIDC_CLIENT_ID',
  effect: 'The audience that a token must have.',
};
const subjectClaim: Variable = {
  name: 'OIDC_SUBJECT_CLAIM',
  form: 'the name of a claim',
  fallback: 'sub',
  effect:
    'The claim of a token that names the subject. Choose one that the identity provider never gives to another person.',
};
const authorityFile: Variable = {
  name: 'OIDC_TLS_CA_FILE',
  form: 'the path of a PEM file with one or more certificates',
  fallback: 'the authorities of the system, of Node.js and of UPSTREAM_TLS_CA_FILE',
  effect: 'Adds certificate authorities for the connection to the identity provider. It removes none.',
};

export const DIRECTORY_VARIABLES: readonly Variable[] = [issuer, clientId, audience, subjectClaim, authorityFile];

/** The identity provider whose tokens are accepted. */
export interface IdentityProviderConfiguration {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
  readonly subjectClaim: string;
  /** PEM, one certificate each. */
  readonly ca: readonly string[];
}

/** The identity provider; where its settings are invalid, null and the line for the operator. */
export interface IdentityProviderOutcome {
  readonly directory: IdentityProviderConfiguration | null;
  readonly notice: string | null;
}

/**
 * A faulty identity provider does not prevent the start: the gateway then has none, refuses every token and reports it here
 * (workstation-12).
 */
export function readIdentityProvider(reading: Reading): IdentityProviderOutcome {
  const ca = readAuthorities(reading, authorityFile); // (refusals-25)
  const [address, client] = [reading.text(issuer), reading.text(clientId)];
  if (address === null && client === null) return { directory: null, notice: null };
  if (address === null) return withoutIdentityProvider('OIDC_CLIENT_ID is set and OIDC_ISSUER is not');
  const fault = issuerFault(address);
  if (fault !== null) return withoutIdentityProvider(`OIDC_ISSUER ${fault}: ${printable(withoutUserInfo(address))}`);
  if (client === null) return withoutIdentityProvider('OIDC_ISSUER is set and OIDC_CLIENT_ID is not');
  return {
    directory: {
      issuer: address,
      clientId: client,
      audience: reading.text(audience) ?? client,
      subjectClaim: reading.text(subjectClaim) ?? 'sub',
      ca,
    },
    notice: null,
  };
}

function withoutIdentityProvider(cause: string): IdentityProviderOutcome {
  return { directory: null, notice: `${cause}. No identity provider is used: every token is refused.` };
}

/** A password in an address must not appear in a log. */
function withoutUserInfo(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//');
}
