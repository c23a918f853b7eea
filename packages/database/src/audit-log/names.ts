/** The two logs, by the names of their tables: seals and checkpoints speak of them so. */
export const DECISIONS = 'authorization_decisions';
export const ACTIONS = 'administration_actions';
export type ChainName = typeof DECISIONS | typeof ACTIONS;

/** Advisory locks: each appender to a chain takes its turn (any two constants do). */
export const TURN_OF: Readonly<Record<ChainName, number>> = { [DECISIONS]: 727_002, [ACTIONS]: 727_003 };
