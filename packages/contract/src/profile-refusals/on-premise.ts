/** Refusals of the on-premise profile: the deployment licence (specification, Errors, Relay). */
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
} as const satisfies Record<string, readonly [number, string]>;
