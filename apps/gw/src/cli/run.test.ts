import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../process/product.ts';
import { openWorld, type World } from '../testing/world.ts';
import { COMMANDS } from './commands.ts';
import { USAGE } from './session/command.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

describe('the help', () => {
  it.each([[['--help']], [['-h']], [['-p', '--help']]])('with %j lists commands and options', async (words) => {
    const { code, out, err } = await world.gw(words);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: gw [options] [prompt]');
    for (const { name, group } of COMMANDS) expect(new RegExp(`^ {2}${name} `, 'm').test(out)).toBe(group !== 'hidden');
    for (const option of ['-p, --print', '--format <format>', '--exclude <tool>', '-h, --help'])
      expect(out).toContain(option);
  });

  it('fits one screen of 80 columns and 24 rows, with every option of a session', async () => {
    const { out } = await world.gw(['--help'], { terminal: { output: true, columns: 80 } });
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const { long } of USAGE.options) expect(out).toContain(long);
    for (const { name } of COMMANDS.filter(({ group }) => group !== 'hidden'))
      expect(out).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
  });

  it('is one column in a narrow window', async () => {
    const { out } = await world.gw(['--help'], { terminal: { output: true, columns: 60 } });
    for (const title of ['Sessions:', 'Options:', 'Examples:']) expect(out).toContain(title);
  });

  // client-4
  it.each(COMMANDS.map(({ name }) => name))('of %s has a purpose, options and an example', async (name) => {
    const { code, out } = await world.gw([name, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: gw ${name} [options]`);
    expect(out).toMatch(/^Options:\n/m);
    expect(out).toMatch(new RegExp(`^Examples:\n  .*gw ${name}`, 'm'));
  });

  it.each([40, 80, 200])('breaks no word in %i columns', async (columns) => {
    for (const words of [[], ...COMMANDS.map(({ name }) => [name])]) {
      const { out } = await world.gw([...words, '--help'], { terminal: { output: true, columns } });
      // Terms, examples and the name of a report are longer than some windows, and stay whole.
      const prose = out.split('\n').filter((line) => !/^ {2}\S|<instant>/.test(line));
      expect(prose.filter((line) => line.length > columns)).toEqual([]);
    }
  });
});

describe('a command line', () => {
  it.each([[['--version']], [['-V']], [['-p', '--version']]])('%j prints the version alone', async (words) => {
    expect(await world.gw(words)).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
  });

  it.each([
    [['--nonsense'], /--nonsense is not an option of gw\. Run gw --help/],
    [['--read-only'], /--read-only is not an option of gw\. Did you mean --readonly\?/],
    [['-x'], /-x is not an option/],
    [['--auto=yes'], /--auto takes no value/],
    [['--format', 'json', 'hello'], /--format works only with -p \(--print\)/],
    [['--silent', 'hello'], /--silent works only with -p/],
    [['--org', 'acme', 'hello'], /--org works only with -p/],
    [['-p', '--format', 'xml', 'hello'], /--format must be json or stream-json, not "xml"/],
    [['-p', '--format'], /--format needs a value: --format <format>/],
    [['-p', '--format', '--silent'], /--format needs a value/],
    [['-p', '--format', 'json', '--format=json', 'hello'], /--format is given twice/],
    [['-p', '--readonly', '--auto', 'hello'], /--readonly and --auto exclude each other/],
    [['-p', '--resume', '--fork', 'x', 'hello'], /--resume and --fork exclude each other/],
    [['-p', '--allow', '', 'hello'], /--allow must not be blank: --allow <tool>/],
    [['-p', '--ask= ', 'hello'], /--ask must not be blank/],
    [['-p', 'two', 'words'], /gw takes one argument; "words" is one too many\. Put the prompt into quotes/],
    [['diagnose', 'more'], /gw diagnose takes only options; "more" is one too many/],
    [['diagnose', '--output', ''], /--output must not be blank: --output <file>/],
    [['diagnose', '--config'], /--config needs a value/],
    [['a prompt'], /A session needs a terminal\. Use -p/],
    // client-3
  ])('%j is refused', async (words, message) => {
    const { code, out, err } = await world.gw(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(err).toMatch(/^gw: [^\n]+\n$/);
  });

  it('shows no secret of a wrong word', async () => {
    const secret = ['gwk', '8f3a9c1e5b7d2046f1a3c5e7092b4d6f8a0c2e4f6b8d1a3c'].join('_');
    for (const words of [[`--${secret}`], ['-p', '--format', secret], ['diagnose', secret]]) {
      const { code, err } = await world.gw(words);
      expect([code, err.includes(secret)]).toEqual([2, false]);
    }
  });
});

describe('a Node.js that is too old', () => {
  const start = new URL('../start.mjs', import.meta.url).pathname;
  const renamed = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } })`;
  const real = ['/usr/bin/node', '/usr/local/bin/node'].filter(
    (path) => existsSync(path) && Number(spawnSync(path, ['-p', 'parseInt(process.versions.node)']).stdout) < 24,
  );
  const programs = [{ program: process.execPath, options: ['--import', renamed] }].concat(
    real.map((program) => ({ program, options: [] })),
  );
  it.each(programs)('gets a message with the required version: $program', ({ program, options }) => {
    const { status, stdout, stderr } = spawnSync(program, options.concat(start, '--version'), { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^gw needs Node\.js 24 or newer; this is \d+\.\d+\.\d+\.\n$/);
  });
});
