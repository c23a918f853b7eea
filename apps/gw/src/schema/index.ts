import type { Json } from '../agent/types/index.ts';

/** What is wrong with a value, and where: reads on after the member, `must be text`. */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The member that the schema does not know; then `path` is that of the object around it. */
  readonly unknown?: string;
}
type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly Issue[] };

/** JSON Schema, as models receive it. */
export type JsonSchema = { readonly [name: string]: Json };

type Path = readonly (string | number)[];
/** Returns the value as it counts. What is wrong with it is added to `issues`; the result then means nothing. */
type Read<T> = (value: unknown, path: Path, issues: Issue[]) => T;

/**
 * Checks values from outside: files, arguments of tools, answers of engines. A schema is a small object that is cheap to create,
 * because each start of the program creates all of them: zod/mini added a sixth to the start of `gw -p` (docs/decisions/client-start.md).
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
class Optional<out T> {
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
function mismatch(value: unknown, what: string): string {
  if (value === undefined) return 'is missing';
  return value === null ? 'is empty' : `must be ${what}`;
}

function typed<T>(json: JsonSchema, what: string, isOne: (value: unknown) => boolean): Schema<T> {
  return new Schema<T>(json, (value, path, issues) => {
    if (!isOne(value)) issues.push({ path, message: mismatch(value, what) });
    return value as T;
  });
}

/** Limits of a number, or of a length. */
interface Limits {
  readonly min?: number;
  readonly max?: number;
}
interface NumberLimits extends Limits {
  readonly moreThan?: number;
}

export function string({ min = 0, max = Number.POSITIVE_INFINITY }: Limits = {}): Schema<string> {
  const json = {
    type: 'string',
    ...(min > 0 ? { minLength: min } : {}),
    ...(Number.isFinite(max) ? { maxLength: max } : {}),
  };
  const text = typed<string>(json, 'text', (value) => typeof value === 'string');
  if (min === 0 && !Number.isFinite(max)) return text;
  return text
    .refine(({ length }) => length >= min, min === 1 ? 'is empty' : `must have ${min} characters at least`)
    .refine(({ length }) => length <= max, `must have ${max} characters at most`);
}

/** A text that is not blank, without the blanks around it. */
export function trimmed({ min = 0, max = Number.POSITIVE_INFINITY }: Limits = {}): Schema<string> {
  const inner = string({ min, max });
  return new Schema(inner.json, (value, path, issues) =>
    inner.read(typeof value === 'string' ? value.trim() : value, path, issues),
  );
}

export function number(limits: NumberLimits = {}): Schema<number> {
  return limitNumber(typed({ type: 'number' }, 'a number', Number.isFinite), limits);
}

export function integer(limits: NumberLimits = {}): Schema<number> {
  return limitNumber(typed({ type: 'integer' }, 'a whole number', Number.isSafeInteger), limits);
}

function limitNumber(schema: Schema<number>, { min, max, moreThan }: NumberLimits): Schema<number> {
  let checked = schema;
  if (min !== undefined) checked = checked.refine((value) => value >= min, `must be ${min} or more`);
  if (max !== undefined) checked = checked.refine((value) => value <= max, `must be ${max} or less`);
  if (moreThan !== undefined) checked = checked.refine((value) => value > moreThan, `must be greater than ${moreThan}`);
  const json = {
    ...schema.json,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(moreThan === undefined ? {} : { exclusiveMinimum: moreThan }),
  };
  return new Schema(json, checked.read);
}

/** A text for which models often give a number. */
export function stringOrNumber(): Schema<string> {
  const inner = string({ min: 1 });
  return new Schema(inner.json, (value, path, issues) =>
    inner.read(typeof value === 'number' ? String(value) : value, path, issues),
  );
}

export function boolean(): Schema<boolean> {
  return typed({ type: 'boolean' }, 'true or false', (value) => typeof value === 'boolean');
}

/** One of these texts. */
export function oneOf<const Values extends readonly string[]>(values: Values): Schema<Values[number]> {
  const what = `${values.slice(0, -1).join(', ')}${values.length > 1 ? ' or ' : ''}${values.at(-1)}`;
  return typed({ type: 'string', enum: values }, what, (value) => values.some((one) => one === value));
}

export function literal<const Value extends string | number>(expected: Value): Schema<Value> {
  return typed({ const: expected }, JSON.stringify(expected), (value) => value === expected);
}

