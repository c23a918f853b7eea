import { isDeepStrictEqual } from 'node:util';
import { legible } from '@gateway/contract/legible';
import type { Act } from '@gateway/database/administration';

/** One act that would make the instance what the document says. */
export interface ConfigurationChange {
  readonly action: 'create' | 'change' | 'delete';
  readonly kind: string;
  readonly name: string;
  /** Of a change: the members that differ. */
  readonly members: readonly { readonly member: string; readonly before: unknown; readonly after: unknown }[];
  /** Does it and records it in the administration log. */
  readonly perform: (act: Act) => Promise<unknown>;
}

/** A list of the document beside the one of the instance, with the acts on one of its items. */
export interface Compared<Item extends object> {
  readonly kind: string;
  /** Undefined where the document does not name the section: nothing of it is changed then. */
  readonly wanted: readonly Item[] | undefined;
  readonly present: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly create: (item: Item) => ConfigurationChange['perform'];
  readonly change?: (before: Item, after: Item) => ConfigurationChange['perform'];
  /** Absent where nothing of this kind is ever deleted. */
  readonly remove?: (item: Item) => ConfigurationChange['perform'];
}

export interface Differences {
  /** Objects to create or change. */
  readonly put: readonly ConfigurationChange[];
  /** Objects of the instance that are not in the document. */
  readonly extra: readonly ConfigurationChange[];
}

/** What differs between the two lists. */
export function differencesOf<Item extends object>(of: Compared<Item>): Differences {
  const { kind, wanted, nameOf } = of;
  if (wanted === undefined) return { put: [], extra: [] };
  const present = new Map(of.present.map((item) => [nameOf(item), item]));
  const put: ConfigurationChange[] = [];
  for (const after of wanted) {
    const name = nameOf(after);
    const before = present.get(name);
    present.delete(name);
    if (before === undefined) {
      put.push({ action: 'create', kind, name, members: [], perform: of.create(after) });
      continue;
    }
    const members = membersOf(before, after);
    if (members.length === 0 || of.change === undefined) continue;
    put.push({ action: 'change', kind, name, members, perform: of.change(before, after) });
  }
  const { remove } = of;
  const extra = [...present].map(([name, item]): ConfigurationChange[] =>
    remove === undefined ? [] : [{ action: 'delete', kind, name, members: [], perform: remove(item) }],
  );
  return { put, extra: extra.flat() };
}

function membersOf<Item extends object>(before: Item, after: Item): ConfigurationChange['members'] {
  return Object.entries(after)
    .map(([member, value]) => ({ member, before: (before as Record<string, unknown>)[member] ?? null, after: value }))
    .filter((one) => !isDeepStrictEqual(one.before, one.after ?? null));
}

const SIGNS = { create: '+', change: '~', delete: '-' } as const;

/** A change as one line: `~ endpoint chat: active true -> false`. */
export function lineOf({ action, kind, name, members }: ConfigurationChange): string {
  const changed = members.map((one) => `${one.member} ${shortly(one.before)} -> ${shortly(one.after)}`);
  return legible(
    `${SIGNS[action]} ${kind}${name === '' ? '' : ` ${name}`}${changed.length > 0 ? `: ${changed.join(', ')}` : ''}`,
  );
}

/** A value on one line; a long one by its size. */
function shortly(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `(${text.length} characters)`;
}
