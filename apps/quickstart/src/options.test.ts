import { describe, expect, it } from 'vitest';
import { type Options, parseOptions } from './options.ts';

const FOLDER = '/home/somebody/project';

function options(...words: readonly string[]): Options {
  const parsed = parseOptions(words, FOLDER);
  if (!('options' in parsed)) throw new Error(parsed.text);
  return parsed.options;
}

function refusal(...words: readonly string[]): { exitCode: number; text: string } {
  const parsed = parseOptions(words, FOLDER);
  if ('options' in parsed) throw new Error(`${words.join(' ')} was accepted`);
  return parsed;
}

describe('without words', () => {
  it('is the hosted profile on the documented ports, with the demo engine and persistent data', () => {
    expect(options()).toEqual({
      profile: 'serverless',
      engine: null,
      ephemeral: false,
      json: false,
      bare: false,
      ports: { gateway: 6001, console: 6002, database: 6000 },
      data: null,
      gatewayEnvironment: {},
      docs: null,
    });
  });
});

describe('ephemeral', () => {
  it('takes free ports', () => {
    expect(options('--ephemeral').ports).toEqual({ gateway: 0, console: 0, database: 0 });
  });

  it('keeps a port that was asked for', () => {
    expect(options('--ephemeral', '--port', '7001').ports).toEqual({ gateway: 7001, console: 0, database: 0 });
  });
});

describe('a real engine', () => {
  it('is an address, a model and the name of a key variable', () => {
    const words = ['--engine', 'http://localhost:11434', '--model', 'llama', '--engine-key-env', 'ENGINE_KEY'];
    expect(options(...words).engine).toEqual({
      baseUrl: 'http://localhost:11434',
      model: 'llama',
      keyEnv: 'ENGINE_KEY',
    });
  });

  it.each([
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['http://localhost:8080/v1', 'http://localhost:8080'],
    ['https://engines.example/llama/v1/', 'https://engines.example/llama'],
    ['https://engines.example/llama', 'https://engines.example/llama'],
  ])('%s is declared as %s, because the path of a call contains /v1', (given, declared) => {
    expect(options('--engine', given, '--model', 'm').engine?.baseUrl).toBe(declared);
  });

  it.each([
    ['--engine', 'http://localhost:1'],
    ['--model', 'llama'],
    ['--engine-key-env', 'KEY'],
    ['--engine', 'localhost:11434', '--model', 'm'],
    ['--engine', 'ftp://x/', '--model', 'm'],
    ['--engine', 'http://user:secret@x/', '--model', 'm'],
    ['--engine', 'http://x/?a=b', '--model', 'm'],
    ['--engine', 'http://x/', '--model', 'm', '--engine-key-env', 'sk-key-itself'],
  ])('is refused in part or in a wrong form: %s', (...words) => {
    expect(refusal(...words).exitCode).toBe(2);
  });
});

describe('variables of the gateway', () => {
  it('are repeatable, and a value may be any text', () => {
    expect(options('--env', 'A=1', '--env', 'B=x=y z', '--env', 'C=', '--env', 'A=2').gatewayEnvironment).toEqual({
      A: '2',
      B: 'x=y z',
      C: '',
    });
  });

  it('do not run from one reading into the next', () => {
    options('--env', 'A=1');
    expect(options().gatewayEnvironment).toEqual({});
  });

  it.each(['A', '=1', '1A=2', 'A B=1'])('are refused as %j', (text) => {
    expect(refusal('--env', text).text).toContain('NAME=VALUE');
  });
});

describe('folders', () => {
  it('are relative to where npm start was called', () => {
    const { data, docs } = options('--data', 'kept here', '--docs', '../manual');
    expect([data, docs]).toEqual(['/home/somebody/project/kept here', '/home/somebody/manual']);
  });

  it('may be absolute', () => {
    expect(options('--data', '/var/kept').data).toBe('/var/kept');
  });
});

describe('what cannot be', () => {
  it.each(['--data', '--docs'])('an empty folder for %s, as an unset variable of the shell gives it', (option) => {
    const { exitCode, text } = refusal(option, '');
    expect([exitCode, text]).toEqual([2, expect.stringContaining('It is the path of a folder, and empty.')]);
  });

  it.each([
    [['--port', '7000', '--console-port', '7000'], 'the gateway and the console cannot both have port 7000'],
    [['--port', '6000'], 'the gateway and PostgreSQL cannot both have port 6000'],
    [['--database-port', '6002'], 'the console and PostgreSQL cannot both have port 6002'],
  ])('%j: two programs on one port', (words, sentence) => {
    expect(refusal(...words)).toEqual({ exitCode: 2, text: expect.stringContaining(sentence) });
  });

  it('is not that each takes a free port', () => {
    const { ports } = options('--port', '0', '--console-port', '0', '--database-port', '0');
    expect(ports).toEqual({ gateway: 0, console: 0, database: 0 });
  });
});

describe('a wrong word', () => {
  it.each([
    ['--nonsense'],
    ['--prot', '1'],
    ['word'],
    ['--profile', 'hosted'],
    ['--port', 'x'],
    ['--port', '65536'],
    ['--port', '-1'],
    ['--console-port', '1e3'],
    ['--data'],
  ])('gives one line that helps, and exit code 2: %s', (...words) => {
    const { exitCode, text } = refusal(...words);
    expect(exitCode).toBe(2);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(text).toContain('npm start -- --help');
  });

  it('names the profiles there are', () => {
    expect(refusal('--profile', 'hosted').text).toMatch(/serverless.*on-premise/);
  });
});

it('--help lists every option, with exit code 0', () => {
  const { exitCode, text } = refusal('--help');
  expect(exitCode).toBe(0);
  for (const name of [
    'profile',
    'engine',
    'model',
    'engine-key-env',
    'ephemeral',
    'json',
    'bare',
    'port',
    'data',
    'env',
    'docs',
  ])
    expect(text).toContain(`--${name}`);
});
