/**
 * The author written beside what the shared pair of the hosted profile did. No account takes it as its name: what the account did would
 * read like an act of the pair.
 */
export const SHARED_PAIR_AUTHOR = 'shared-pair';

/** The author of what an identity provider provisions over SCIM. Only revocations under this name are lifted over SCIM. */
export const PROVISIONING_AUTHOR = 'scim';

/** The author of the entries of budget alerts, which no person causes. */
export const BUDGET_ALERT_AUTHOR = 'budget-alerts';

/** The prefix of workload subjects. A person's subject never has it, so the two cannot be confused. */
export const WORKLOAD_PREFIX = 'workload:';

/** Whether a name is reserved for the product: no account and no person of an identity provider has it. */
export function isReservedName(name: string): boolean {
  const authors = [SHARED_PAIR_AUTHOR, PROVISIONING_AUTHOR, BUDGET_ALERT_AUTHOR];
  return authors.includes(name) || name.startsWith(WORKLOAD_PREFIX);
}

/** The brand word of identifiers and sentences. Nothing else spells it. */
export const BRAND = 'gateway';

/** Header in which a caller names its agent session (refusals-7). */
export const SESSION_HEADER = `x-${BRAND}-session`;

/** Header of a revoked session (refusals-7). */
export const SESSION_STANDING_HEADER = `x-${BRAND}-session-standing`;

/** First URL segments that can never name an endpoint (console-13). */
export const RESERVED_SEGMENTS = ['v', 'ide', '_agent-execution'] as const;
