import { execFile } from 'node:child_process';
import type { Environment } from '../process/environment.ts';
import { absolutePath } from './on-path.ts';

/** Milliseconds a program has to answer: on a network drive a large repository takes some. */
const PATIENCE_MS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** Variables that a program needs to run at all and to find its user's settings; no other reaches it. */
const HANDED_ON = ['PATH', 'Path', 'HOME', 'USERPROFILE', 'SystemRoot', 'XDG_CONFIG_HOME', 'TMPDIR', 'TEMP'] as const;

/** What a program answered on its standard output. */
export interface ProgramOutput {
  /** Null where it was ended by a signal, or could not be started. */
  readonly code: number | null;
  readonly output: string;
  /** It had more to say than is read. */
  readonly cut: boolean;
}

/** Runs a program, without a shell, with a bare environment and a bound on its time and output. Never throws. */
export function askProgram(
  file: string,
  args: readonly string[],
  environment: Environment,
  options: {
    readonly directory?: string;
    readonly variables?: Readonly<Record<string, string>>;
    /** Bytes of output that are read; 4 MiB without it. */
    readonly maxBytes?: number;
  } = {},
): Promise<ProgramOutput> {
  const env: Record<string, string> = { LC_ALL: 'C', ...options.variables };
  for (const name of HANDED_ON) {
    const value = environment.variables.get(name);
    if (value !== undefined) env[name] = name.toUpperCase() === 'PATH' ? absolutePath(environment) : value;
  }
  return new Promise((resolve) => {
    try {
      const limits = {
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL' as const,
        maxBuffer: options.maxBytes ?? MOST_BYTES,
        windowsHide: true,
      };
      const child = execFile(file, args, { ...limits, env, cwd: options.directory }, (error, output) => {
        const cut = error?.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown);
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, output, cut });
      });
      child.stdin?.end();
    } catch {
      // Of the reasons for which a program does not start, Node throws some instead of calling back: too many variables.
      resolve({ code: null, output: '', cut: false });
    }
  });
}
