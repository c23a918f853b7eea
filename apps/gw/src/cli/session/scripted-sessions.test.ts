import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Script } from '../../testing/scripted-engine.ts';
import { openSessionWorld, type SessionWorld, use } from '../../testing/session-world.ts';

// Whole sessions of `gw -p`: each names what the engine plays, and what is then in the project, the record and the exit code.
let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

interface Session {
  readonly options?: readonly string[];
  /** Files of the project before. */
  readonly files?: Readonly<Record<string, string>>;
  readonly script: Script;
  readonly code: number;
  /** Files of the project after; null where there must be none. */
  readonly leaves?: Readonly<Record<string, string | null>>;
  /** The tool results in the latest request to the model, in order. */
  readonly results?: readonly RegExp[];
  /** Kinds of the record between `prompt` and `session-ended`. */
  readonly recorded: readonly string[];
  readonly calls: number;
}

const read = (name: string) => use('Read', { file_path: name });
const edit = (name: string, before: string, after: string) =>
  use('Edit', { file_path: name, old_string: before, new_string: after });
const bash = (command: string) => use('Bash', { command });
const DENIED = ['proposed-action'];
const READ = [...DENIED, 'file-read'];
const CHANGE = [...DENIED, 'file-modified'];
const RUN = [...DENIED, 'sandbox-execution'];

const SESSIONS: Readonly<Record<string, Session>> = {
  'reads a file and edits it': {
    options: ['--allow', 'Edit'],
    files: { 'a.txt': 'one\ntwo\n' },
    script: [read('a.txt'), edit('a.txt', 'two', 'three'), 'Done.'],
    code: 0,
    leaves: { 'a.txt': 'one\nthree\n' },
    results: [/1\s*one\n/, /./],
    recorded: [...READ, ...CHANGE],
    calls: 3,
  },
  'keeps the line ends and the byte order mark of a file': {
    options: ['--auto'],
    files: { 'a.txt': '\ufeffone\r\ntwo\r\n' },
    script: [read('a.txt'), edit('a.txt', 'one\ntwo', 'one\n2'), 'Done.'],
    code: 0,
    leaves: { 'a.txt': '\ufeffone\r\n2\r\n' },
    recorded: [...READ, ...CHANGE],
    calls: 3,
  },
  'does not edit a file that was never read': {
    options: ['--auto'],
    files: { 'a.txt': 'one\n' },
    script: [edit('a.txt', 'one', 'two'), 'I could not.'],
    code: 0,
    leaves: { 'a.txt': 'one\n' },
    results: [/read/i],
    recorded: CHANGE,
    calls: 2,
  },
  'does not edit what occurs twice, and says where': {
    options: ['--auto'],
    files: { 'a.txt': 'x\ny\nx\n' },
    script: [read('a.txt'), edit('a.txt', 'x', 'z'), 'I could not.'],
    code: 0,
    leaves: { 'a.txt': 'x\ny\nx\n' },
    results: [/./, /2 times|twice/],
    recorded: [...READ, ...CHANGE],
    calls: 3,
  },
  'makes all of several edits or none': {
    options: ['--auto'],
    files: { 'a.txt': 'one two\n' },
    script: [
      read('a.txt'),
      use('MultiEdit', {
        file_path: 'a.txt',
        edits: [
          { old_string: 'one', new_string: '1' },
          { old_string: 'three', new_string: '3' },
        ],
      }),
      'I could not.',
    ],
    code: 0,
    leaves: { 'a.txt': 'one two\n' },
    recorded: [...READ, ...CHANGE],
    calls: 3,
  },
  'runs the tests, fixes the fault and runs them again': {
    options: ['--allow', 'Bash(sh test.sh)', '--allow', 'Edit'],
    files: { 'test.sh': 'grep -q right code.txt || { echo FAILED; exit 1; }\necho PASSED\n', 'code.txt': 'wrong\n' },
    script: [
      bash('sh test.sh'),
      read('code.txt'),
      edit('code.txt', 'wrong', 'right'),
      bash('sh test.sh'),
      'It passes.',
    ],
    code: 0,
    leaves: { 'code.txt': 'right\n' },
    results: [/FAILED/, /wrong/, /./, /PASSED/],
    recorded: [...RUN, ...READ, ...CHANGE, ...RUN],
    calls: 5,
  },
  'does not run the second command of a line that is allowed in part': {
    options: ['--allow', 'Bash(echo *)'],
    script: [bash('echo a; touch pwned'), 'I could not.'],
    code: 3,
    leaves: { pwned: null },
    results: [/^Denied: /],
    recorded: DENIED,
    calls: 2,
  },
  'does not write through a redirection of an allowed command': {
    options: ['--allow', 'Bash(echo *)'],
    script: [bash('echo a > pwned'), 'I could not.'],
    code: 3,
    leaves: { pwned: null },
    recorded: DENIED,
    calls: 2,
  },
  'changes nothing in plan mode, whatever is allowed': {
    options: ['--readonly', '--allow', 'Write'],
    script: [use('Write', { file_path: 'pwned', content: 'x' }), 'Here is a plan.'],
    code: 3,
    leaves: { pwned: null },
    recorded: DENIED,
    calls: 2,
  },
  'does not run an excluded tool in auto mode': {
    options: ['--auto', '--exclude', 'Bash'],
    script: [bash('touch pwned'), 'I could not.'],
    code: 3,
    leaves: { pwned: null },
    recorded: DENIED,
    calls: 2,
  },
  'goes on after arguments that are no JSON': {
    script: [{ calls: [{ name: 'Read', raw: '{"file_path": ' }] }, 'Sorry.'],
    code: 0,
    results: [/JSON/],
    recorded: [],
    calls: 2,
  },
  'goes on after a tool that does not exist': {
    script: [use('Delete', { file_path: 'a' }), 'Sorry.'],
    code: 0,
    results: [/Delete/],
    recorded: [],
    calls: 2,
  },
  'does not read outside the project where nobody can be asked': {
    script: [read('/etc/hostname'), 'I could not.'],
    code: 3,
    results: [/^Denied: /],
    recorded: DENIED,
    calls: 2,
  },
};

