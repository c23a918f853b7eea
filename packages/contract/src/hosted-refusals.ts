/**
 * Refusals of the hosted profile: plans, caps and metering (refusals-12, refusals-17), and sign-in to the console. The answer to
 * a refused proof explains the mechanism, never the state of the deployment (console-4).
 */
export const SENTENCES = {
  'plan-missing': [403, 'No plan assigned. Ask your administrator to assign one.'],
  'cap-reached': [402, 'Plan limit reached'],
  'metering-unavailable': [
    503,
    'Usage cannot be metered right now, so the request was refused rather than served unbilled. Nothing was sent upstream.',
  ],
  'answer-unmetered': [
    503,
    'This answer could not be metered, so it was not served. Nothing was billed for it either.',
  ],
  // Console
  'sign-in-hosted': [
    401,
    'Sign in to this console with the shared pair (HTTP Basic), or with an account key as Authorization: Bearer or x-api-key.',
  ],
  'shared-pair-only': [403, 'Only the shared pair of this console may use this address. No role allows it.'],
} as const satisfies Record<string, readonly [number, string]>;

/** Causes and fixes of those that are decisions. */
export const CAUSES = {
  'plan-missing': ['No plan is attached to the account.', 'Attach a plan in the console.'],
  'cap-reached': [
    "The month's spending has reached the plan's cap.",
    'Raise the cap or attach another plan. The next month begins at zero.',
  ],
  'shared-pair-only': ['Only the hosted operator may use the address.', 'Sign in with the shared pair.'],
} as const;

/** The same in a few words, for lists. */
export const REASONS = {
  'plan-missing': 'no plan',
  'cap-reached': 'cap reached',
  'shared-pair-only': 'shared pair only',
  'metering-unavailable': 'metering unavailable',
  'answer-unmetered': 'answer not metered',
} as const;
