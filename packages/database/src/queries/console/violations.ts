import postgres from 'postgres';

/** A constraint of the schema that a statement violated. */
export interface Violation {
  readonly kind: 'taken' | 'reference' | 'check';
  readonly constraint: string;
}

const KINDS: Readonly<Record<string, Violation['kind']>> = {
  '23505': 'taken',
  '23503': 'reference',
  '23514': 'check',
};

/** What a failed statement violated; undefined for every other failure. */
export function violationOf(error: unknown): Violation | undefined {
  if (!(error instanceof postgres.PostgresError)) return undefined;
  const kind = KINDS[error.code];
  return kind === undefined ? undefined : { kind, constraint: error.constraint_name ?? '' };
}
