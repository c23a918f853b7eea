import { PassThrough, type Writable } from 'node:stream';
import type { Finding, SecretsPolicy } from '@gateway/secrets';
import type { CommandLimits } from '../../config/execution.ts';
import { inspectorUnder } from '../../testing/inspector.ts';
import type { ProcessEnd } from '../launcher.ts';
import type { CommandOutput } from '../pipes.ts';
import { RunningCommand } from '../running-command.ts';
import { SMALL } from './run.ts';

export interface Staging {
  readonly silent?: boolean;
  readonly limits?: Partial<CommandLimits>;
  readonly policy?: SecretsPolicy | null;
  readonly caller?: PassThrough;
}

/** A command fully controlled by the test, and the calls it received. */
export function stage(directory: string, more: Staging = {}) {
  return stageFor(more.caller ?? new PassThrough({ highWaterMark: 1000 }), directory, more);
}

/** The same for a caller of the test's own. */
export function stageFor<Caller extends Writable>(
  caller: Caller,
  directory: string,
  more: Omit<Staging, 'caller'> = {},
) {
  const asked: string[] = [];
  const found: (Finding & { readonly flux: string })[] = [];
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
  const launched = {
    stdout: outputOfStream(stdout),
    stderr: outputOfStream(stderr),
    ended,
    processes: async () => [],
    terminate: () => asked.push('terminate'),
    kill: () => asked.push('kill'),
  };
  const run = new RunningCommand(launched, caller, {
    identifier: 'id',
    session: 'one',
    directory,
    startedAt: new Date('2026-01-01T00:00:00Z'),
    silent: more.silent ?? false,
    together: { most: Number.POSITIVE_INFINITY, before: 0, others: () => 0, measured() {} },
    limits: { ...SMALL, ...more.limits },
    inspector: inspectorUnder(more.policy ?? null),
    found: (flux, findings) => found.push(...findings.map((finding) => ({ ...finding, flux }))),
  });
  const end = (how: Partial<ProcessEnd> = {}) => resolve({ code: 0, signal: null, fault: null, ...how });
  return { run, asked, found, stdout, stderr, caller, end };
}

/** An output that the test writes. */
function outputOfStream(stream: PassThrough): CommandOutput {
  return {
    get isPaused() {
      return stream.isPaused();
    },
    bytes: 0,
    closed: new Promise((resolve) => stream.once('close', () => resolve())),
    read(take, over) {
      stream.on('data', take);
      stream.once('end', over);
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    destroy: () => stream.destroy(),
  };
}
