import type { JsonValue } from '@gateway/ledger';
import type { RecordInput } from './entry.ts';

type Mask = (text: string) => string;

/** An entry with every text in it masked. Members that the chain itself writes keep their names. */
export function maskInput({ kind, ...detail }: RecordInput, mask: Mask): RecordInput {
  const masked = Object.entries(detail).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, maskValue(value, mask)]],
  );
  return { kind, ...(Object.fromEntries(masked) as Record<string, JsonValue>) };
}

function maskValue(value: JsonValue, mask: Mask): JsonValue {
  if (typeof value === 'string') return mask(value.toWellFormed());
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskValue(item, mask));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name.toWellFormed()), maskValue(item, mask)]),
  );
}
