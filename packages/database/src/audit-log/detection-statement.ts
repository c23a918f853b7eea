import { type Detection, printable, storable } from '@gateway/contract';
import { recordSet } from '../client/record-set.ts';

/** Longest stored pointer, in characters: it names a position, and a body may nest its names without end. */
const LONGEST_POINTER = 1024;

const { columns, rows } = recordSet({
  id: 'uuid',
  at: 'timestamptz',
  decisionId: 'uuid',
  place: 'text',
  kind: 'text',
  rule: 'text',
  confidence: 'text',
  response: 'text',
  pointer: 'text',
  startOffset: 'bigint',
  endOffset: 'bigint',
  length: 'bigint',
  digest: 'bytea',
  occurrences: 'integer',
});

/** Inserts a parameter's rows, each detection once. `from` is a further source that the rows wait for. */
export function insertDetections(parameter: number, from = '', where = ''): string {
  return `insert into secret_detections (${columns})
select ${columns} from ${from}${rows(parameter)} ${where}
on conflict (id) do nothing`;
}

export function detectionParameter(detections: readonly Detection[]): string {
  return JSON.stringify(
    detections.map(({ pointer, start, end, digest, ...detection }) => ({
      ...detection,
      pointer: pointer && printable(storable(pointer.slice(0, LONGEST_POINTER))),
      startOffset: start,
      endOffset: end,
      digest: `\\x${digest}`,
    })),
  );
}
