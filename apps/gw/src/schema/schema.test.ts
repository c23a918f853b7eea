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
