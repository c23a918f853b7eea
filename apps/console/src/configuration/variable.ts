/** One environment variable as the reference shows it. Reading goes through the same value: what is read is documented. */
export interface Variable {
  readonly name: string;
  /** Which build reads it. */
  readonly profile: 'both' | 'on-premise' | 'serverless';
  /** What a value looks like, with its bounds: `whole number, 0 to 65535`. */
  readonly form: string;
  /** What holds where it is absent, or null where it must be set. */
  readonly fallback: string | null;
  /** What it does, in one or two sentences. */
  readonly effect: string;
}
