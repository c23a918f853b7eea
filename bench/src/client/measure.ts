import { execFile, spawn } from 'node:child_process';

export interface Spent {
  readonly wallMs: number;
  readonly processorMs: number;
}
export interface Dependencies {
  readonly directory: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Runs a program to its end, its output dropped. Bash counts: its own start is not part of the figures. */
export function timed(line: readonly string[], { directory, variables }: Dependencies): Promise<Spent> {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1 </dev/null';
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script, '-', ...line], { cwd: directory, env: variables }, (_, _out, said) => {
      const [real, user, system] = said.trim().split(/\s+/).slice(-3).map(Number);
      if (real === undefined || user === undefined || system === undefined) reject(new Error(`no times: ${said}`));
      else resolve({ wallMs: real * 1000, processorMs: (user + system) * 1000 });
    });
  });
}

/** Something that a person sees: a character that is neither blank nor part of a control sequence. */
const SEEN = new RegExp(
  String.raw`^(?:\s|\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^]*?\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\\x60-~]))*[^\s\x1b]`,
);

/** Milliseconds until a program shows something in a pseudo-terminal of 80 columns and 24 rows; then it is ended. */
export function firstPaint(line: readonly string[], { directory, variables }: Dependencies): Promise<number> {
  const quoted = line.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn('script', ['-qefc', `stty cols 80 rows 24; exec ${quoted}`, '/dev/null'], {
      cwd: directory,
      env: { ...variables, TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    let seen = '';
    let painted: number | null = null;
    const limit = setTimeout(() => end(), 30_000);
    const end = (): void => {
      clearTimeout(limit);
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    child.on('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      if (painted !== null || !SEEN.test(seen)) return;
      painted = performance.now() - begun;
      end();
    });
    child.on('close', () => {
      clearTimeout(limit);
      if (painted === null)
        reject(new Error(`${line.join(' ')} showed nothing: ${JSON.stringify(seen.slice(0, 200))}`));
      else resolve(painted);
    });
  });
}
