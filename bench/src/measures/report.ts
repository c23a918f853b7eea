/** What a run writes as JSON: ratios between peers of the same rounds, and the gateway's resident memory at 256 callers. */
export interface Summary {
  readonly ratios: {
    readonly wholeToBare: Record<string, number>;
    /** Processor time for one call, of the gateway and of PostgreSQL, ÷ that of the bare proxy, by number of callers. */
    readonly gatewayCpuToBare: Record<string, number>;
    readonly databaseCpuToBare: Record<string, number>;
    /** The same of the gateway, for a streamed answer of 100 events. */
    readonly streamCpuToBare: Record<string, number>;
    readonly hostedToBare: Record<string, number>;
    readonly wholeToPortkey: Record<string, number>;
    readonly streamWholeToBare: Record<string, number>;
    /** p50 that the whole gateway adds at one caller ÷ one read and one durable commit of a plain client. */
    readonly addedToFloor: number;
    /** Milliseconds that the whole gateway adds to an event of a stream. */
    readonly streamDelayMs: { readonly p50: number; readonly p99: number };
    /** Milliseconds added at 500 calls a second that start by the clock. */
    readonly openArrivalMs: { readonly p50: number; readonly p99: number };
    /** Of the hosted gateway, which checks the cap. */
    readonly grownToEmpty: number;
    readonly twoProcessesToOne: Record<string, number>;
  };
  readonly memoryMB: number;
}

export const number = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');

/** A table as text: columns as wide as their widest cell, the first to the left, the others to the right. */
export function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [`\n${title}`, line(heads), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The lines of the last table: what a run writes as JSON, in words. */
export function summaryRows({ ratios, memoryMB }: Summary, grownRows: number): string[][] {
  const byCallers = (what: string, by: Readonly<Record<string, number>>): string[][] =>
    Object.entries(by).map(([callers, value]) => [`${what}, ${callers} callers`, number(value)]);
  const both = ({ p50, p99 }: { readonly p50: number; readonly p99: number }): string =>
    `${number(p50)} / ${number(p99)}`;
  return [
    ...byCallers('gateway ÷ bare proxy', ratios.wholeToBare),
    ...byCallers('processor time: gateway ÷ bare proxy', ratios.gatewayCpuToBare),
    ...byCallers('processor time: PostgreSQL ÷ bare proxy', ratios.databaseCpuToBare),
    ...byCallers('processor time, streamed: gateway ÷ bare proxy', ratios.streamCpuToBare),
    ...byCallers('gateway, hosted ÷ bare proxy', ratios.hostedToBare),
    ...byCallers('gateway ÷ Portkey', ratios.wholeToPortkey),
    ...byCallers('streamed: gateway ÷ bare proxy', ratios.streamWholeToBare),
    ['added p50 at 1 caller ÷ one read + one durable commit', number(ratios.addedToFloor)],
    ['added to a streamed event, ms (p50 / p99)', both(ratios.streamDelayMs)],
    ['500 calls/s by the clock: added ms (p50 / p99)', both(ratios.openArrivalMs)],
    [`hosted: ${grownRows} records and decisions ÷ empty tables`, number(ratios.grownToEmpty)],
    ...byCallers('two processes ÷ one', ratios.twoProcessesToOne),
    ['resident memory at 256 callers, MB', number(memoryMB, 0)],
  ];
}
