/** A revision of a policy. Its number alone does not identify it: in a database that was restored another may bear it. */
export interface Revision {
  readonly number: number;
  /** Seconds since 1970, as the database writes them. */
  readonly installedAt: string;
}
