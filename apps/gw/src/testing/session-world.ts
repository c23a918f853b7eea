import { type Script, type ScriptedEngine, startEngine } from './scripted-engine.ts';
import type { Ran, RunOptions, World } from './world.ts';
import { openWorld } from './world.ts';

/** The envelope of `gw -p --format json`. */
export interface Envelope {
  readonly version: number;
  readonly status: string;
  readonly answer: string;
  readonly session: string;
  readonly model: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly calls: number };
  readonly toolCalls: readonly {
    readonly tool: string;
    readonly target: string;
    readonly outcome: string;
    readonly authorizedBy: string;
  }[];
  readonly denied: readonly { readonly tool: string; readonly target: string; readonly reason: string }[];
  readonly error: { readonly message: string; readonly status: number | null } | null;
}
export type Answered = Ran & { readonly envelope: Envelope };

/** A home with a configuration, a project, and an engine that plays scripts: whole sessions run in this process. */
export interface SessionWorld extends World {
  readonly engine: ScriptedEngine;
  /** `gw -p --format json …options prompt` against a script. */
  print(script: Script, options?: readonly string[], prompt?: string, change?: RunOptions): Promise<Answered>;
  end(): Promise<void>;
}

export async function openSessionWorld(): Promise<SessionWorld> {
  const [world, engine] = [openWorld(), await startEngine()];
  world.write(
    'home/casey/.gateway/config.yaml',
    `models:\n  - name: Scripted\n    model: scripted-id\n    endpoint: ${engine.url}/demo/v1\n    apiKey: key-of-the-tests\n`,
  );
  return {
    ...world,
    engine,
    async print(script, options = [], prompt = 'Go.', change = {}) {
      engine.play(script);
      const ran = await world.gw(['-p', '--format', 'json', ...options, prompt], change);
      const lines = ran.out.split('\n');
      if (lines.length !== 2) throw new Error(`not one line: ${ran.out} (exit ${ran.code}, ${ran.err})`);
      return { ...ran, envelope: JSON.parse(lines[0] ?? '') as Envelope };
    },
    async end() {
      await engine.close();
      world.close();
    },
  };
}

/** A turn that asks for one tool. */
export function use(name: string, args: unknown) {
  return { calls: [{ name, args }] };
}
