import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeenEnd, SeenEndStore } from '@gateway/database/gateway';
import { createRecurringFault } from '../../process/recurring-fault.ts';
import type { Report } from '../../process/report.ts';

/** Milliseconds between two writes: after a crash the last second is not known. */
const EVERY_MS = 1000;

/** Null where there is no file, or one that is not ours. */
function read(file: string): SeenEnd | null {
  try {
    const { instance, sequence, digest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    if (!/^\d{1,18}$/.test(sequence ?? '') || !/^[0-9a-f]{64}$/.test(digest ?? '')) return null;
    return { instance: instance ?? '', sequence: BigInt(sequence ?? 0), digest: digest ?? '' };
  } catch {
    return null;
  }
}

/**
 * The end of the decision log that this gateway saw committed, in `log-end.json` of its state directory. A database that went back
 * while the gateway did not run is noticed with the first entry.
 */
export function keepSeenEnd(directory: string, report: Report): SeenEndStore & { readonly close: () => void } {
  const file = join(directory, 'log-end.json');
  const writing = `${file}.${process.pid}.new`; // gateways of one machine may share the directory
  const fault = createRecurringFault(`GATEWAY_STATE_DIR: the end of the decision log was not kept in ${file}`, report);
  let last: SeenEnd | null = null;
  let timer: NodeJS.Timeout | null = null;

  function write(): void {
    timer = null;
    if (last === null) return;
    const { instance, sequence, digest } = last;
    last = null;
    try {
      writeFileSync(writing, `${JSON.stringify({ instance, sequence: String(sequence), digest })}\n`);
      renameSync(writing, file);
    } catch (error) {
      fault.report(error);
    }
  }

  return {
    read: () => read(file),
    keep(end) {
      last = end;
      timer ??= setTimeout(write, EVERY_MS).unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      write();
      fault.settle();
    },
  };
}
