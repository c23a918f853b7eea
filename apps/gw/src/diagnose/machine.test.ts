import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MACHINE, openWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(() => {
  world = openWorld();
});
afterAll(() => world.close());

describe('the machine', () => {
  it('is described, and not named', async () => {
    const { machine } = await world.report();
    expect(machine).toEqual({ client: '0.1.0', ...MACHINE, clock: '2026-11-21T09:30:00.123Z' });
  });

  it.each([
    ['22.19.0', ['Node 22.19.0 is older than this client needs. | the program node | Install Node 24 or newer.']],
    ['24.0.0', []],
    ['25.1.0', []],
  ])('with Node %s', async (node, findings) => {
    expect(await world.findings({ machine: { node } })).toEqual(findings);
  });

  it('with a clock that nobody set', async () => {
    expect(await world.findings({ now: new Date('1970-01-01T00:00:10Z') })).toEqual([
      'The clock is wrong. Tokens and certificates are judged by it. | the clock, which says 1970-01-01T00:00:10.000Z | Set it, or have it set from the network.',
    ]);
  });
});

describe('the terminal', () => {
  const watched = { input: true, output: true, error: true, columns: 120, rows: 40, colors: 256 };

  it('is described by what it is, and by the variables that decide about it', async () => {
    const variables = { TERM: 'xterm-256color', NO_COLOR: '1', LANG: 'de_DE.UTF-8' };
    const { terminal, findings } = await world.report({ terminal: watched, variables });
    expect(terminal).toEqual({ ...watched, variables, unicode: true });
    expect(findings).toEqual([]);
    const { out } = await world.gw(['diagnose', '--output', '-'], { terminal: watched, variables });
    expect(out).toContain(
      'Terminal at         standard input, output, error\nSize                120 columns, 40 rows, 256 colours\n',
    );
  });

  it.each([
    [{ LANG: 'C' }, 'LC_ALL, LC_CTYPE or LANG'],
    [{ LANG: '' }, 'LC_ALL, LC_CTYPE and LANG, none of which is set'],
    [{ LC_ALL: 'POSIX', LANG: 'C.UTF-8' }, 'LC_ALL, LC_CTYPE or LANG'],
    [{ LC_CTYPE: 'de_DE.ISO-8859-1' }, 'LC_ALL, LC_CTYPE or LANG'],
  ])('whose locale is %j cannot be trusted with more than ASCII', async (variables: Record<string, string>, where) => {
    const set = Object.fromEntries(Object.entries({ LANG: '', ...variables }).filter(([, value]) => value !== ''));
    const environment = { variables: new Map(Object.entries({ PATH: process.env['PATH'] ?? '', ...set })) };
    const findings = await world.findings({ terminal: { output: true }, environment });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^The locale does not say UTF-8/);
    expect(findings[0]).toContain(`| ${where} |`);
    expect(await world.findings({ environment })).toEqual([]); // nobody looks
    expect(await world.findings({ terminal: { output: true }, environment, machine: { platform: 'win32' } })).toEqual(
      [],
    );
  });

  it('is none where nobody watches', async () => {
    const { out } = await world.gw(['diagnose', '--output', '-']);
    expect(out).toContain(
      'Terminal at         no standard stream\nSize                none\nEncoding            UTF-8\n',
    );
  });
});
