/** The brand word of identifiers and sentences. Nothing else spells it. */
export const BRAND = 'gateway';

/** Header in which a caller names its agent session (refusals-7). */
export const SESSION_HEADER = `x-${BRAND}-session`;

/** Header of a revoked session (refusals-7). */
export const SESSION_STANDING_HEADER = `x-${BRAND}-session-standing`;

/** First URL segments that can never name an endpoint (console-13). */
export const RESERVED_SEGMENTS = ['v', 'ide', '_agent-execution'] as const;
