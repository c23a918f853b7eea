import type { Json } from '../agent/types/index.ts';

/** What is wrong with a value, and where: reads on after the member, `must be text`. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The member that the schema does not know; then `path` is that of the object around it. */
  readonly unknown?: string;
}
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** JSON Schema, as models receive it. */
export type JsonSchema = { readonly [name: string]: Json };

export type Path = readonly (string | number)[];
/** Returns the value as it counts. What is wrong with it is added to `issues`; the result then means nothing. */
export type Read<T> = (value: unknown, path: Path, issues: Issue[]) => T;

/**
 * Checks values from outside: files, arguments of tools, answers of engines. A schema is a small object that is cheap to create,
 * because each start of the program creates all of them: a validation library took a third of the start of `gw -p`.
 */
export class Schema<out T> {
  readonly json: JsonSchema;
  readonly read: Read<T>;

  constructor(json: JsonSchema, read: Read<T>) {
    this.json = json;
    this.read = read;
  }

  check(value: unknown): Checked<T> {
    const issues: Issue[] = [];
    const read = this.read(value, [], issues);
    return issues.length === 0 ? { ok: true, value: read } : { ok: false, issues };
  }

  /** The checked value; null where something is wrong with it. */
  valueOf(value: unknown): T | null {
    const checked = this.check(value);
    return checked.ok ? checked.value : null;
  }

  /** What the model reads about it. */
  describe(description: string): Schema<T> {
    return new Schema({ ...this.json, description }, this.read);
  }

  refine(holds: (value: T) => boolean, message = 'is not valid'): Schema<T> {
    return new Schema(this.json, (value, path, issues) => {
      const before = issues.length;
      const read = this.read(value, path, issues);
      if (issues.length === before && !holds(read)) issues.push({ path, message });
      return read;
    });
  }

  nullable(): Schema<T | null> {
    return new Schema(this.json, (value, path, issues) => (value === null ? null : this.read(value, path, issues)));
  }

  /** The member may be missing. */
  optional(): Optional<T> {
    return new Optional(this);
  }

  /** What counts where the member is missing. */
  orElse<Other>(otherwise: Other): Schema<T | Other> {
    return new Schema<T | Other>(this.json, (value, path, issues) =>
      value === undefined ? otherwise : this.read(value, path, issues),
    );
  }

  /** The member may be missing or null, which mean the same. */
  orNull(): Schema<T | null> {
    return this.nullable().orElse(null);
  }
}

/** A member that may be missing. */
export class Optional<out T> {
  readonly schema: Schema<T>;
  constructor(schema: Schema<T>) {
    this.schema = schema;
  }
  describe(description: string): Optional<T> {
    return new Optional(this.schema.describe(description));
  }
}

/** The type of the values of a schema. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

/** The message about a value of another type: members are mostly empty or missing, not wrong. */
export function mismatch(value: unknown, what: string): string {
  if (value === undefined) return 'is missing';
  return value === null ? 'is empty' : `must be ${what}`;
}
