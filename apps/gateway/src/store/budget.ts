/**
 * Milliseconds of database time for one answer; for a relayed call, for all queries together (attacks and faults: the budget). A
 * later reply counts as missing.
 */
export const DATABASE_BUDGET = 5000;

/** Refusals that wait in memory while the database does not take them: of all processes of a gateway together. */
export const DECISION_CAPACITY = 10_000;
