/**
 * Refusals of the on-premise profile: the deployment license (refusals-10), and sign-in to the console. The answer to a refused
 * proof explains the mechanism, never the state of the deployment (console-4).
 */
export const SENTENCES = {
  'license-seats': [
    403,
    'The license does not cover this request: seat limit reached for the current month (contact operator to increase seats).',
  ],
  'license-capability': [
    403,
    'The license does not cover this request: capability "<name>" not included in the license.',
  ],
  'license-expired': [
    403,
    'The license does not cover this request: license expired and grace elapsed (contact operator to renew).',
  ],
  // Console
  'sign-in-directory': [401, 'Sign in through the identity provider (directory) of the organization, at /auth/login.'],
  'directory-silent': [
    503,
    'The identity provider of the organization cannot be reached, so nobody can sign in right now.',
  ],
  'sign-in-return': [
    400,
    'This return from the identity provider belongs to no sign-in that this browser began, or was used already. Begin again at /auth/login.',
  ],
  'sign-in-not-admitted': [
    403,
    'The identity provider knows you, but this instance does not admit you. Ask the operator of this deployment.',
  ],
  'sign-in-declined': [400, 'The identity provider did not confirm this sign-in. Begin again at /auth/login.'],
} as const satisfies Record<string, readonly [number, string]>;

/** Causes and fixes of those that are decisions. */
export const CAUSES = {
  'license-seats': [
    'All seats of the license are used this month.',
    'Increase the seats. Subjects with a seat of this month are still served.',
  ],
  'license-capability': [
    'The license does not include this capability.',
    'Ask the vendor for a license that includes it.',
  ],
  'license-expired': [
    'The license and its grace period have ended.',
    'Install a renewed license with GATEWAY_LICENSE or GATEWAY_LICENSE_FILE and restart.',
  ],
} as const;

/** The same in a few words, for lists. */
export const REASONS = {
  'license-seats': 'no license seat',
  'license-capability': 'not in the license',
  'license-expired': 'license expired',
} as const;
