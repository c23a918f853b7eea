import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as s from './index.ts';

const issuesOf = (schema: s.Schema<unknown>, value: unknown) => {
  const checked = schema.check(value);
  return checked.ok ? [] : checked.issues.map(({ path, message, unknown }) => [path.join('.'), message, unknown]);
};

describe('a value that fits', () => {
  const person = s.strictObject({
    name: s.string({ min: 1 }),
    age: s.integer({ min: 0, max: 150 }).optional(),
    nick: s.trimmed().orNull(),
    tags: s.array(s.oneOf(['a', 'b'])),
    more: s.record(s.union([s.boolean(), s.object({ kind: s.literal('x') })])),
  });

  it('is given back', () => {
    const value = { name: 'Casey', age: 7, nick: null, tags: ['a', 'b'], more: { one: true, two: { kind: 'x' } } };
    expect(person.check(value)).toEqual({ ok: true, value });
  });

  it('may lack optional members, and contains their defaults', () => {
    const least = { name: 'C', tags: [], more: {} };
    expect(person.valueOf(least)).toEqual({ ...least, nick: null });
    expect(s.object({ list: s.array(s.string()).orElse(['x']) }).valueOf({})).toEqual({ list: ['x'] });
  });

  it('loses members that are not listed, and blanks where they do not count', () => {
    expect(s.object({ a: s.trimmed({ min: 1 }) }).valueOf({ a: ' b\n', c: 1 })).toEqual({ a: 'b' });
    expect(s.stringOrNumber().valueOf(7)).toBe('7');
  });

  it('never takes a member from the prototype', () => {
    const shape = s.object({ toString: s.string().optional(), constructor: s.unknown() });
    expect(shape.valueOf({})).toEqual({ constructor: undefined });
    const parsed = s.record(s.unknown()).valueOf(JSON.parse('{"__proto__":{"polluted":1}}'));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed ?? {})).toEqual(['__proto__']);
  });
});

describe('the message about an invalid value', () => {
  it.each([
    [s.string(), undefined, 'is missing'],
    [s.string(), null, 'is empty'],
    [s.string(), 1, 'must be text'],
    [s.string({ min: 1 }), '', 'is empty'],
    [s.string({ min: 2 }), 'a', 'must have 2 characters at least'],
    [s.string({ max: 2 }), 'abc', 'must have 2 characters at most'],
    [s.trimmed({ min: 1 }), ' ', 'is empty'],
    [s.number(), Number.NaN, 'must be a number'],
    [s.number(), '1', 'must be a number'],
    [s.number({ moreThan: 0 }), 0, 'must be greater than 0'],
    [s.number({ max: 2 }), 3, 'must be 2 or less'],
    [s.integer(), 1.5, 'must be a whole number'],
    [s.integer({ min: 1 }), 0, 'must be 1 or more'],
    [s.boolean(), 'true', 'must be true or false'],
    [s.oneOf(['a', 'b', 'c']), 'd', 'must be a, b or c'],
    [s.literal(1), 2, 'must be 1'],
    [s.instant(), '2026-01-01', 'must be a time'],
    [s.instant(), '2026-13-01T00:00:00Z', 'must be a time'],
    [s.array(s.string()), {}, 'must be a list'],
    [s.array(s.string(), { min: 1 }), [], 'is empty'],
    [s.array(s.string(), { min: 2 }), ['a'], 'must have 2 items at least'],
    [s.array(s.string(), { max: 1 }), ['a', 'b'], 'must have 1 items at most'],
    [s.object({}), [], 'must be an object'],
    [s.record(s.string()), [], 'must be an object'],
    [s.union([s.string(), s.boolean()]), 1, 'has an unknown form'],
    [s.union([s.string(), s.boolean()]), undefined, 'is missing'],
    [s.string().refine((text) => text === 'x', 'must be x'), 'y', 'must be x'],
  ] as const)('%#: %o', (schema, value, message) => {
    expect(issuesOf(schema, value)).toEqual([['', message, undefined]]);
    expect(schema.valueOf(value)).toBeNull();
  });

  it('names the path of each fault', () => {
    const shape = s.strictObject({ list: s.array(s.object({ name: s.string() })), by: s.record(s.integer()) });
    expect(issuesOf(shape, { list: [{ name: 'a' }, { name: 1 }, 2], by: { x: 1.5 }, other: 0, more: 0 })).toEqual([
      ['list.1.name', 'must be text', undefined],
      ['list.2', 'must be an object', undefined],
      ['by.x', 'must be a whole number', undefined],
      ['', 'is not a known member', 'other'],
      ['', 'is not a known member', 'more'],
    ]);
  });

  it('reports nothing else about a value of the wrong type', () => {
    const asked: unknown[] = [];
    const refined = s.string().refine((text) => asked.push(text) > 0);
    expect(issuesOf(s.object({ a: refined }), { a: 1 })).toHaveLength(1);
    expect(asked).toEqual([]);
  });
});

