/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface Clock {
  now(): Date;
  /** Resolves after that many milliseconds; rejects with the signal's reason once it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** `plan`: nothing may be changed. `auto`: what would be asked is allowed; exclusions stay. */
export type Mode = 'normal' | 'plan' | 'auto';
