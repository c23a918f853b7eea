import { printable, storable } from '@gateway/contract';
import { canonicalJson, GENESIS, type JsonValue, link, type Signer, seal } from '@gateway/ledger';
import { v7 as uuid } from 'uuid';
import type { Queryable } from '../client/connect.ts';
import { type AdministrationAction, actionEntry, type StoredAction } from './entries.ts';
import { ACTIONS, TURN_OF } from './names.ts';
import { registerSigningKey } from './signing-keys.ts';

/** Makes every text of a value storable and printable, so that the stored value equals the hashed one. */
function storableValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return printable(storable(value), true);
  if (Array.isArray(value)) return value.map(storableValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [printable(storable(name)), storableValue(part)]),
  );
}

function toStored(action: AdministrationAction): StoredAction {
  const json = (value: JsonValue) => (value === null ? null : canonicalJson(storableValue(value)));
  return {
    id: uuid(),
    at: new Date().toISOString(),
    component: action.component,
    author: printable(storable(action.author)),
    action: action.action,
    target: printable(storable(action.target)),
    oldValue: json(action.oldValue),
    newValue: json(action.newValue),
  };
}

/** Acts of one statement. */
const MOST_ACTS = 500;

/**
 * Appends acts to the administration log, chained and sealed, in the transaction of the changes themselves, so that both exist or
 * neither (log-10). Call it last in the transaction, because from here on it blocks other appends.
 */
export async function appendAdministrationActions(
  transaction: Queryable,
  actions: readonly AdministrationAction[],
  signer: Signer,
): Promise<void> {
  const [first] = actions;
  if (first === undefined) return;
  await registerSigningKey(transaction, signer, first.component);
  await transaction`select pg_advisory_xact_lock(${TURN_OF[ACTIONS]})`;
  const [head] = await transaction<{ sequence: bigint; digest: string }[]>`
    select sequence, encode(digest, 'hex') as digest from administration_actions order by sequence desc limit 1`;
  let sequence = head?.sequence ?? 0n;
  let previous: string = head?.digest ?? GENESIS;
  const rows = actions.map((action) => {
    const row = toStored(action);
    sequence += 1n;
    const { digest } = link(previous, actionEntry(row, sequence));
    const { keyId, signature } = seal(signer, { chain: ACTIONS, sequence, digest });
    const entry = { ...row, sequence: Number(sequence), previous, digest, keyId };
    previous = digest;
    return { ...entry, signature: Buffer.from(signature).toString('hex') };
  });
  for (let at = 0; at < rows.length; at += MOST_ACTS) await insertEntries(transaction, rows.slice(at, at + MOST_ACTS));
}

async function insertEntries(transaction: Queryable, rows: readonly object[]): Promise<void> {
  const given = JSON.stringify(rows);
  await transaction`
    insert into administration_actions
      (sequence, id, at, component, author, action, target, old_value, new_value, previous, digest)
    select sequence, id, at, component, author, action, target, "oldValue", "newValue", decode(previous, 'hex'),
      decode(digest, 'hex')
    from json_to_recordset(${given}::text::json) entry (sequence bigint, id uuid, at timestamptz, component text, author text,
      action text, target text, "oldValue" text, "newValue" text, previous text, digest text) order by sequence`;
  await transaction`
    insert into administration_action_seals (sequence, key_id, signature)
    select sequence, "keyId", decode(signature, 'hex')
    from json_to_recordset(${given}::text::json) entry (sequence bigint, "keyId" text, signature text)`;
}

/** Appends one act. */
export function appendAdministrationAction(
  transaction: Queryable,
  action: AdministrationAction,
  signer: Signer,
): Promise<void> {
  return appendAdministrationActions(transaction, [action], signer);
}
