/** Refusals that wait in memory while the database does not take them: of all processes of a gateway together. */
export const DECISION_CAPACITY = 10_000;
