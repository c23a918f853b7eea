/** The brand word of identifiers and sentences (specification, first paragraph). Nothing else spells it. */
export const BRAND = 'gateway';

/** Header in which a caller names its agent session (specification, Relay rule 7). */
export const SESSION_HEADER = `x-${BRAND}-session`;

/** Header that says a session was revoked (specification, Errors, Relay). */
export const SESSION_STANDING_HEADER = `x-${BRAND}-session-standing`;

/** First URL segments that can never name an endpoint (specification, Endpoint). */
export const RESERVED_SEGMENTS = ['v', 'ide', '_agent-execution'] as const;
