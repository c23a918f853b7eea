import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Report } from '../process/report.ts';
import type { Notice, Order } from './orders.ts';

const notify = (notice: Notice): void => {
  process.send?.(notice, undefined, undefined, () => {}); // a main process that is gone is seen by `disconnect`
};

/** Serves connections that the main process accepts, from now on. */
export function takeConnections(server: Server): void {
  // It never listens itself; it enforces request timeouts from this event on.
  server.emit('listening');
  process.on('message', (order: Order, connection: unknown) => {
    if (order.order !== 'connection') return;
    notify({ notice: 'taken', number: order.number });
    if (!(connection instanceof Socket)) return; // it was closed on its way
    server.emit('connection', connection);
    connection.resume();
  });
  notify({ notice: 'ready' });
}

/** Reports to the main process, which has the reports of the other workers. */
export const reportToMain: Report = (line, level) => notify({ notice: 'line', line, level });

/** Reports that this worker accepts no more connections: it ends, by order of the main process or by its own signal. */
export function announceEnd(): void {
  notify({ notice: 'ending' });
}

/** Calls the main process's orders; a worker without its main process ends immediately, like that one. */
export function obey(orders: { readonly reload: () => void; readonly stop: () => void }): void {
  process.on('message', ({ order }: Order) => {
    if (order === 'reload') orders.reload();
    if (order === 'stop') orders.stop();
  });
  process.on('disconnect', () => process.exit(1));
}
