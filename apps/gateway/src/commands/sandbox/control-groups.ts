import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import type { CommandLimits } from '../../config/command-limits.ts';
import { processRuns } from '../../process/process-runs.ts';
import type { Hierarchy, Resource } from './hierarchies.ts';

/** The gateway's process id is part of the name, to identify leftovers of a gateway that has ended. */
const nameOf = (pid: number, identifier: string) => `gateway-command-${pid}-${identifier}`;
const NAME = /^gateway-command-(\d+)-/;

const CPU_PERIOD = 100_000; // microseconds

/** One command's groups: made before it starts, entered by its first process, removed after its end. */
export interface CommandGroups {
  /** Files a process writes `0` to, in order to enter. */
  readonly entrances: readonly string[];
  /** Whether the kernel ended a process of the command because memory ran out. */
  outOfMemory(): Promise<boolean>;
  remove(): Promise<void>;
}

/** File and value of each limit, by hierarchy version (kernel documentation: cgroup-v1, cgroup-v2). */
function settings(
  resource: Resource,
  version: 1 | 2,
  limits: CommandLimits,
): readonly (readonly [string, string, 'optional'?])[] {
  const quota = Math.round(limits.processors * CPU_PERIOD);
  if (resource === 'pids') return [['pids.max', String(limits.processes)]];
  if (resource === 'cpu') {
    return version === 2
      ? [['cpu.max', `${quota} ${CPU_PERIOD}`]]
      : [
          ['cpu.cfs_period_us', String(CPU_PERIOD)],
          ['cpu.cfs_quota_us', String(quota)],
        ];
  }
  // Swap would only make the same memory slower; the kernel may be built without its accounting.
  return version === 2
    ? [
        ['memory.max', String(limits.memory)],
        ['memory.swap.max', '0', 'optional'],
      ]
    : [
        ['memory.limit_in_bytes', String(limits.memory)],
        ['memory.memsw.limit_in_bytes', String(limits.memory), 'optional'],
      ];
}

/** Limits over all processes of a command together, where the host allows the gateway to set them. */
export class ControlGroups {
  readonly #hierarchies: readonly Hierarchy[];

  private constructor(hierarchies: readonly Hierarchy[]) {
    this.#hierarchies = hierarchies;
  }

  /** The usable hierarchies among those on the host. Removes leftovers of an earlier gateway. */
  static among(found: readonly Hierarchy[]): ControlGroups {
    return new ControlGroups(found.filter(isUsable));
  }

  get resources(): readonly Resource[] {
    return this.#hierarchies.flatMap(({ resources }) => resources);
  }

  async create(identifier: string, limits: CommandLimits): Promise<CommandGroups> {
    const groups = this.#hierarchies.map((hierarchy) => ({
      ...hierarchy,
      directory: join(hierarchy.directory, nameOf(process.pid, identifier)),
    }));
    const remove = async () => {
      await Promise.all(groups.map(({ directory }) => removeGroup(directory)));
    };
    try {
      await Promise.all(groups.map((group) => makeGroup(group, limits)));
    } catch (error) {
      await remove();
      throw error;
    }
    return {
      entrances: groups.map(({ directory }) => join(directory, 'cgroup.procs')),
      outOfMemory: async () => (await Promise.all(groups.map(wasKilledForMemory))).includes(true),
      remove,
    };
  }
}

async function makeGroup({ directory, version, resources }: Hierarchy, limits: CommandLimits): Promise<void> {
  await mkdir(directory);
  for (const [file, value, optional] of resources.flatMap((resource) => settings(resource, version, limits))) {
    const written = writeFile(join(directory, file), value);
    await (optional === undefined ? written : written.catch(() => {}));
  }
}

async function wasKilledForMemory({ directory, version, resources }: Hierarchy): Promise<boolean> {
  if (!resources.includes('memory')) return false;
  const text = await readFile(join(directory, version === 2 ? 'memory.events' : 'memory.oom_control'), 'utf8').catch(
    () => '',
  );
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0;
}

/** The last process may leave the group shortly after it has been waited for. */
async function removeGroup(directory: string): Promise<void> {
  for (let pause = 1; pause <= 1024; pause *= 2) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      if (errorCode(error) !== 'EBUSY') return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function isUsable({ directory, version, resources }: Hierarchy): boolean {
  const trial = join(directory, nameOf(process.pid, 'trial'));
  try {
    removeLeftovers(directory);
    mkdirSync(trial);
  } catch {
    return false;
  }
  try {
    const limits = { memory: 2 ** 30, processes: 64, processors: 1 } as CommandLimits;
    for (const [file, value, optional] of resources.flatMap((resource) => settings(resource, version, limits))) {
      if (optional === undefined) writeFileSync(join(trial, file), value);
    }
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(trial);
  }
}

/** Groups of commands whose gateway was killed: empty by now, for its sandboxes died with it. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const owner = NAME.exec(name)?.[1];
    if (owner === undefined || processRuns(Number(owner))) continue;
    try {
      rmdirSync(join(directory, name));
    } catch {
      // A process of that command has not ended yet: the next start tries again.
    }
  }
}
