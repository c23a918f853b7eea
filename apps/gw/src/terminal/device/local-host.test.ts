import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalHost } from './local-host.ts';

/** The host in a home and a project of their own. */
function world(variables: Readonly<Record<string, string>> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gw-host-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const host = createLocalHost({
    project: () => project,
    cwd: project,
    home,
    variables: new Map(Object.entries(variables)),
  });
  const write = (name: string, content: string | Uint8Array, mode = 0o600): string => {
    const file = join(root, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content, { mode });
    return file;
  };
  return { root, home, project, host, write };
}

describe('the history of messages', () => {
  it('is stored for later sessions, readable by the user only, with secrets masked', async () => {
    const { host, home } = world();
    expect(await host.history.load()).toEqual([]);
    await host.history.append('first\nof two lines');
    await host.history.append('my key is AKIAQ3EGRSUVWXYZ2345');
    expect(await host.history.load()).toEqual(['first\nof two lines', expect.stringMatching(/^my key is (?!AKIA)/)]);
    const file = join(home, '.gateway', 'history.jsonl');
    expect([statSync(file).mode & 0o077, readFileSync(file, 'utf8').includes('AKIA')]).toEqual([0, false]);
  });

  it('is cut to the latest messages, and leaves out what a crash tore', async () => {
    const { host, write } = world();
    const lines = Array.from({ length: 1200 }, (_, at) => `${JSON.stringify(`message ${at}`)}\n`);
    const file = write('home/.gateway/history.jsonl', `${lines.join('')}"torn`);
    const messages = await host.history.load();
    expect([messages.length, messages[0], messages.at(-1)]).toEqual([500, 'message 700', 'message 1199']);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(501);
  });

  it('goes on behind a line that a crash tore', async () => {
    const { host, write } = world();
    write('home/.gateway/history.jsonl', '"one"\n"to');
    expect(await host.history.load()).toEqual(['one']);
    await host.history.append('two');
    expect(await host.history.load()).toEqual(['one', 'two']);
  });

  it('leaves out what is no message, and a message that is too long to be one', async () => {
    const { host, write, home } = world();
    write('home/.gateway/history.jsonl', 'null\n7\n{"a":1}\n["x"]\n"kept"\n\n');
    await host.history.append('x'.repeat(20_001));
    expect(await host.history.load()).toEqual(['kept']);
    expect(statSync(join(home, '.gateway/history.jsonl')).size).toBeLessThan(100);
  });

  it('of several sessions at once loses no message', async () => {
    const { host, home, project } = world();
    const other = createLocalHost({ project: () => project, cwd: project, home, variables: new Map() });
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? host : other).history.append(`message ${at}`)),
    );
    expect([...(await host.history.load())].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))).toEqual(
      Array.from({ length: 20 }, (_, at) => `message ${at}`),
    );
  });

  it('that cannot be written is no fault', async () => {
    const { host, write } = world();
    write('home/.gateway', 'a file stands here');
    await host.history.append('lost');
    expect(await host.history.load()).toEqual([]);
  });
});

describe('images', () => {
  it.each([
    ['shot.png', [0x89, 0x50, 0x4e, 0x47, 1, 2], 'data:image/png;base64,iVBORwEC'],
    ['shot.jpg', [0xff, 0xd8, 0xff, 1], 'data:image/jpeg;base64,/9j/AQ=='],
    ['shot.gif', [...Buffer.from('GIF89a')], `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`],
  ])('%s becomes a part of a message, by its content', async (name, bytes, url) => {
    const { host, write } = world();
    expect(await host.image(write(name, Buffer.from(bytes)))).toEqual({ type: 'image', url });
  });

  it('a text, a folder, a file that is absent, and one of more than 5 MiB are none', async () => {
    const { host, write, root } = world();
    const large = Buffer.alloc(5 * 2 ** 20 + 1);
    large.write('\x89PNG', 'latin1');
    for (const path of [write('a.png', 'text'), root, join(root, 'absent'), write('large.png', large)])
      expect(await host.image(path)).toBeNull();
  });

  it('is null if no program can read the clipboard', async () => {
    expect(await world({ PATH: '/nowhere' }).host.clipboardImage()).toBeNull();
  });
});

