/**
 * One environment variable as the reference documentation shows it. Reading goes through the same value, so a variable
 * that is read is a variable that is documented.
 */
export interface Variable {
  readonly name: string;
  /** What a value looks like, with its bounds: `whole number, 1 to 86400`. */
  readonly form: string;
  /** The default where the variable is absent, or null where it must be set. */
  readonly fallback: string | null;
  /** What it does, in one or two sentences. */
  readonly effect: string;
}

/** The bounds of a whole number, and its default. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

/** A variable with a whole number: its form also describes its check. */
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
