import type { ExportRecord } from './records.ts';

/** The entries read from one source, and whether the page was full: there may be more. */
export interface ReadOfSource {
  readonly records: readonly ExportRecord[];
  readonly full: boolean;
}

/**
 * The entries of all sources by their time, each source in its own order. A collector may refuse entries far behind its newest
 * (Loki does), and after a long outage a whole log would be behind another. So it stops where the next entry of a source is
 * unknown.
 */
export function byTime(sources: readonly ReadOfSource[]): ExportRecord[] {
  const heads = sources.map(({ records, full }) => {
    const left = records.values();
    return { left, full, head: left.next().value };
  });
  const merged: ExportRecord[] = [];
  for (;;) {
    if (heads.some(({ head, full }) => head === undefined && full)) return merged;
    let first: (typeof heads)[number] | undefined;
    for (const one of heads) {
      if (one.head === undefined) continue;
      if (first?.head === undefined || timeOf(one.head) < timeOf(first.head)) first = one;
    }
    if (first?.head === undefined) return merged;
    merged.push(first.head);
    first.head = first.left.next().value;
  }
}

/** ISO 8601 in UTC, so that texts compare like times. */
function timeOf(record: ExportRecord): string {
  switch (record.source) {
    case 'decisions':
      return record.decision.at;
    case 'actions':
      return record.action.at;
    case 'detections':
      return record.detection.at;
    default:
      return record.act.at;
  }
}
