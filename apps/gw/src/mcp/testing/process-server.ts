import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { testProject } from '../../tools/testing/project.ts';
import { createManagedServer } from '../servers.ts';
import type { ServerConfiguration } from '../transport.ts';

/** Written by hand: what it says does not come from the library under test. */
const PROGRAM = `
import fs from 'node:fs';
import readline from 'node:readline';
const SILENCE = Symbol('no answer');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const text = (said) => ({ content: [{ type: 'text', text: String(said) }] });
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const on = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': () => ({ tools: [tool('act')] }),
  'tools/call': ({ arguments: given }) => text(JSON.stringify(given)),
};
const heard = (message) => undefined;
fs.appendFileSync(process.env.HEARD + '.pids', process.pid + '\\n');
//BODY
readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  fs.appendFileSync(process.env.HEARD, line + '\\n');
  if (message.method === undefined || message.id === undefined) return;
  const answer = await on[message.method]?.(message.params, message.id);
  if (answer === SILENCE) return;
  say(answer?.error === undefined ? { id: message.id, result: answer } : { id: message.id, ...answer });
});
`;

export interface Heard {
  readonly method?: string;
  readonly id?: unknown;
  readonly params?: unknown;
  readonly error?: { readonly code: number };
  readonly result?: unknown;
}

/**
 * A server in a process of its own, closed when the test ends.
 * @param body statements of its program: they replace handlers in `on`, or end it.
 */
export async function processServer(body = '', more: Partial<ServerConfiguration> = {}) {
  const project = await testProject();
  const folder = temporaryFolder();
  const [file, heardFile] = [join(folder, 'server.mjs'), join(folder, 'heard')];
  writeFileSync(
    file,
    PROGRAM.replace('//BODY', () => body),
  );
  const configuration = {
    name: 's',
    command: process.execPath,
    args: [file],
    ofProject: false,
    ...more,
    env: { HEARD: heardFile, ...more.env },
  };
  const managed = createManagedServer(configuration, project.project);
  onTestFinished(() => managed.close());
  const linesOf = (path: string): readonly string[] =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return {
    managed,
    warnings: project.warnings,
    project: project.project,
    /** What the server received, in order. */
    heard: (): readonly Heard[] => linesOf(heardFile).map((line) => JSON.parse(line) as Heard),
    /** Of every process that was started. */
    pids: (): readonly number[] => linesOf(`${heardFile}.pids`).map(Number),
    /** Calls the tool at a position. */
    async call(args: unknown = {}, signal = new AbortController().signal, at = 0) {
      await managed.open();
      const tool = managed.tools[at];
      if (tool === undefined) throw new Error('The server has no such tool.');
      return project.run(tool, args, { signal });
    },
  };
}