it('the JSON Schema says what is checked', () => {
  const shape = s.object({
    path: s.string({ min: 1, max: 9 }).describe('A path.'),
    lines: s.integer({ min: 1 }).optional().describe('How many.'),
    time: s.number({ moreThan: 0, max: 60 }),
    states: s.array(s.oneOf(['open', 'done']), { min: 1 }),
  });
  expect(shape.json).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, maxLength: 9, description: 'A path.' },
      lines: { type: 'integer', minimum: 1, description: 'How many.' },
      time: { type: 'number', exclusiveMinimum: 0, maximum: 60 },
      states: { type: 'array', minItems: 1, items: { type: 'string', enum: ['open', 'done'] } },
    },
    required: ['path', 'time', 'states'],
    additionalProperties: false,
  });
});

it('any JSON is accepted or refused with a message, never with an exception', () => {
  const shape = s.strictObject({
    text: s.string({ min: 1 }).optional(),
    list: s.array(s.union([s.number(), s.record(s.boolean())])).orNull(),
    when: s.instant().nullable(),
  });
  const member = fc.constantFrom('text', 'list', 'when', '__proto__', 'x');
  expect.hasAssertions();
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(member, fc.jsonValue())), (value) => {
      const checked = shape.check(value);
      const messages = checked.ok ? [] : checked.issues.map(({ message }) => message);
      expect(messages.filter((message) => !/^(?:is|must|has) .+/.test(message))).toEqual([]);
      expect(checked.ok ? shape.check(checked.value) : checked).toEqual(checked);
    }),
  );
});

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
};

/** Whether a value conforms to a JSON Schema, by the keywords that are written here; another one is a fault. */
function conforms(json: Json, value: unknown): boolean {
  return Object.entries(json).every(([keyword, limit]) => {
    const [length, size] = [typeof value === 'string' ? value.length : 0, Array.isArray(value) ? value.length : 0];
    switch (keyword) {
      case 'type':
        return TYPES[String(limit)]?.(value) === true;
      case 'enum':
        return (limit as unknown[]).includes(value);
      case 'const':
        return limit === value;
      case 'anyOf':
        return (limit as Json[]).some((one) => conforms(one, value));
      case 'minLength':
        return typeof value !== 'string' || length >= Number(limit);
      case 'maxLength':
        return length <= Number(limit);
      case 'minItems':
        return !Array.isArray(value) || size >= Number(limit);
      case 'maxItems':
        return size <= Number(limit);
      case 'minimum':
        return typeof value !== 'number' || value >= Number(limit);
      case 'maximum':
        return typeof value !== 'number' || value <= Number(limit);
      case 'exclusiveMinimum':
        return typeof value !== 'number' || value > Number(limit);
      case 'items':
        return !Array.isArray(value) || value.every((one) => conforms(limit as Json, one));
      case 'required':
        return !isObject(value) || (limit as string[]).every((name) => Object.hasOwn(value, name));
      case 'properties':
        return (
          !isObject(value) ||
          Object.entries(limit as Record<string, Json>).every(
            ([name, one]) => !Object.hasOwn(value, name) || conforms(one, value[name]),
          )
        );
      case 'additionalProperties': {
        if (!isObject(value)) return true;
        const known = Object.keys(json['properties'] ?? {});
        const others = Object.keys(value).filter((name) => !known.includes(name));
        return limit === false ? others.length === 0 : others.every((name) => conforms(limit as Json, value[name]));
      }
      default:
        throw new Error(`The keyword ${keyword} is not known here.`);
    }
  });
}

