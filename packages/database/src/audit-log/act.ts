import { isDeepStrictEqual } from 'node:util';
import type { Component } from '@gateway/contract';
import type { JsonValue, Signer } from '@gateway/ledger';
import type { Queryable, Sql } from '../client/connect.ts';
import { appendAdministrationActions } from './append-action.ts';
import type { AdministrationAction } from './entries.ts';

export interface Created<Value> {
  readonly before: null;
  readonly after: Value;
}
export interface Changed<Value> {
  readonly before: Value;
  readonly after: Value;
}
export interface Deleted<Value> {
  readonly before: Value;
  readonly after: null;
}
/** The next revision, after the one that was in force. */
export interface Replaced<Value> {
  readonly before: Value | null;
  readonly after: Value;
}

/**
 * One change, as the administration log keeps it. `target` is what was changed, for example `provider:<slug>`. Both values are
 * whole, because the log is read without the tables. Never a key.
 */
export interface Change {
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Changes by their actions, from the values of each. */
export type Changes<Values> = {
  readonly [Action in keyof Values & string]: {
    readonly action: Action;
    readonly target: string;
  } & Values[Action];
}[keyof Values & string];

/** A transaction of administration. Every function that takes one makes a change and records it; its type says which. */
export interface Act<Recorded extends Change = Change> {
  readonly sql: Queryable;
  readonly author: string;
  readonly record: (change: Recorded) => void;
}

/** The program that acts, and the key that seals its entries. */
export interface Recorder {
  readonly component: Component;
  readonly signer: Signer;
}

/**
 * Runs acts inside a transaction (console-15). Their entries are appended at its end, because the log is locked until the commit:
 * taking this lock first would deadlock with transactions that have table locks. Equal values are not recorded.
 */
export async function inAct<Result>(
  sql: Queryable,
  author: string,
  { component, signer }: Recorder,
  work: (act: Act) => Promise<Result>,
): Promise<Result> {
  const entries: AdministrationAction[] = [];
  const result = await work({
    sql,
    author,
    record({ action, target, before, after }) {
      const [oldValue, newValue] = [asJson(before), asJson(after)];
      if (!isDeepStrictEqual(oldValue, newValue))
        entries.push({ component, author, action, target, oldValue, newValue });
    },
  });
  await appendAdministrationActions(sql, entries, signer);
  return result;
}

/** The value as the log keeps it: instants as ISO text, members without a value left out. */
function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

/** An operator at the terminal, and the key that seals their acts. */
export interface Operator {
  readonly author: string;
  readonly signer: Signer;
}

/** Runs the acts of an operator in one transaction. */
export async function operate<Result>(
  sql: Sql,
  { author, signer }: Operator,
  work: (act: Act) => Promise<Result>,
): Promise<Result> {
  // In an object, because the client's type unwraps arrays.
  const done = await sql.begin(async (transaction) => ({
    result: await inAct(transaction, author, { component: 'gatewayctl', signer }, work),
  }));
  return done.result;
}

/** The row of a statement that always returns one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that returns one row returned none');
  return row;
}

interface Thing {
  readonly id: string;
}

/** A kind of thing that administrators declare, change and delete by id. */
export interface Declared<Kind extends string, One extends Thing> {
  readonly kind: Kind;
  /** The unique member that names one in the administration log. */
  readonly named: keyof One & string;
  readonly insert: (sql: Queryable, thing: One) => Promise<void>;
  /** Reads one and keeps it from changing until the transaction ends. */
  readonly lock: (sql: Queryable, id: string) => Promise<One | undefined>;
  readonly update: (sql: Queryable, thing: One) => Promise<void>;
  readonly remove: (sql: Queryable, id: string) => Promise<void>;
}

/** What is recorded of a kind of thing. */
export type DeclaredChange<Kind extends string, One> =
  | ({ readonly action: `${Kind}.create`; readonly target: string } & Created<One>)
  | ({ readonly action: `${Kind}.change`; readonly target: string } & Changed<One>)
  | ({ readonly action: `${Kind}.delete`; readonly target: string } & Deleted<One>);

const targetOf = <One extends Thing>(of: Declared<string, One>, thing: One): string =>
  `${of.kind}:${String(thing[of.named])}`;

/** Declares a thing. */
export async function declareThing<Kind extends string, One extends Thing>(
  { sql, record }: Act<DeclaredChange<Kind, One>>,
  of: Declared<Kind, One>,
  after: One,
): Promise<void> {
  await of.insert(sql, after);
  record({ action: `${of.kind}.create`, target: targetOf(of, after), before: null, after });
}

/** Changes a locked thing. */
export async function changeThing<Kind extends string, One extends Thing>(
  { sql, record }: Act<DeclaredChange<Kind, One>>,
  of: Declared<Kind, One>,
  before: One,
  after: One,
): Promise<void> {
  await of.update(sql, after);
  record({ action: `${of.kind}.change`, target: targetOf(of, before), before, after });
}

/** Deletes a locked thing. The schema refuses it while another thing refers to it. */
export async function deleteThing<Kind extends string, One extends Thing>(
  { sql, record }: Act<DeclaredChange<Kind, One>>,
  of: Declared<Kind, One>,
  before: One,
): Promise<void> {
  await of.remove(sql, before.id);
  record({ action: `${of.kind}.delete`, target: targetOf(of, before), before, after: null });
}
