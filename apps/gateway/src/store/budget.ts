/**
 * Milliseconds the database may take of one answer; of a relayed call, for all of them together (attacks and faults: the
 * budget). What it has not said by then counts as not said.
 */
export const DATABASE_BUDGET = 5000;
