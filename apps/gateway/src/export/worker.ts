import { parentPort, workerData } from 'node:worker_threads';
import { type ExportParts, openExporter } from './open.ts';

/*
 * The program of the export's thread. Lines for the operator go to the parent; any message from there means that it is over.
 */
if (parentPort === null) throw new Error('The log export runs as a thread of the gateway.');
const port = parentPort;
const exporter = openExporter(workerData as ExportParts, (line) => port.postMessage(line));
port.once('message', () => {
  exporter.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
