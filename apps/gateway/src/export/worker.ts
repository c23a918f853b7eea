import { parentPort, workerData } from 'node:worker_threads';
import { type ExportParts, openExporter } from './open.ts';
import type { CollectorEvent } from './outgoing.ts';
import type { ToldLine } from './thread.ts';

/*
 * The program of the export's thread. Lines for the operator go to the parent; events to publish come from there, and `stop`.
 */
if (parentPort === null) throw new Error('The log export runs as a thread of the gateway.');
const port = parentPort;
const exporter = openExporter(workerData as ExportParts, (line, level) =>
  port.postMessage({ line, level } satisfies ToldLine),
);
port.on('message', (message: 'stop' | CollectorEvent) => {
  if (message !== 'stop') {
    exporter.publish(message);
    return;
  }
  exporter.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
