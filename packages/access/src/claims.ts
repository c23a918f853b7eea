import * as z from 'zod';

/** What a license may cover: the relay, agent commands, the workstation control plane (roles-20). */
export const CAPABILITIES = ['inference', 'agent-execution', 'workstation-control'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Seconds since 1970, up to the end of the year 9999: larger numbers, such as milliseconds, are no times that can be shown. */
const instant = z.int().min(0).max(253_402_300_799);

/**
 * The claims of a deployment license (roles-20). Times are seconds since 1970 (UTC).
 * A capability or a member this version does not know is stored and ignored: a license may be newer than the product.
 */
export const licenseClaims = z.looseObject({
  licensee: z.string().min(1),
  deployment: z.string().min(1),
  /** Distinct subjects served in one UTC calendar month; null: as many as there are. */
  seats: z.int().min(0).nullable(),
  capabilities: z.array(z.string()),
  iat: instant,
  exp: instant,
  /** Days after `exp` during which everything is still served. */
  graceDays: z.int().min(0).max(999_999),
});
export type LicenseClaims = z.infer<typeof licenseClaims>;
