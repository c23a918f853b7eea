import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Base, run } from './image.ts';

/** Software emulation needs about a minute. */
const BOOT_MILLISECONDS = 600_000;
const SCRIPT_MILLISECONDS = 600_000;
const LAST_LINES = 15;
const FUNCTIONS = readFileSync(join(import.meta.dirname, 'guest/functions.sh'), 'utf8');

/** A script in the machine failed. Its message is what it printed. */
export class ScriptFault extends Error {}

export interface Machine {
  /** Runs a script as root in the machine, after `guest/functions.sh`. @returns what it prints @throws ScriptFault */
  run(script: string): Promise<string>;
  reboot(): Promise<void>;
  /** Ends the emulator. */
  close(): Promise<void>;
}

interface Disks {
  readonly base: Base;
  /** Image with the releases. */
  readonly releases: string;
  /** Of the files of this machine. */
  readonly folder: string;
}

/** Boots a machine without a network. Its own disk has what differs from the base image. */
export async function bootMachine({ base, releases, folder }: Disks, ended: AbortSignal): Promise<Machine> {
  const [disk, console_, socket] = ['disk.qcow2', 'console.log', 'agent'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await run(ended, 'qemu-img', 'create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', base.disk, disk);
  const options = [
    ['-nodefaults', '-no-user-config', '-display', 'none', '-nic', 'none', '-device', 'virtio-rng-pci'],
    ['-machine', 'q35', '-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', '2048'],
    ['-kernel', base.kernel, '-initrd', base.initrd, '-append', 'root=/dev/vda rw console=ttyS0 mitigations=off'],
    ['-drive', `file=${disk},if=virtio,format=qcow2,cache=unsafe`],
    ['-drive', `file=${releases},if=virtio,format=raw,readonly=on`],
    ['-serial', `file:${console_}`, '-serial', `unix:${socket},server=on,wait=off`],
  ];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'qemu-system-x86_64', ...options.flat()]);
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const over = once(child, 'close').then(() => undefined);
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await over;
  };
  ended.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  const lastLines = (): string => {
    const lines = existsSync(console_) ? readFileSync(console_, 'latin1').trimEnd().split(/\r?\n/) : [];
    return [complaint.trim(), ...lines.slice(-LAST_LINES)].join('\n');
  };
  try {
    const agent = openAgent(await connected(socket, child, lastLines));
    child.once('close', agent.close);
    // The agent may end with the machine before it has answered, or in the middle of a line.
    const booted = async (): Promise<void> => {
      for (let line: string | null = ''; !line.endsWith('ready'); ) {
        line = await agent.line(BOOT_MILLISECONDS);
        if (line === null) throw new Error(`The machine did not boot:\n${lastLines()}`);
      }
    };
    await booted();
    return {
      close,
      async run(script) {
        agent.send(Buffer.from(`${FUNCTIONS}\n${script}`).toString('base64'));
        const answer = await agent.line(SCRIPT_MILLISECONDS);
        const [, code, text] = /^(\d+) ?(.*)$/.exec(answer ?? '') ?? [];
        if (code === undefined) throw new Error(`The machine gave no answer to a script:\n${lastLines()}`);
        const output = Buffer.from(text ?? '', 'base64').toString();
        if (code !== '0') throw new ScriptFault(output.trim() === '' ? `exit code ${code}` : output.trim());
        return output;
      },
      async reboot() {
        agent.send(Buffer.from('systemctl reboot').toString('base64'));
        await booted();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connects to the port of the agent as soon as the emulator has opened it. */
async function connected(path: string, emulator: ChildProcess, lastLines: () => string): Promise<Socket> {
  while (emulator.exitCode === null && emulator.signalCode === null) {
    const socket = connect(path);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isOpen) return socket;
    await pause(50);
  }
  throw new Error(`The emulator ended: ${lastLines()}`);
}

function openAgent(socket: Socket) {
  const lines: Interface = createInterface({ input: socket });
  const arrived: string[] = [];
  let waiting: ((line: string | null) => void) | null = null;
  let isClosed = false;
  lines.on('line', (line) => {
    if (waiting === null) arrived.push(line);
    else waiting(line);
  });
  const close = (): void => {
    isClosed = true;
    socket.destroy();
    waiting?.(null);
  };
  socket.on('error', close);
  return {
    close,
    send: (line: string) => socket.write(`${line}\n`),
    /** The next line of the machine; null where none comes in this time. */
    async line(milliseconds: number): Promise<string | null> {
      const first = arrived.shift();
      if (first !== undefined) return first;
      if (isClosed) return null;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const timer = setTimeout(resolve, milliseconds, null);
      waiting = resolve;
      const line = await promise;
      waiting = null;
      clearTimeout(timer);
      return line;
    },
  };
}