describe('paths of the project', () => {
  it('are what git tracks or would track', async () => {
    const { host, project, write } = world();
    execFileSync('git', ['init', '-q'], { cwd: project });
    for (const name of ['a.txt', 'src/b.ts', 'ignored/c.txt', 'with blank é.md']) write(`project/${name}`, '');
    write('project/.gitignore', 'ignored/\n');
    execFileSync('git', ['add', 'a.txt'], { cwd: project });
    expect([...(await host.files())].toSorted()).toEqual(['.gitignore', 'a.txt', 'src/b.ts', 'with blank é.md']);
  });

  it('are listed without running a program that the repository names', async () => {
    const { host, project, root, write } = world();
    execFileSync('git', ['init', '-q'], { cwd: project });
    write('project/a.txt', '');
    execFileSync('git', ['config', 'core.fsmonitor', `touch ${join(root, 'touched')}; false`], { cwd: project });
    expect(await host.files()).toEqual(['a.txt']);
    expect(existsSync(join(root, 'touched'))).toBe(false);
  });

  it('of a folder in a repository are those of the folder', async () => {
    const { project, write } = world();
    execFileSync('git', ['init', '-q'], { cwd: project });
    for (const name of ['a.txt', 'sub/b.txt']) write(`project/${name}`, '');
    const sub = createLocalHost({
      project: () => join(project, 'sub'),
      cwd: project,
      home: null,
      variables: new Map(),
    });
    expect(await sub.files()).toEqual(['b.txt']);
  });

  it('without git, are found by a walk without the folders of packages', async () => {
    const { host, write } = world();
    for (const name of ['a.txt', 'src/deep/b.ts', 'node_modules/x/index.js']) write(`project/${name}`, '');
    expect([...(await host.files())].toSorted()).toEqual(['a.txt', 'src/deep/b.ts']);
  });
});

describe('commands of the user', () => {
  const run = async (
    host: ReturnType<typeof world>['host'],
    command: string,
    signal = new AbortController().signal,
  ) => {
    let output = '';
    const end = await host.shell(command, (chunk) => void (output += chunk), signal);
    return { ...end, output: () => output };
  };

  it('run in the working directory, with both outputs, and without a keyboard', async () => {
    const { host, project } = world({ SHELL: '/bin/sh' });
    const { output, ...end } = await run(host, 'pwd; echo err >&2; cat; exit 3');
    expect(end).toEqual({ code: 3, continues: false });
    expect(output()).toContain(project);
    expect(output()).toContain('err');
  });

  it('end, with what they started, where the person interrupts them', async () => {
    const { host } = world();
    const controller = new AbortController();
    const running = host.shell('sleep 1000 & echo $!; wait', () => controller.abort(), controller.signal);
    expect(await running).toEqual({ code: null, continues: false });
  });

  it('end with their shell: what it leaves in the background goes on', async () => {
    const { host, root } = world({ SHELL: '/bin/sh' });
    execFileSync('mkfifo', [join(root, 'fifo')]);
    // The background process waits for a word, then writes to the output that nobody reads any more.
    const { output, ...end } = await run(
      host,
      `(read word < ../fifo; echo late; echo late >&2; echo "$word" > ../done) & echo first; exit 4`,
    );
    expect(end).toEqual({ code: 4, continues: true });
    writeFileSync(join(root, 'fifo'), 'word\n');
    const done = join(root, 'done');
    await expect.poll(() => existsSync(done) && readFileSync(done, 'utf8')).toBe('word\n');
    expect(output()).toBe('first\n');
  });

  it('show all that they wrote, however much it is, and nothing more', async () => {
    const { host } = world({ SHELL: '/bin/sh' });
    const { output, ...end } = await run(host, 'i=0; while [ $i -lt 3000 ]; do echo "line $i: ö"; i=$((i+1)); done');
    expect(end).toEqual({ code: 0, continues: false });
    expect(output()).toBe(Array.from({ length: 3000 }, (_, at) => `line ${at}: ö\n`).join(''));
  });

  it('a shell that does not exist is a fault', async () => {
    await expect(run(world({ SHELL: '/nowhere/sh' }).host, 'true')).rejects.toThrow('ENOENT');
  });
});

describe('the editor of the user', () => {
  it('gets the text, and gives it back as it was saved', async () => {
    const { host, write } = world();
    const editor = write('editor.sh', '#!/bin/sh\nprintf "%s and more" "$(cat "$2")" > "$2"\n', 0o700);
    const { host: own } = world({ VISUAL: `${editor} --wait`, EDITOR: 'false' });
    expect(await own.externalEditor('the text')).toBe('the text and more');
    expect(await host.externalEditor('the text')).toBeNull();
  });

  it('that fails changes nothing', async () => {
    for (const editor of ['false', '/nowhere/editor'])
      expect(await world({ EDITOR: editor }).host.externalEditor('x')).toBeNull();
  });
});
