import { type Issue, type JsonSchema, mismatch, Optional, type Path, Schema } from './schema.ts';

export type Shape = { readonly [name: string]: Schema<unknown> | Optional<unknown> };
type Required<S extends Shape> = { [Name in keyof S as S[Name] extends Optional<unknown> ? never : Name]: S[Name] };
type Missing<S extends Shape> = { [Name in keyof S as S[Name] extends Optional<unknown> ? Name : never]?: S[Name] };
type ValueOf<M> = M extends Schema<infer T> ? T : M extends Optional<infer T> ? T : never;
type Flat<T> = { [Name in keyof T]: T[Name] };
export type ObjectOf<S extends Shape> = Flat<
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
