import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ToolFailed } from '../agent/types.ts';

/** Milliseconds that a search may take. */
const LONGEST_MS = 60_000;

export interface Found {
  /** 0 found, 1 nothing found, 2 wrong pattern or path; null where it was stopped. */
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly cut: boolean;
  readonly fault: string;
}

/** The program: beside the built client, else in the packages of this platform. */
function program(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const beside = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(beside)) return beside;
  try {
    const packages = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    return packages.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
  } catch {
    throw new ToolFailed(
      `Search needs ripgrep, which is not installed for ${process.platform} ${process.arch}. Use Bash with grep.`,
    );
  }
}

/** The file of a line that was found with `--null`; null where the line names none. */
export function fileOfLine(line: string): string | null {
  const end = line.indexOf('\0');
  return end < 0 ? null : line.slice(0, end).replace(/^\.\//, '');
}

/** Runs ripgrep without a shell and reads at most `most` lines of files that `takes` accepts. */
export function runRipgrep(
  args: readonly string[],
  directory: string,
  signal: AbortSignal,
  most: number,
  takes: ((file: string) => boolean) | null = null,
): Promise<Found> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const child = spawn(program(), args, {
    cwd: directory,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: limit,
    killSignal: 'SIGKILL',
  });
  const lines: string[] = [];
  let cut = false;
  let fault = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (takes !== null && !takes(fileOfLine(line) ?? '')) return;
    if (lines.length < most) lines.push(line);
    else if (!cut) {
      cut = true;
      child.kill('SIGKILL');
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    fault = (fault + text).slice(0, 1000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (limit.aborted)
        reject(
          new ToolFailed(`The search took longer than ${LONGEST_MS / 1000} seconds: narrow it with path or glob.`),
        );
      else reject(new ToolFailed(`ripgrep cannot be started: ${error.message}`));
    });
    child.once('close', (code) => resolve({ code, lines, cut, fault: fault.trim() }));
  });
}
