import { Worker } from 'node:worker_threads';
import type { Level } from '@gateway/configuration';
import type { Report } from '../process/report.ts';
import type { Exporter } from './exporter.ts';
import type { ExportParts } from './open.ts';
import type { CollectorEvent } from './outgoing.ts';

/** A line for the operator, as the thread posts it. */
export interface ToldLine {
  readonly line: string;
  readonly level: Level | undefined;
}

export interface ThreadOptions {
  /** What runs in the thread. Default: the export. */
  readonly program?: URL;
  /** Milliseconds until a thread that failed is started again. Default 5000. */
  readonly restart?: number;
  /** Milliseconds it may take to end in order. Default 5000. */
  readonly patience?: number;
}

/** Beside this file in the sources, beside the gateway's program in an artifact (toolchain/build.ts). */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './log-export.js', import.meta.url);
/** Megabytes of one batch and all that is made of it, with much to spare: past it the thread ends, not the gateway. */
const MEMORY = 256;

/**
 * Runs the export in its own thread: reading and writing an event takes a fifth of the time of a relayed call, and the relaying
 * thread must not spend it (log-16). A failed thread is restarted.
 */
export function startExportThread(parts: ExportParts, report: Report, options: ThreadOptions = {}): Exporter {
  const { program = PROGRAM, restart = 5000, patience = 5000 } = options;
  let worker: Worker | null = null;
  let again: NodeJS.Timeout | undefined;
  let stopping = false;
  /** Handed to a thread that is started again too. */
  let published: CollectorEvent | null = null;

  function start(): void {
    const started = new Worker(program, { workerData: parts, resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
    worker = started;
    if (published !== null) started.postMessage(published, []);
    started.on('message', ({ line, level }: ToldLine) => report(line, level));
    started.on('error', (error) =>
      report(`Log export: its thread failed and is started again: ${error.message}`, 'error'),
    );
    started.on('exit', () => {
      worker = null;
      if (!stopping) again = setTimeout(start, restart);
    });
  }

  start();
  return {
    publish(event) {
      published = event;
      worker?.postMessage(event, []);
    },
    async stop() {
      stopping = true;
      clearTimeout(again);
      if (worker === null) return;
      const running = worker;
      // Not `once`, which would reject where the thread fails just then.
      const ended = new Promise<void>((resolve) => {
        running.once('exit', () => resolve());
      });
      running.postMessage('stop', []);
      const late = setTimeout(() => {
        running.terminate().catch(() => {}); // it has ended by itself meanwhile
      }, patience);
      await ended;
      clearTimeout(late);
    },
  };
}
