import { isDeepStrictEqual } from 'node:util';
import type { Component } from '@gateway/contract';
import type { JsonValue, Signer } from '@gateway/ledger';
import type { Queryable, Sql } from '../client/connect.ts';
import type { AdministrationAction } from './action-entry.ts';
import { appendAdministrationActions } from './append-action.ts';

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
