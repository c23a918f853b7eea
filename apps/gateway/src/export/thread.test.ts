import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import type { Exporter } from './exporter.ts';
import type { ExportParts } from './open.ts';
import { startExportThread } from './thread.ts';

const parts: ExportParts = {
  configuration: {
    protocol: 'syslog',
    secure: false,
    host: '127.0.0.1',
    port: 9,
    address: 'syslog+tcp://127.0.0.1:9',
    headers: {},
    tls: { addedAuthorities: [], client: null },
    eventBytes: 4096,
  },
  // No collector listens there: the export reports it and retries.
  database: { host: '127.0.0.1', port: 9, database: 'none', user: 'none', password: undefined, tls: null },
  budgetMs: 500,
  upstream: { httpsProxy: null, noProxy: null, addedAuthorities: [] },
};
const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

let running: Exporter | undefined;
afterEach(() => running?.stop());

describe('the thread of the export', () => {
  it('runs the export, forwards its lines, and ends on request', async () => {
    const said: string[] = [];
    running = startExportThread(parts, (line) => said.push(line));
    await eventually(() => expect(said).toEqual([expect.stringMatching(/^Log export: the database is not available/)]));
    await running.stop();
  });

  it('is started again when it fails, and the gateway lives', async () => {
    const said: string[] = [];
    running = startExportThread(parts, (line) => said.push(line), {
      program: program('throw new Error("fell")'),
      restart: 1,
    });
    await eventually(() => expect(said.length).toBeGreaterThan(2));
    expect(new Set(said)).toEqual(new Set(['Log export: its thread failed and is started again: fell']));
    await running.stop();
    const reported = said.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toHaveLength(reported);
  });

  it('is ended where it does not end by itself', async () => {
    const ready: string[] = [];
    const deaf =
      'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ line: "here" }); for (;;);';
    running = startExportThread(parts, (line) => ready.push(line), { program: program(deaf), patience: 20 });
    await eventually(() => expect(ready).toEqual(['here']));
    await running.stop();
  });
});
