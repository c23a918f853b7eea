import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Refusal } from '@gateway/contract';
import type { Revision } from '@gateway/database';
import type { AgentCommandEnd, AgentCommandStart, OwnedSession, Standings } from '@gateway/database/gateway';
import { Execution } from '../../commands/execution.ts';
import { processLauncher } from '../../commands/plain/launcher.ts';
import type { CommandRunner, GrantedCommand, TakenSlot } from '../../commands/runner.ts';
import { makeWorkdir, SMALL } from '../../commands/testing/run.ts';
import type { Inspectors } from '../../inspection/inspectors.ts';
import { inspectorUnder } from '../../testing/inspector.ts';
import { createRemoteCommands } from '../commands/client.ts';
import type { CommandRequest } from '../commands/messages.ts';
import { CommandServer } from '../commands/server.ts';
import { type Hub, openHub } from '../hub.ts';

/** The main process's part of agent commands: real processes, and records in memory. */
export interface CommandHub {
  readonly hub: Hub;
  readonly starts: AgentCommandStart[];
  readonly ends: AgentCommandEnd[];
  readonly descents: (readonly [OwnedSession, string])[];
  /** Policies whose inspector was asked for. */
  readonly inspected: (Revision | null)[];
  /** What the database answers to a start; null: it is written. */
  fault: Error | null;
  /** The commands of one more worker. */
  worker(): CommandRunner;
  /** The end of a command, once it is recorded. */
  endOf(identifier: string): Promise<AgentCommandEnd>;
  close(): Promise<void>;
}

const NONE: ReadonlySet<string> = new Set();
const NOBODY: Standings = {
  revokedSessions: NONE,
  revokedSubjects: NONE,
  disabledSubjects: NONE,
  revokedKeys: NONE,
  interruptedCommands: NONE,
};

export async function openCommandHub(): Promise<CommandHub> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-hub-'));
  const workdir = await makeWorkdir();
  const launcher = await processLauncher(workdir.path);
  const waiting = new Set<() => void>();
  const workers: CommandRunner[] = [];
  const execution = await Execution.open({
    launcher,
    workdir: workdir.path,
    limits: SMALL,
    commands: 6,
    record: {
      async recordStart(start) {
        if (opened.fault !== null) throw opened.fault;
        opened.starts.push(start);
      },
      async recordDescent(owned, parent) {
        opened.descents.push([owned, parent]);
      },
      async recordEnd(end) {
        opened.ends.push(end);
        for (const look of waiting) look();
      },
      standings: async () => NOBODY,
      askInterruption: async () => false,
      orphans: async () => [],
      recordLost: async () => 0,
    },
    detections: { writeLater: () => {} },
    report: () => {},
  });
  const known: Inspectors = (policy) => {
    opened.inspected.push(policy);
    if (policy !== null && opened.fault !== null) throw opened.fault;
    return inspectorUnder(null);
  };
  const server = new CommandServer(execution, known);
  const hub = await openHub(folder, (socket, first) => server.serve(socket, first as CommandRequest));
  const opened: CommandHub = {
    hub,
    starts: [],
    ends: [],
    descents: [],
    inspected: [],
    fault: null,
    worker() {
      const one = createRemoteCommands(hub.path);
      workers.push(one);
      return one;
    },
    endOf: (identifier) =>
      new Promise((resolve) => {
        const look = (): void => {
          const end = opened.ends.find(({ id }) => id === identifier);
          if (end !== undefined && waiting.delete(look)) resolve(end);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      await Promise.all(workers.map((one) => one.close()));
      hub.close();
      await execution.close();
      await launcher.close();
      await workdir.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return opened;
}

export function granted(command: Command, more: Partial<GrantedCommand> = {}): GrantedCommand {
  const inspector = inspectorUnder(null);
  return { identifier: randomUUID(), subject: 'ada', registered: false, command, policy: null, inspector, ...more };
}

/** The slot, or the sentence of its refusal. */
export function refusalOf(slot: TakenSlot): Refusal | null {
  return 'refused' in slot ? slot.refused : null;
}