const count = fc.nat(4);
const { schema } = fc.letrec<{ schema: s.Schema<unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(count, count).map(([min, more]): s.Schema<unknown> => s.string({ min, max: min + more })),
    fc.constant<s.Schema<unknown>>(s.boolean()),
    fc.tuple(count, count).map(([min, more]): s.Schema<unknown> => s.integer({ min, max: min + more })),
    count.map((moreThan): s.Schema<unknown> => s.number({ moreThan })),
    fc.constant<s.Schema<unknown>>(s.oneOf(['a', 'b'])),
    fc.constant<s.Schema<unknown>>(s.literal(1)),
    fc
      .tuple(tie('schema'), count, count)
      .map(([one, min, more]): s.Schema<unknown> => s.array(one, { min, max: min + more })),
    tie('schema').map((one): s.Schema<unknown> => s.record(one)),
    fc.tuple(tie('schema'), tie('schema')).map((both): s.Schema<unknown> => s.union(both)),
    fc.tuple(tie('schema'), tie('schema')).map(([a, b]): s.Schema<unknown> => s.strictObject({ a, b: b.optional() })),
  ),
}));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('', 'a', 'b', 'abc', 'abcdefgh', 0, 1, 2, 3.5, 8, -1, true, null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
}));

describe('for any schema and any value', () => {
  it('the model receives the schema that is checked: both accept the same values', () => {
    let taken = 0;
    fc.assert(
      fc.property(schema, value, (one, given) => {
        const { ok } = one.check(given);
        if (ok) taken += 1;
        expect(ok).toBe(conforms(one.json, given));
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  it('each issue names a place that is in the value, or a member that is missing there', () => {
    fc.assert(
      fc.property(schema, value, (one, given) => {
        const checked = one.check(given);
        for (const { path } of checked.ok ? [] : checked.issues) {
          const parent = path.slice(0, -1).reduce<unknown>((at, name) => (at as Json)[name], given);
          expect(path.length === 0 || (typeof parent === 'object' && parent !== null)).toBe(true);
        }
      }),
    );
  });

  it('a value that is taken does not change, and is taken again', () => {
    fc.assert(
      fc.property(schema, value, (one, given) => {
        const checked = one.check(given);
        expect(checked.ok ? checked.value : given).toEqual(given);
      }),
    );
  });
});

describe('text', () => {
  it('may be surrounded by blanks that do not count for its length', () => {
    const schemaOfWord = s.trimmed({ min: 1, max: 3 });
    expect(schemaOfWord.valueOf('  abc\n')).toBe('abc');
    expect(schemaOfWord.valueOf(' \t')).toBeNull();
    expect(schemaOfWord.valueOf('a b ')).toBe('a b');
    expect(schemaOfWord.valueOf(' abcd')).toBeNull();
  });

  it('is made of a number where models often send one, and of nothing else', () => {
    expect([7, 0.5, '7', '', true, null, [7]].map((one) => s.stringOrNumber().valueOf(one))).toEqual([
      '7',
      '0.5',
      '7',
      null,
      null,
      null,
      null,
    ]);
  });
});

it.each([
  ['2026-06-01T12:00Z', true],
  ['2026-06-01T12:00:00Z', true],
  ['2026-06-01T12:00:00.123456Z', true],
  ['2026-06-01T12:00:00+02:00', false],
  ['2026-06-01T24:01:00Z', false],
  ['2026-06-01', false],
  ['1780000000', false],
  ['2026-06-01T12:00:00Z\n', false],
])('%j is a time: %s', (text, expected) => {
  expect(s.instant().check(text).ok).toBe(expected);
});

it('a value that may be missing, empty or neither is distinguished', () => {
  const shape = s.object({
    a: s.string().optional(),
    b: s.string().nullable(),
    c: s.string().orNull(),
    d: s.string().orElse('d'),
  });
  expect(shape.valueOf({ b: null })).toEqual({ b: null, c: null, d: 'd' });
  expect(shape.valueOf({ a: 'a', b: 'b', c: null, d: 'e' })).toEqual({ a: 'a', b: 'b', c: null, d: 'e' });
  expect(shape.valueOf({})).toBeNull();
  expect(shape.valueOf({ a: null, b: null })).toBeNull();
  expect(shape.valueOf({ b: null, d: null })).toBeNull();
});
