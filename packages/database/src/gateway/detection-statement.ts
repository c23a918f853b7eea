import { type Detection, storable } from '@gateway/contract';
import { arrayLiteral } from './array-literal.ts';

/** Longest pointer kept, in characters: it names a place, and a body may nest its names without end. */
const LONGEST_POINTER = 1024;

const COLUMNS: readonly (readonly [
  column: string,
  type: string,
  value: (detection: Detection) => string | number | null,
])[] = [
  ['id', 'uuid', ({ id }) => id],
  ['at', 'timestamptz', ({ at }) => at],
  ['decision_id', 'uuid', ({ decisionId }) => decisionId],
  ['place', 'text', ({ place }) => place],
  ['kind', 'text', ({ kind }) => kind],
  ['rule', 'text', ({ rule }) => rule],
  ['confidence', 'text', ({ confidence }) => confidence],
  ['response', 'text', ({ response }) => response],
  ['pointer', 'text', ({ pointer }) => pointer && storable(pointer.slice(0, LONGEST_POINTER))],
  ['start_offset', 'bigint', ({ start }) => start],
  ['end_offset', 'bigint', ({ end }) => end],
  ['length', 'bigint', ({ length }) => length],
  ['digest', 'bytea', ({ digest }) => `\\x${digest}`],
  ['occurrences', 'integer', ({ occurrences }) => occurrences],
];

const names = COLUMNS.map(([name]) => name).join(', ');

/** Inserts what the parameters from `$first` on hold, each detection once. `from` is a further source the rows wait for. */
export function insertDetections(first: number, from = '', where = ''): string {
  const lists = COLUMNS.map(([, type], index) => `$${first + index}::${type}[]`).join(', ');
  return `insert into secret_detections (${names})
select ${COLUMNS.map(([name]) => `found.${name}`).join(', ')} from ${from}unnest(${lists}) as found (${names}) ${where}
on conflict (id) do nothing`;
}

export function detectionParameters(detections: readonly Detection[]): string[] {
  return COLUMNS.map(([, , value]) => arrayLiteral(detections.map(value)));
}
