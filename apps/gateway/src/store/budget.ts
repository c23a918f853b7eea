/**
 * Milliseconds of database time for one answer; for a relayed call, for all queries together (attacks and faults: the budget). A
 * later reply counts as missing.
 */
export const DATABASE_BUDGET = 5000;
