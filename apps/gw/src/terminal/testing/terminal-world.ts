import { createLibraries } from '../app/libraries.ts';
import { runTerminal } from '../app/run.ts';
import type { Device, Host, Timers } from '../device/ports.ts';
import type { Palette } from '../text/line.ts';
import { createEmulator, type Emulator } from './emulator.ts';
import { createFakeSession, type FakeSession, fakeModel } from './fake-session.ts';

export interface TerminalWorld {
  readonly session: FakeSession;
  readonly emulator: Emulator;
  /** Everything that was written. */
  raw(): string;
  /** Presses keys, as a terminal sends them, and lets everything happen that follows. */
  press(...keys: string[]): Promise<void>;
  /** Lets time pass, in steps in which what was waiting happens. */
  pass(milliseconds?: number): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Ends it as a signal does. */
  interrupt(): Promise<void>;
  /** Whether the terminal has the keyboard. */
  hasKeyboard(): boolean;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number>;
}

export interface WorldOptions {
  readonly session?: FakeSession;
  readonly columns?: number;
  readonly rows?: number;
  readonly palette?: Palette;
  readonly screenReader?: boolean;
  readonly prompt?: string;
  readonly host?: Partial<Host>;
}

const libraries = createLibraries();

/** The terminal on a fake session, a fake clock and an emulated window. */
export async function openTerminal(options: WorldOptions = {}): Promise<TerminalWorld> {
  const { session = createFakeSession(), columns = 80, rows = 24 } = options;
  const emulator = createEmulator(columns, rows);
  const size = { columns, rows };
  let [raw, now, opened] = ['', 0, 0];
  const controller = new AbortController();
  let waiting: { at: number; run: () => void }[] = [];
  let [input, resized]: [(text: string) => void, () => void] = [() => undefined, () => undefined];

  const device: Device = {
    palette: options.palette ?? 'colors',
    screenReader: options.screenReader ?? false,
    size: () => size,
    write(text) {
      raw += text;
      emulator.write(text);
    },
    open(onInput, onResize) {
      [input, resized] = [onInput, onResize];
      opened += 1;
      return () => {
        opened -= 1;
      };
    },
  };
  const timers: Timers = {
    now: () => now,
    after(milliseconds, run) {
      const entry = { at: now + milliseconds, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
  };
  const host: Host = {
    version: '1.0.0',
    project: '/home/casey/shop',
    home: '/home/casey',
    open: async () => ({ session, prompt: options.prompt ?? null, notices: [] }),
    fresh: async () => createFakeSession(),
    resume: async (id) => createFakeSession({ id }),
    fork: async (id) => createFakeSession({ id: 'copy', parent: id }),
    sessions: async () => [],
    models: () => ['Test Model', 'Other Model'],
    model: async (name) => fakeModel(name),
    describeConfiguration: async () => ['~/.gateway/config.yaml'],
    describePermissions: async () => ['No rule.'],
    forgetApprovals: async () => 2,
    async signInToServer(name, show) {
      show(`https://${name}.example/authorize`);
      return `Signed in to ${name}.`;
    },
    files: async () => ['a.txt', 'src/main.ts', 'src/terminal/run.ts'],
    shell: async (_, output) => {
      output('shell output\n');
      return { code: 0, continues: false };
    },
    image: async () => null,
    clipboardImage: async () => null,
    externalEditor: async () => null,
    history: { load: async () => [], append: async () => undefined },
    ...options.host,
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass: TerminalWorld['pass'] = async (milliseconds = 100) => {
    const until = now + milliseconds;
    await settle();
    for (;;) {
      const next = waiting.filter(({ at }) => at <= until).toSorted((left, right) => left.at - right.at)[0];
      if (next === undefined) break;
      waiting = waiting.filter((each) => each !== next);
      now = Math.max(now, next.at);
      next.run();
      await settle();
    }
    now = until;
  };
  // Loaded before, so that a test never waits for it.
  await Promise.all([libraries.lexer(), libraries.highlight(), libraries.diff(), libraries.fuzzy()]);
  const ended = runTerminal({ device, timers, host, interrupted: controller.signal });
  await pass();
  return {
    session,
    emulator,
    raw: () => raw,
    async press(...keys) {
      for (const key of keys) {
        input(key);
        await pass(50);
      }
    },
    pass,
    async resize(nextColumns, nextRows) {
      Object.assign(size, { columns: nextColumns, rows: nextRows });
      emulator.resize(nextColumns, nextRows);
      resized();
      await pass();
    },
    async interrupt() {
      controller.abort();
      await pass();
    },
    hasKeyboard: () => opened > 0,
    ended,
  };
}
