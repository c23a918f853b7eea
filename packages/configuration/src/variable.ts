/**
 * One environment variable as the reference documentation shows it. Reading goes through the same value, so a variable
 * that is read is a variable that is documented.
 */
export interface Variable {
  readonly name: string;
  /** What a value looks like, with its bounds: `whole number, 1 to 86400`. */
  readonly form: string;
  /** What holds where the variable is absent, or null where it must be set. */
  readonly fallback: string | null;
  /** What it does, in one or two sentences. */
  readonly effect: string;
}

/** What bounds a whole number, and what it is where nobody says. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

/** A variable whose value is a whole number: what it is read with is what its form says. */
export interface WholeNumber extends Variable {
  readonly bounds: Bounds;
}

/** @param of what is counted */
export function wholeNumber({
  name,
  of,
  effect,
  ...bounds
}: Bounds & { readonly name: string; readonly of?: string; readonly effect: string }): WholeNumber {
  const form = `whole number${of === undefined ? '' : ` of ${of}`}, ${bounds.least} to ${bounds.most}`;
  return { name, form, fallback: String(bounds.fallback), effect, bounds };
}
