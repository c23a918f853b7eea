import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Component, startComponent } from './component.ts';
import { StartFault } from './environment.ts';
import type { Message } from './watchdog/watchdog.ts';

let folder: string;
let messages: Message[];
let lines: string[];
let started: Component[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'component-test-'));
  messages = [];
  lines = [];
  started = [];
});

afterEach(async () => {
  for (const component of started) await component.stop(0);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program given as its text. */
async function program(text: string, signal = new AbortController().signal): Promise<Component> {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, text);
  const watchdog = { send: (message: Message) => messages.push(message), dismiss: async () => undefined };
  const component = await startComponent(
    {
      name: 'program',
      args: [file],
      environment: { ONLY: 'this' },
      ready: /^program listens on (https?:\/\/\S+)/,
      logFile: join(folder, 'log'),
      onLine: (line) => lines.push(line),
    },
    watchdog,
    signal,
  );
  started.push(component);
  return component;
}

const READY = "console.log('program listens on http://here');";
const FOREVER = 'setInterval(() => {}, 1000);';

function alive(pid: number): boolean {
  try {
    // A zombie still answers to signal 0.
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  await expect.poll(() => alive(pid)).toBe(false);
}

describe('a component that serves', () => {
  it('reports where', async () => {
    expect((await program(READY + FOREVER)).address).toBe('http://here');
  });

  it('may report it on standard error', async () => {
    expect((await program(`console.error('program listens on http://there');${FOREVER}`)).address).toBe('http://there');
  });

  it('has no variable but those given', async () => {
    const text = `console.error(JSON.stringify(Object.keys(process.env)));${READY}${FOREVER}`;
    await program(text);
    await expect.poll(() => lines).toContain('["ONLY"]');
  });

  it('is registered with the watchdog, and unregistered when it ended', async () => {
    const component = await program(READY);
    await component.ended;
    const { pid } = messages[0] as { pid: number };
    expect(messages).toEqual([
      { what: 'process', pid },
      { what: 'ended', pid },
    ]);
  });

  it('serves on where its log cannot be written', async () => {
    mkdirSync(join(folder, 'log'));
    const component = await program(`console.error('one');${READY}${FOREVER}`);
    await expect.poll(() => lines).toEqual(['one']);
    expect(component.address).toBe('http://here');
  });

  it('reports how it ended', async () => {
    expect(await (await program(`${READY}process.exitCode = 3;`)).ended).toBe('ended with 3');
  });
});

describe('a component that ends before it serves', () => {
  it('is a fault, after its own line was shown', async () => {
    const refused = program("console.error('DATABASE_URL: is not set.'); process.exitCode = 1;");
    await expect(refused).rejects.toThrow(StartFault);
    await expect(refused).rejects.toThrow('The program ended with 1 before it was ready.');
    expect(lines).toEqual(['DATABASE_URL: is not set.']);
  });
});

describe('stopping', () => {
  it('asks first', async () => {
    const text = "process.on('SIGTERM', () => { console.error('goodbye'); process.exit(0); });";
    const component = await program(text + READY + FOREVER);
    await component.stop(5000);
    expect(lines).toContain('goodbye');
    expect(await component.ended).toBe('ended with 0');
  });

  it('makes one that does not listen end', async () => {
    const component = await program(`process.on('SIGTERM', () => {});${READY}${FOREVER}`);
    await component.stop(50);
    expect(await component.ended).toBe('was ended by SIGKILL');
  });

  it('wakes one that is frozen, so that it can end in order', async () => {
    const component = await program(READY + FOREVER);
    const { pid } = messages[0] as { pid: number };
    process.kill(pid, 'SIGSTOP');
    await component.stop(5000);
    expect(await component.ended).toBe('was ended by SIGTERM');
  });

  it('ends the processes that it started', async () => {
    const child =
      "import { spawn } from 'node:child_process';" +
      "console.error('child', spawn(process.execPath, ['-e', 'process.on(\"SIGTERM\", () => {}); setInterval(() => {}, 1000)']).pid);";
    const component = await program(child + READY + FOREVER);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    const pid = Number(lines[0]?.split(' ')[1]);
    expect(alive(pid)).toBe(true);
    await component.stop(1000);
    await gone(pid);
  });

  it('while it starts, ends it and the waiting', async () => {
    const end = new AbortController();
    const starting = program(`console.error('here');${FOREVER}`, end.signal);
    await expect.poll(() => lines).toContain('here');
    end.abort();
    await expect(starting).rejects.toThrow('aborted');
    await gone((messages[0] as { pid: number }).pid);
  });

  it('before it starts, starts nothing', async () => {
    await expect(program(READY, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(messages).toEqual([]);
  });
});

it('all of its output is in its log', async () => {
  const component = await program(`console.error('one'); console.log('two');${READY}`);
  await component.ended;
  await expect
    .poll(() => readFileSync(join(folder, 'log'), 'utf8').split('\n').filter(Boolean).sort())
    .toEqual(['one', 'program listens on http://here', 'two']);
});
