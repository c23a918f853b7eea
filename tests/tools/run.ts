import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { shownBy } from './manual.ts';
import type { Tool } from './tools.ts';

/** A bound for a tool that hangs: the slowest takes 40 s on an idle machine with two cores. */
const PATIENCE_MS = 150_000;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** A separate home with the configuration of the tool's page, and a working directory with one note. */
export interface Desk {
  readonly note: string;
  run(patience?: number): Promise<Ran>;
  close(): void;
}

/**
 * Sets a tool up as its page describes.
 * @param installed the folder with its packages.
 * @param word what the note says.
 */
export function setUp(tool: Tool, installed: string, gateway: string, key: string, word: string): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `tool-${tool.page}-`)));
  const [home, work, bin] = ['home', 'work', 'bin'].map((name) => join(folder, name)) as [string, string, string];
  for (const one of [home, work, bin]) mkdirSync(one);
  const own = (text: string): string => text.replaceAll('http://localhost:6001', gateway).replaceAll('gwk_…', key);
  const { files, functions } = shownBy(tool.page);
  for (const [name, text] of Object.entries(files)) {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, own(text), { mode: 0o600 });
  }
  const start = join(home, 'functions');
  writeFileSync(start, own(functions));
  const note = join(work, 'note.txt');
  writeFileSync(note, `the word is ${word}\n`);
  if (tool.program === null) symlinkSync(join(installed, 'node_modules'), join(home, 'node_modules'));
  else symlinkSync(join(installed, 'node_modules', tool.program), join(bin, tool.command.split(' ')[0] ?? ''));
  const environment = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    USER: 'alice',
    TERM: 'dumb',
    GATEWAY_KEY: key,
    ...tool.environment,
  };
  return {
    note,
    run: (patience = PATIENCE_MS) => run(`. "$HOME/functions"\n${tool.command}`, work, environment, patience),
    close: () => {
      endDaemons(home);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Ends processes that left the group of their run, such as Cline's hub: their environment has the desk's home. */
function endDaemons(home: string): void {
  if (!existsSync('/proc/self/environ')) return;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
      if (environment.includes(`HOME=${home}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // it has ended, or belongs to somebody else
    }
  }
}

/** Runs a line in a shell with its own process group, which is ended as a whole. */
function run(line: string, cwd: string, env: Record<string, string>, patience: number): Promise<Ran> {
  const child = spawn('bash', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // nothing of the group is left
    }
  };
  const late = setTimeout(end, patience);
  return new Promise((resolve) => {
    child.once('exit', end); // its background processes would keep the pipes open
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, out, errors });
    });
  });
}
