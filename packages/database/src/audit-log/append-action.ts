import { printable, storable } from '@gateway/contract';
import { canonicalJson, GENESIS, type JsonValue, link, type Signer, seal } from '@gateway/ledger';
import { v7 as uuid } from 'uuid';
import type { Queryable } from '../client/connect.ts';
import { type AdministrationAction, actionEntry, type StoredAction } from './action-entry.ts';
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

/**
 * Appends one act to the administration log, chained and sealed, in the transaction of the change itself, so that both exist or
 * neither (log-10). Call it last in the transaction, because from here on it blocks other appends.
 */
export async function appendAdministrationAction(
  transaction: Queryable,
  action: AdministrationAction,
  signer: Signer,
): Promise<void> {
  const row = toStored(action);
  await registerSigningKey(transaction, signer, action.component);
  await transaction`select pg_advisory_xact_lock(${TURN_OF[ACTIONS]})`;
  const [head] = await transaction<{ sequence: bigint; digest: string }[]>`
    select sequence, encode(digest, 'hex') as digest from administration_actions order by sequence desc limit 1`;
  const sequence = (head?.sequence ?? 0n) + 1n;
  const previous = head?.digest ?? GENESIS;
  const { digest } = link(previous, actionEntry(row, sequence));
  const { keyId, signature } = seal(signer, { chain: ACTIONS, sequence, digest });
  await transaction`
    insert into administration_actions
      (sequence, id, at, component, author, action, target, old_value, new_value, previous, digest)
    values (${sequence}, ${row.id}, ${row.at}, ${row.component}, ${row.author}, ${row.action}, ${row.target},
      ${row.oldValue}, ${row.newValue}, decode(${previous}, 'hex'), decode(${digest}, 'hex'))`;
  await transaction`insert into administration_action_seals (sequence, key_id, signature)
    values (${sequence}, ${keyId}, ${Buffer.from(signature)})`;
}
