import { CAUSES as HOSTED } from '#hosted-refusals';
import { CAUSES as ON_PREMISE } from '#on-premise-refusals';

/** The cause of a refusal, and its fix. */
export type Cause = readonly [cause: string, fix: string];

const REFUSED_PROOF =
  'Present a valid key or token. Only the decision log has the reason; an auditor finds it by this code.';
const TOKEN =
  'Sign in again. As an operator, compare OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_AUDIENCE with the identity provider.';
export const DATABASE =
  'The gateway writes the cause to its error output. Fix the database. Nothing was relayed, and the gateway serves again without a restart.';

/** For refusals that the decision log stores as decisions, by their code: for the manual, and for the console. */
export const CAUSES: Readonly<Record<string, Cause>> = {
  'credentials-missing': [
    'Neither Authorization nor x-api-key has a value.',
    'Set an account key or a token of the identity provider in the client.',
  ],
  'key-unknown': [
    'No account has this key. Or it is an opaque or encrypted token, which only the identity provider can read.',
    `${REFUSED_PROOF} Of an identity provider, present the identity token.`,
  ],
  'sign-in-throttled': [
    'Ten or more sign-ins from this address failed. Until the wait is over, every sign-in is refused, even with a good proof.',
    'Wait as long as Retry-After says. Behind a proxy, name the proxy in GATEWAY_TRUSTED_PROXIES. Otherwise all callers share its address.',
  ],
  'key-revoked': ['The key was revoked or replaced by rotation.', 'An operator issues a new key.'],
  'key-expired': ['The key was issued with an expiry date, which has passed.', 'An operator issues a new key.'],
  'account-disabled': ['The account is disabled.', 'An administrator enables the account.'],
  'token-malformed': ['The token cannot be read as a signed token.', TOKEN],
  'token-algorithm': [
    'The token is signed with an algorithm that is not on the allow-list.',
    'Let the identity provider sign with RS256, PS256, ES256, ES384, ES512, EdDSA or Ed25519.',
  ],
  'token-signature': ['The signature matches no key that the identity provider publishes.', TOKEN],
  'token-issuer': ['The token comes from another issuer than OIDC_ISSUER.', TOKEN],
  'token-audience': [
    'The token was made for another audience than OIDC_AUDIENCE.',
    "Present the identity token, or set OIDC_AUDIENCE of the gateway to the audience of this provider's access tokens.",
  ],
  'token-expired': ['The token has expired, beyond the tolerance of 60 seconds.', 'The caller signs in again.'],
  'token-not-yet-valid': [
    'The token is not valid yet, beyond the tolerance of 60 seconds.',
    'Correct the clocks of the identity provider and the gateway.',
  ],
  'token-claims': [
    'A required claim is absent, of another type, or not verified by the identity provider. The entry in the decision log names it.',
    'Let the identity provider add it to the token, or verify the address, or name another claim for the subject with OIDC_SUBJECT_CLAIM. For a workload, compare its token with the rule in GATEWAY_WORKLOADS_FILE that the entry names.',
  ],
  'token-subject-is-local': [
    'The subject of the token equals the username of a local account. The two are never merged.',
    'Use another claim with OIDC_SUBJECT_CLAIM. In the hosted build the local account can be deleted instead.',
  ],
  'directory-absent': [
    'A token was presented, and no identity provider is configured.',
    'Set OIDC_ISSUER and OIDC_CLIENT_ID, or use account keys.',
  ],
  'directory-unreachable': [
    'The identity provider gives no keys, and none are cached.',
    'The gateway writes the cause to its error output, in a line with OIDC_ISSUER. Calls with account keys are served meanwhile.',
  ],
  'subject-revoked': [
    'An administrator revoked this subject.',
    'An administrator lifts the revocation, in the console under Audit, Revoked subjects, or with gatewayctl subject lift.',
  ],
  'session-revoked': [
    'The agent session, or one above it, was revoked.',
    'Start a new session. The same person can work in another session.',
  ],
  'endpoint-unknown': [
    'The first segment of the path names no endpoint.',
    'Use a name from available, or declare the endpoint in the console.',
  ],
  'endpoint-disabled': ['The endpoint was disabled.', 'An administrator enables it in the console.'],
  'role-missing': [
    'The subject has no role that may call endpoints.',
    'Grant the role User, in the console under Policy, Roles, or with gatewayctl grant SUBJECT standard-user AUTHOR.',
  ],
  'provider-excluded': [
    "The organization's policy lists providers, and the endpoint's provider is not among them.",
    'Call an endpoint of a listed provider, or add the provider to models.providers of the policy.',
  ],
  'unreadable-body': [
    'The body has a content coding that is not known, bytes behind its compressed data, or more than 16 MiB when decoded. It cannot be searched for secrets.',
    'Send the body without a coding. With the policy response alert, such bodies are relayed as they came.',
  ],
  'policy-forbids': [
    'A forbid policy of the authorization policy in force applies, or the path is not among those that the endpoint declares.',
    'The decision entry names the policy or the endpoint. Install another revision, or edit the paths of the endpoint.',
  ],
  'policy-error': [
    'The policy could not be evaluated for this call, which counts as forbidden.',
    'The decision entry names the policy. Correct it and install it again.',
  ],
  'secret-detected': [
    'The body appears to contain a secret.',
    'Remove it. If the value is not a secret, add its SHA-256 digest to the allow list of the organization policy.',
  ],
  'secret-answered': [
    'The answer appears to contain a secret.',
    'The engine was called, and the answer was not served. If the value is not a secret, add its SHA-256 digest to the allow list of the organization policy.',
  ],
  undecided: ['Revocations, sessions, roles or the policy could not be read.', DATABASE],
  unrecorded: ['The approval could not be committed to the decision log.', DATABASE],
  'entries-missing': [
    'The log went back: a backup was restored, or a standby without the last entries was promoted. The entry is no call. Its detail names the entry that was lost.',
    'Find the lost entries at the log collector, and keep the old checkpoint. Use synchronous replication, which loses none.',
  ],
  'execution-role-missing': ['The subject has no role that may run agent commands.', 'Grant the role User.'],
  'execution-policy-forbids': ['A forbid policy applies to running commands.', 'The decision entry names the policy.'],
  'execution-policy-error': [
    'The policy could not be evaluated for this command, which counts as forbidden.',
    'The decision entry names the policy. Correct it and install it again.',
  ],
  'execution-undecided': ['Revocations, roles or the policy could not be read.', DATABASE],
  'execution-unrecorded': ['The approval could not be committed, so the command was not started.', DATABASE],
  'permission-missing': [
    'No role of the subject has the permission that the address needs.',
    'Grant the role that the sentence names, if the person should have it.',
  ],
  ...HOSTED,
  ...ON_PREMISE,
};
