/** Refusals of the hosted profile: plans, caps and metering (specification, Errors, Relay). */
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
} as const satisfies Record<string, readonly [number, string]>;
