/**
 * The author written beside what the shared pair of the hosted profile did. No account takes it as its name: what the account did would
 * read like an act of the pair.
 */
export const SHARED_PAIR_AUTHOR = 'shared-pair';
