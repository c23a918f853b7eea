import type { Component } from '@gateway/contract';
import type { JsonObject, JsonValue } from '@gateway/ledger';

/** One administrative act (log-10): author, object, old and new value. Never a secret in either. */
export interface AdministrationAction {
  readonly component: Component;
  /** Subject of the administrator, or the name an operator gave at the terminal. */
  readonly author: string;
  /** Field-standard verb after the thing: `role.grant`, `provider.create`, … */
  readonly action: string;
  /** What was acted on: a subject, a slug, an id. */
  readonly target: string;
  /** Null where there was nothing before. */
  readonly oldValue: JsonValue;
  /** Null where there is nothing afterwards. */
  readonly newValue: JsonValue;
}

/** An act as its table keeps it: the values are canonical JSON, as text. */
export interface StoredAction {
  readonly id: string;
  readonly at: string;
  readonly component: string;
  readonly author: string;
  readonly action: string;
  readonly target: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

/** What the digest of an act covers besides the digest before it. */
export function actionEntry(action: StoredAction, sequence: bigint): JsonObject {
  return { ...action, sequence: Number(sequence) };
}
