/** Which build reads a variable. */
export type VariableProfile = 'both' | 'on-premise' | 'serverless';

/**
 * One environment variable as the reference documentation shows it. Reading goes through the same value, so a variable
 * that is read is a variable that is documented.
 */
export interface Variable {
  readonly name: string;
  readonly profile: VariableProfile;
  /** What a value looks like, with its bounds: `whole number, 1 to 86400`. */
  readonly form: string;
  /** What holds where the variable is absent, or null where it must be set. */
  readonly fallback: string | null;
  /** What it does, in one or two sentences. */
  readonly effect: string;
}
