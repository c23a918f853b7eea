import type { Act } from '@gateway/database/audit-log/act';
import { array, assert, constantFrom, property, record, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compared, differencesOf, lineOf } from './differences.ts';

interface Item {
  readonly name: string;
  readonly value: string | null;
}

const item = record({ name: constantFrom('a', 'b', 'c', 'd', 'e'), value: constantFrom(null, 'x', 'y') });
const list = uniqueArray(item, { selector: ({ name }) => name, maxLength: 5 });

/** A list that records the acts on its items by changing a map. */
function compared(
  wanted: readonly Item[] | undefined,
  present: readonly Item[],
  state: Map<string, Item>,
): Compared<Item> {
  return {
    kind: 'item',
    wanted,
    present,
    nameOf: ({ name }) => name,
    create: (made) => async () => void state.set(made.name, made),
    change: (_, made) => async () => void state.set(made.name, made),
    remove: (gone) => async () => void state.delete(gone.name),
  };
}
const differences = (wanted: readonly Item[] | undefined, present: readonly Item[]) =>
  differencesOf(compared(wanted, present, new Map()));

describe('the differences of two lists', () => {
  it('lead from one to the other, and are none afterwards', async () => {
    for (const [wanted, present] of samples()) {
      const state = new Map(present.map((one) => [one.name, one]));
      const { put, extra } = differencesOf(compared(wanted, present, state));
      for (const { perform } of [...put, ...extra]) await perform({} as Act);
      const sorted = (items: Iterable<Item>) => [...items].toSorted((one, other) => one.name.localeCompare(other.name));
      expect(sorted(state.values())).toEqual(sorted(wanted));
      expect(differences(wanted, wanted)).toEqual({ put: [], extra: [] });
    }
  });

  it('create what is missing, change what differs, and leave the rest', () => {
    assert(
      property(list, list, (wanted, present) => {
        const names = (items: readonly Item[]) => items.map(({ name }) => name);
        const there = new Map(present.map((one) => [one.name, one]));
        const { put, extra } = differences(wanted, present);
        const of = (action: string) => put.filter((one) => one.action === action).map(({ name }) => name);
        expect(of('create')).toEqual(names(wanted.filter(({ name }) => !there.has(name))));
        expect(of('change')).toEqual(
          names(wanted.filter(({ name, value }) => there.has(name) && there.get(name)?.value !== value)),
        );
        expect(extra.map(({ name }) => name)).toEqual(
          names(present.filter(({ name }) => !wanted.some((one) => one.name === name))),
        );
      }),
    );
  });

  it('are none where the section is not named', () => {
    expect(differences(undefined, [{ name: 'a', value: 'x' }])).toEqual({ put: [], extra: [] });
  });

  it('name the members that differ, with both values', () => {
    const [change] = differences([{ name: 'a', value: null }], [{ name: 'a', value: 'x' }]).put;
    expect(change).toMatchObject({ members: [{ member: 'value', before: 'x', after: null }] });
  });

  it('delete nothing of a kind that is never deleted, and change nothing of one that is never changed', () => {
    const {
      remove: _remove,
      change: _change,
      ...of
    } = compared(
      [{ name: 'a', value: 'x' }],
      [
        { name: 'a', value: 'y' },
        { name: 'b', value: null },
      ],
      new Map(),
    );
    expect(differencesOf(of)).toEqual({ put: [], extra: [] });
  });
});

/** Pairs of lists that are the same in each run. */
function samples(): [Item[], Item[]][] {
  const pairs: [Item[], Item[]][] = [];
  assert(property(list, list, (wanted, present) => void pairs.push([wanted, present])));
  return pairs;
}

describe('a change on one line', () => {
  const change = (members: readonly [string, unknown, unknown][], action: 'create' | 'change' | 'delete' = 'change') =>
    lineOf({
      action,
      kind: 'endpoint',
      name: 'chat',
      members: members.map(([member, before, after]) => ({ member, before, after })),
      perform: () => Promise.resolve(),
    });

  it.each([
    [change([], 'create'), '+ endpoint chat'],
    [change([], 'delete'), '- endpoint chat'],
    [change([['active', true, false]]), '~ endpoint chat: active true -> false'],
    [
      change([
        ['paths', [], ['/a']],
        ['model', null, 'm'],
      ]),
      '~ endpoint chat: paths [] -> ["/a"], model null -> "m"',
    ],
    [
      change([['text', 'x'.repeat(78), 'x'.repeat(79)]]),
      `~ endpoint chat: text "${'x'.repeat(78)}" -> (81 characters)`,
    ],
    [change([['text', 'a\nb', '\u202e']]), '~ endpoint chat: text "a\\nb" -> "\\u202e"'],
  ])('%s', (line, expected) => {
    expect(line).toBe(expected);
  });

  it('is one line for any name and value', () => {
    assert(
      property(array(constantFrom('\n', '\r', '\u2028', '\u001b', 'x', '"')), (parts) => {
        const text = parts.join('');
        const line = lineOf({
          action: 'change',
          kind: 'role',
          name: text,
          members: [{ member: 'a', before: text, after: text }],
          perform: () => Promise.resolve(),
        });
        expect(line).not.toMatch(/[\p{Cc}\u2028]/u);
      }),
    );
  });
});
