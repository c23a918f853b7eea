import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';
import type { Report } from './diagnose-run.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const reports = (): readonly string[] => readdirSync(world.project).filter((name) => name.startsWith('gw-diagnostic-'));

describe('the report', () => {
  it('is a private file in the working directory, and its path is printed', async () => {
    const { code, out, err } = await world.gw(['diagnose']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      './gw-diagnostic-20261121T093000123Z.txt\n' +
        'It holds no finding, and facts about this machine, its terminal, proxies and tools, the project and its settings.\n' +
        'Nothing was sent. Read it before you hand it on.\n',
    );
    const file = join(world.project, 'gw-diagnostic-20261121T093000123Z.txt');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('\nFindings\n--------\nNothing was found wrong.\n');
    expect(readdirSync(world.project)).toEqual(reports());
    expect(readdirSync(world.home)).toEqual([]);
  });

  it('has a new name each time, and replaces no other file', async () => {
    await world.gw(['diagnose']);
    await world.gw(['diagnose'], { now: new Date('2026-11-21T09:30:00.124Z') });
    expect(reports()).toHaveLength(2);
    const again = await world.gw(['diagnose']);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toMatch(
      /^gw: .*gw-diagnostic-20261121T093000123Z\.txt is there already\. Add --force to replace it\.\n$/,
    );
    expect((await world.gw(['diagnose', '--force'])).code).toBe(0);
  });

  it('is written where it is asked for', async () => {
    const { out } = await world.gw(['diagnose', '--output', '../report.txt']);
    expect(out.split('\n')[0]).toBe('../report.txt');
    const file = join(world.root, 'work', 'report.txt');
    expect(readFileSync(file, 'utf8')).toContain('Diagnostic report of gw');
    expect((await world.gw(['diagnose', '--output', file])).code).toBe(1);
    writeFileSync(file, 'before');
    expect((await world.gw(['diagnose', '--output', file, '--force'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('Diagnostic report of gw');
    const refused = await world.gw(['diagnose', '--output', world.project, '--force']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/is not a plain file/) as string });
  });

  // client-22
  it('on standard output is only the report', async () => {
    const text = await world.gw(['diagnose', '--output', '-']);
    expect(text.out).toMatch(/^Diagnostic report of gw 0\.1\.0, 2026-11-21T09:30:00\.123Z\n/);
    expect(text.err).toBe('');
    const json = await world.gw(['diagnose', '--output', '-', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ form: 1, findings: [] });
    expect(reports()).toEqual([]);
  });

  it('is broken between words where it is shown in a terminal, and nowhere else', async () => {
    world.write('home/casey/.gateway/config.yaml', 'models: [{name: a, endpoint: demo}]\n');
    const narrow = { terminal: { output: true, columns: 50 } };
    const { out } = await world.gw(['diagnose', '--output', '-'], narrow);
    expect(out).toContain(
      '\n    Fix:   Add gateway: https://gateway.example to\n           the file, set GATEWAY_URL, or write the\n           whole address:\n',
    );
    const reported = (await world.gw(['diagnose'], narrow)).out;
    expect(reported).toContain(
      '\nIt holds 1 finding, and facts about this machine,\nits terminal, proxies and tools, the project and\nits settings.\n',
    );
    expect(readFileSync(join(world.project, reported.split('\n')[0] ?? ''), 'utf8')).toContain(
      '    Fix:   Add gateway: https://gateway.example to the file, set GATEWAY_URL, or write the whole address: https://gateway.example/demo/v1.\n',
    );
    const json = await world.gw(['diagnose', '--output', '-', '--json'], narrow);
    expect(JSON.parse(json.out)).toMatchObject({ form: 1 });
  });

  it('as JSON has the same content, and the messages about it are JSON too', async () => {
    world.write('home/casey/.gateway/config.yaml', 'modles: 1\n');
    const { out } = await world.gw(['diagnose', '--json']);
    const reported = JSON.parse(out) as { report: string };
    expect(reported).toEqual({ report: './gw-diagnostic-20261121T093000123Z.json', findings: 1, sent: false });
    const report = JSON.parse(readFileSync(join(world.project, reported.report), 'utf8')) as Report;
    expect(Object.keys(report)).toEqual([
      'form',
      'findings',
      'machine',
      'terminal',
      'proxies',
      'authorities',
      'tools',
      'project',
      'directories',
      'configurations',
      'agents',
      'instructions',
    ]);
    const text = (await world.gw(['diagnose', '--output', '-'])).out;
    for (const { grade, what, where, fix } of report.findings)
      expect(text).toContain(`1.  ${what} (${grade})\n    Where: ${where}\n    Fix:   ${fix}\n`);
  });

  it('with findings is no failure', async () => {
    world.write('home/casey/.gateway/config.yaml', 'modles: 1\nname: 1\n');
    const { code, out } = await world.gw(['diagnose']);
    expect(code).toBe(0);
    expect(out).toContain('It holds 2 findings, and facts');
    world.write('home/casey/.gateway/config.yaml', 'modles: 1\n');
    expect((await world.gw(['diagnose', '--force'])).out).toContain('It holds 1 finding, and facts');
  });

  it('names neither the person nor their home', async () => {
    world.write('home/casey/.gateway/config.yaml', 'modles: 1\n');
    world.write('home/casey/shop/AGENTS.md', 'text');
    const own = { environment: { workingDirectory: join(world.home, 'shop') } };
    for (const form of [[], ['--json']]) {
      const { out } = await world.gw(['diagnose', '--output', '-', ...form], own);
      expect(out).toContain('~/shop');
      expect(out.toLowerCase()).not.toContain('casey');
    }
  });
});

describe('the program', () => {
  const MAIN = new URL('../../start.mjs', import.meta.url).pathname;
  const dependencies = (more: Record<string, string> = {}) => ({
    cwd: world.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: world.home, ...more },
  });
  const gw = (words: readonly string[], more: Record<string, string> = {}, node: readonly string[] = []) =>
    spawnSync(process.execPath, [...node, MAIN, ...words], { encoding: 'utf8', ...dependencies(more) });

  it('writes its report and ends', () => {
    const { status, stdout, stderr } = gw(['diagnose']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\.\/gw-diagnostic-\d{8}T\d{9}Z\.txt\n/);
    expect(reports()).toHaveLength(1);
    expect(gw(['--help']).stdout).toContain('Usage: gw');
    expect(gw(['--nonsense'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^gw: --nonsense /),
    });
    expect(gw(['diagnose', '--output', '/']).status).toBe(1);
  });

  it('opens no socket and resolves no name, with any configuration', () => {
    world.git('init');
    world.git('config', 'remote.origin.url', 'https://host.example/x');
    world.write(
      'work/shop/.gateway/config.yaml',
      "models: [{name: a, endpoint: 'https://gateway.example/v1', apiKey: k}]\nmcpServers: [{name: b, url: 'https://tickets.example'}]\n",
    );
    // Everything that Node does outside its own thread has a kind; it is listed when the program ends.
    const watch = `import { createHook } from 'node:async_hooks'; import { writeFileSync } from 'node:fs';
      const kinds = new Set(); createHook({ init(_, kind) { kinds.add(kind); } }).enable();
      process.on('exit', () => writeFileSync(process.env.KINDS, JSON.stringify([...kinds])));`;
    const preload = world.write('watch.mjs', watch);
    const kindsOf = (words: readonly string[]): readonly string[] => {
      const file = join(world.root, 'kinds.json');
      rmSync(file, { force: true });
      spawnSync(
        process.execPath,
        ['--import', preload, ...words],
        dependencies({ KINDS: file, HTTPS_PROXY: 'http://proxy.example:3128' }),
      );
      return JSON.parse(readFileSync(file, 'utf8')) as string[];
    };
    const network =
      /^(?:TCP|UDP|UDPSEND|GETADDRINFO|GETNAMEINFO|QUERY|CHANNEL|DNSCHANNEL|TLS|HTTP|PIPECONNECT|TCPCONNECT)/;
    const kinds = kindsOf([MAIN, 'diagnose', '--output', join(world.root, 'report')]);
    expect(existsSync(join(world.root, 'report'))).toBe(true);
    expect(kinds).toContain('PROCESSWRAP'); // it did ask git, so that the hook saw something
    expect(kinds.filter((kind) => network.test(kind))).toEqual([]);
    // The hook would have seen it.
    const connects = kindsOf(['-e', "require('node:net').connect(1, '127.0.0.1').on('error', () => {})"]);
    expect(connects.filter((kind) => network.test(kind))).not.toEqual([]);
  });

  it('may be read in part', async () => {
    for (let count = 0; count < 400; count += 1)
      world.write(`work/shop/.gateway/rules/${String(count).padStart(200, 'r')}.md`, '');
    const child = spawn(process.execPath, [MAIN, 'diagnose', '--output', '-'], {
      ...dependencies(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number];
    expect([code, said]).toEqual([0, '']);
  });

  it('works if its working directory was deleted', () => {
    const gone = join(world.project, 'gone');
    mkdirSync(gone);
    const report = join(world.root, 'report');
    const words = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${MAIN}' diagnose --output '${report}'`;
    const { status, stderr } = spawnSync('sh', ['-c', words], { encoding: 'utf8', ...dependencies() });
    expect([status, stderr]).toEqual([0, '']);
    expect(readFileSync(report, 'utf8')).toContain('The current folder no longer exists.');
  });

  it('names the path that does not exist, if that directory was deleted', () => {
    const gone = join(world.project, 'gone');
    mkdirSync(gone);
    const inGone = (words: string) => {
      const line = `mkdir -p '${gone}' && cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${MAIN}' ${words}`;
      return spawnSync('sh', ['-c', line], { encoding: 'utf8', ...dependencies() });
    };
    const refused = inGone('diagnose');
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^gw: \.\/gw-diagnostic-\w+\.txt cannot be written: the directory does not exist\. .*\n$/,
    );
    const { status, stdout, stderr } = inGone('diagnose --config config.yaml --output -');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('The configuration cannot be read: absent. (fault)\n    Where: config.yaml\n');
  });

  it.runIf(existsSync('/dev/full')).each([[['--help']], [['diagnose', '--output', '-']]])(
    'with %j says in one line that nothing more fits',
    (words) => {
      const line = `exec '${process.execPath}' '${MAIN}' ${words.join(' ')} >/dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', ...dependencies() });
      expect([status, stderr]).toEqual([1, 'gw: standard output cannot be written: the disk is full.\n']);
    },
  );

  it.runIf(existsSync('/dev/full'))('exits as usual if nothing can be printed', () => {
    const line = `exec '${process.execPath}' '${MAIN}' --nonsense 2>/dev/full`;
    expect(spawnSync('sh', ['-c', line], { encoding: 'utf8', ...dependencies() }).status).toBe(2);
  });

  it('knows a home that is none: the root, or one that is not there', () => {
    for (const HOME of ['/', join(world.root, 'absent')]) {
      expect(gw(['diagnose', '--output', '-'], { HOME }).stdout).toContain('You have no home directory');
    }
  });
});
