import { cpus, totalmem } from 'node:os';

/** When and on what class of machine a report was made, without its name. */
export function machine(): { readonly date: string; readonly machine: string } {
  const processors = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return {
    date: new Date().toISOString(),
    machine: `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${memoryGiB} GiB`,
  };
}