describe('a session', () => {
  it.each(Object.entries(SESSIONS))('%s', async (_, { options, files = {}, script, code, ...expected }) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(world.project, name), content);
    const ran = await world.print(script, options, 'Go.');
    expect(ran.code, ran.err).toBe(code);
    for (const [name, content] of Object.entries(expected.leaves ?? {})) {
      const path = join(world.project, name);
      expect(existsSync(path) ? readFileSync(path, 'utf8') : null, name).toBe(content);
    }
    const results = world.engine.results();
    expected.results?.forEach((pattern, at) => {
      expect(results[at]).toMatch(pattern);
    });
    expect(kindsOf(ran.envelope.session)).toEqual([
      'session-started',
      'authentication',
      'prompt',
      ...expected.recorded,
      'session-ended',
    ]);
    expect(world.engine.requests).toHaveLength(expected.calls);
    for (const { headers } of world.engine.requests) expect(headers['x-gateway-session']).toBe(ran.envelope.session);
    // Nothing is written into the project but what the model asked for.
    expect(readdirSync(world.project).sort()).toEqual(
      [...new Set([...Object.keys(files), ...present(expected.leaves)])].sort(),
    );
  });
});

function kindsOf(session: string): readonly string[] {
  const text = readFileSync(join(world.home, '.gateway/record', `${session}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
}

function present(leaves: Session['leaves'] = {}): readonly string[] {
  return Object.entries(leaves).flatMap(([name, content]) => (content === null ? [] : [name]));
}

describe('sessions that follow each other', () => {
  it('an edit of one session must be read again in the next, which knows the conversation', async () => {
    writeFileSync(join(world.project, 'a.txt'), 'one\n');
    const first = await world.print([read('a.txt'), 'It says one.'], ['--auto'], 'FIRST');
    writeFileSync(join(world.project, 'a.txt'), 'two\n');
    const { code, envelope } = await world.print(
      [edit('a.txt', 'one', 'three'), read('a.txt'), edit('a.txt', 'two', 'three'), 'Done.'],
      ['--auto', '--resume'],
      'SECOND',
    );
    expect([code, envelope.session]).toEqual([0, first.envelope.session]);
    expect(envelope.toolCalls.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded', 'succeeded']);
    expect(readFileSync(join(world.project, 'a.txt'), 'utf8')).toBe('three\n');
    expect(kindsOf(envelope.session).filter((kind) => kind === 'session-started')).toHaveLength(2);
    const { code: replayed, out } = await world.gw(['replay', envelope.session, '--json']);
    expect([replayed, JSON.parse(out)]).toEqual([0, expect.objectContaining({ intact: true, brokenAt: null })]);
  });

  it('a copy continues independently, under its own name in the record and at the engine', async () => {
    const first = await world.print(['FIRST-ANSWER'], [], 'FIRST');
    const copy = await world.print(['Second.'], ['--fork', first.envelope.session], 'SECOND');
    const again = await world.print(['Third.'], ['--fork', first.envelope.session], 'THIRD');
    expect(new Set([first, copy, again].map(({ envelope }) => envelope.session)).size).toBe(3);
    expect(world.engine.requests[0]?.text).toContain('FIRST-ANSWER');
    expect(world.engine.requests[0]?.text).not.toContain('SECOND');
    expect(kindsOf(first.envelope.session).filter((kind) => kind === 'prompt')).toHaveLength(1);
  });

  it('an answer that broke off is asked for again by the next message, with what was said before', async () => {
    const broken = await world.print([{ text: 'Half of it', breakAfter: 1 }], [], 'FIRST');
    expect([broken.code, broken.envelope.status]).toEqual([1, 'failed']);
    const { code, envelope } = await world.print(['Whole.'], ['--resume'], 'SECOND');
    expect([code, envelope.session, envelope.answer]).toEqual([0, broken.envelope.session, 'Whole.']);
    expect(world.engine.requests[0]?.text).toMatch(/FIRST.*SECOND/s);
  });
});
