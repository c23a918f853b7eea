import { createHost } from '../cli/session/interactive.ts';
import type { MainOptions } from '../cli/session/options.ts';
import { runTerminal } from '../terminal/app/run.ts';
import type { Device, Timers } from '../terminal/device/ports.ts';
import { createEmulator } from '../terminal/testing/emulator.ts';
import type { Script } from './scripted-engine.ts';
import type { SessionWorld } from './session-world.ts';
import type { RunOptions } from './world.ts';

/** A whole session in an emulated window: keys in, screen out; engine, files, commands and servers are real. */
export interface Interactive {
  /** Types a text as a person does, and presses Enter. */
  send(text: string): Promise<void>;
  /** Presses keys, as a terminal sends them. */
  press(...keys: string[]): Promise<void>;
  /** Resolves once everything that was ever shown matches. */
  shows(pattern: RegExp): Promise<void>;
  /** Everything that was shown, the lines that were scrolled away first. */
  all(): string;
  screen(): string;
  /** Ends it by `/exit`, and gives the exit code. */
  leave(): Promise<number>;
  /** Ends it as a signal does, in any state. */
  stop(): Promise<number>;
}

/** So that a test that fails says what it saw. */
const LONGEST_WAIT_MS = 20_000;

const NO_OPTIONS: MainOptions = {
  config: null,
  org: null,
  mode: 'normal',
  verbose: false,
  statusTool: false,
  rules: [],
  servers: [],
  model: null,
  prompts: [],
  tools: [],
  agent: null,
  addedFolders: [],
  print: false,
  format: null,
  silent: false,
  maxTurns: null,
  images: [],
  resume: false,
  resumeId: null,
  fork: null,
  session: null,
  prompt: null,
};

export async function openInteractive(
  world: SessionWorld,
  script: Script,
  options: Partial<MainOptions> = {},
  change: RunOptions & { readonly columns?: number; readonly rows?: number; readonly screenReader?: boolean } = {},
): Promise<Interactive> {
  world.engine.play(script);
  const size = { columns: change.columns ?? 80, rows: change.rows ?? 24 };
  const emulator = createEmulator(size.columns, size.rows);
  let input: (text: string) => void = () => undefined;
  let waiting: (() => void)[] = [];
  const device: Device = {
    palette: 'plain',
    screenReader: change.screenReader ?? false,
    size: () => size,
    write(text) {
      emulator.write(text);
      for (const look of Array.from(waiting)) look();
    },
    open(onInput) {
      input = onInput;
      return () => undefined;
    },
  };
  const timers: Timers = {
    now: () => performance.now(),
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  const controller = new AbortController();
  const context = world.context({ now: new Date(), interrupted: controller.signal, ...change });
  const host = createHost(context, { ...NO_OPTIONS, ...options }, { home: world.home, cwd: world.project });
  const ended = runTerminal({ device, timers, host, interrupted: context.interrupted() });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const shows = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${pattern} is not shown. What is shown:\n${emulator.all()}`)),
        LONGEST_WAIT_MS,
      );
      const look = (): void => {
        if (!pattern.test(emulator.all())) return;
        clearTimeout(timer);
        waiting = waiting.filter((each) => each !== look);
        resolve();
      };
      waiting.push(look);
      look();
    });
  const press: Interactive['press'] = async (...keys) => {
    for (const key of keys) {
      input(key);
      await settle();
    }
  };
  const send: Interactive['send'] = (text) => press(text, '\r');
  await shows(/^gw \d|Agree to/m); // a question about the project comes first
  return {
    send,
    press,
    shows,
    all: () => emulator.all(),
    screen: () => emulator.screen(),
    async leave() {
      await send('/exit');
      return ended;
    },
    async stop() {
      controller.abort();
      return ended;
    },
  };
}