/** Anything, for what is checked elsewhere. */
export function unknown(): Schema<unknown> {
  return new Schema({}, (value) => value);
}

/** A time in ISO 8601, UTC. */
export function instant(): Schema<string> {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z$/;
  return string().refine((text) => form.test(text) && !Number.isNaN(Date.parse(text)), 'must be a time');
}

export function array<T>(
  item: Schema<T>,
  { min = 0, max = Number.POSITIVE_INFINITY }: Limits = {},
  what = 'a list',
): Schema<T[]> {
  const read: Read<T[]> = (value, path, issues) => {
    if (!Array.isArray(value)) {
      issues.push({ path, message: mismatch(value, what) });
      return [];
    }
    if (value.length < min) issues.push({ path, message: min === 1 ? 'is empty' : `must have ${min} items at least` });
    if (value.length > max) issues.push({ path, message: `must have ${max} items at most` });
    return value.map((one: unknown, at) => item.read(one, [...path, at], issues));
  };
  const json = {
    type: 'array',
    ...(min > 0 ? { minItems: min } : {}),
    ...(Number.isFinite(max) ? { maxItems: max } : {}),
    items: item.json,
  };
  return new Schema(json, read);
}

/** An object whose members have any names. */
export function record<T>(item: Schema<T>, what = 'an object'): Schema<Record<string, T>> {
  return new Schema({ type: 'object', additionalProperties: item.json }, (value, path, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      issues.push({ path, message: mismatch(value, what) });
      return {};
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, item.read(one, [...path, name], issues)]),
    );
  });
}

/** The first of the schemas that takes the value. */
export function union<const Schemas extends readonly Schema<unknown>[]>(
  schemas: Schemas,
  message = 'has an unknown form',
): Schema<Infer<Schemas[number]>> {
  return new Schema<Infer<Schemas[number]>>({ anyOf: schemas.map(({ json }) => json) }, (value, path: Path, issues) => {
    for (const schema of schemas) {
      const found: Issue[] = [];
      const read = schema.read(value, path, found);
      if (found.length === 0) return read as Infer<Schemas[number]>;
    }
    issues.push({ path, message: value === undefined ? 'is missing' : message });
    return value as Infer<Schemas[number]>;
  });
}

type Shape = { readonly [name: string]: Schema<unknown> | Optional<unknown> };
type Required<S extends Shape> = { [Name in keyof S as S[Name] extends Optional<unknown> ? never : Name]: S[Name] };
type Missing<S extends Shape> = { [Name in keyof S as S[Name] extends Optional<unknown> ? Name : never]?: S[Name] };
type ValueOf<M> = M extends Schema<infer T> ? T : M extends Optional<infer T> ? T : never;
type Flat<T> = { [Name in keyof T]: T[Name] };
type ObjectOf<S extends Shape> = Flat<
  { [Name in keyof Required<S>]: ValueOf<S[Name]> } & { [Name in keyof Missing<S>]?: ValueOf<S[Name]> }
>;

export class ObjectSchema<S extends Shape = Shape> extends Schema<ObjectOf<S>> {
  readonly shape: S;
  constructor(shape: S, strict: boolean, what: string) {
    super(jsonOf(shape), (value, path, issues) => readObject(shape, strict, what, value, path, issues) as ObjectOf<S>);
    this.shape = shape;
  }
}

/** Members that are not listed are left out. */
export function object<S extends Shape>(shape: S, what = 'an object'): ObjectSchema<S> {
  return new ObjectSchema(shape, false, what);
}

/** Members that are not listed are refused. */
export function strictObject<S extends Shape>(shape: S, what = 'an object'): ObjectSchema<S> {
  return new ObjectSchema(shape, true, what);
}

function jsonOf(shape: Shape): JsonSchema {
  const members = Object.entries(shape);
  const required = members.flatMap(([name, member]) => (member instanceof Optional ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, (member instanceof Optional ? member.schema : member).json]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function readObject(shape: Shape, strict: boolean, what: string, value: unknown, path: Path, issues: Issue[]): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    issues.push({ path, message: mismatch(value, what) });
    return {};
  }
  const given = value as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape)) {
    const one = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!(member instanceof Optional)) read[name] = member.read(one, [...path, name], issues);
    else if (one !== undefined) read[name] = member.schema.read(one, [...path, name], issues);
  }
  if (strict)
    for (const name of Object.keys(given))
      if (!Object.hasOwn(shape, name)) issues.push({ path, message: 'is not a known member', unknown: name });
  return read;
}
