import { connect } from 'node:net';
import type { Configuration } from '../config/configuration.ts';
import { DECISION_CAPACITY } from '../store/budget.ts';
import { createRemoteCommands } from '../workers/commands/client.ts';
import { createRemoteDecisions } from '../workers/decisions/client.ts';
import { writeJsonLine } from '../workers/json-lines.ts';
import type { WorkerArgument } from '../workers/orders.ts';
import { takeConnections } from '../workers/worker.ts';
import type { Shared } from './gateway.ts';

/** One of several processes that serve requests: what they share is done by the process that started them. */
export function asWorker({ path }: WorkerArgument, { service, execution }: Configuration): Shared {
  return {
    openDecisions(_watch, onBatch) {
      const socket = connect(path);
      writeJsonLine(socket, { ask: 'decisions' });
      return createRemoteDecisions({ socket, capacity: Math.floor(DECISION_CAPACITY / service.threads), onBatch });
    },
    openCommands: async () => (execution === null ? null : createRemoteCommands(path)),
    startBackground: () => null,
    listen: async (server) => {
      takeConnections(server);
      return '';
    },
  };
}
