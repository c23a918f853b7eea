import { describe, expect, it } from 'vitest';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';
const TAB = '\t';
const [UP, DOWN] = ['\x1b[A', '\x1b[B'];

/** The suggestions on the screen; the chosen one is marked. */
function offered(screen: string): string[] {
  return screen.split('\n').filter((row) => /^[› ] [/\w"]/.test(row) && !row.startsWith('> '));
}

describe('commands', () => {
  it('are offered as they are typed, with what they do, and Tab completes the chosen one', async () => {
    const world = await openTerminal();
    await world.press('/co');
    expect(offered(world.emulator.screen())).toEqual([
      expect.stringMatching(/^› \/compact {2}summarize the older part/),
      expect.stringMatching(/^ {2}\/config {2}show the configuration/),
    ]);
    await world.press(DOWN, TAB);
    expect(world.emulator.screen()).toContain('> /config');
    expect(offered(world.emulator.screen())).toEqual([]);
    await world.press(ENTER);
    expect(world.emulator.all()).toContain('~/.gateway/config.yaml');
  });

  it('are run by Enter on a suggestion, also where only the beginning was typed', async () => {
    const world = await openTerminal();
    await world.press('/comp', ENTER);
    await world.pass();
    expect(world.session.calls).toContain('compact');
  });

  it('that are written whole are run without choosing', async () => {
    const world = await openTerminal();
    await world.press('/config', ENTER);
    expect(world.emulator.all()).toContain('~/.gateway/config.yaml');
  });

  it('move round at both ends of the list, and six are shown of a long one', async () => {
    const world = await openTerminal();
    await world.press('/');
    expect(offered(world.emulator.screen())).toHaveLength(6);
    expect(offered(world.emulator.screen())[0]).toMatch(/^› \/help/);
    await world.press(UP);
    expect(offered(world.emulator.screen()).at(-1)).toMatch(/^› \/exit/);
    await world.press(DOWN);
    expect(offered(world.emulator.screen())[0]).toMatch(/^› \/help/);
  });

  it('are not offered any more after Escape, until the text changes', async () => {
    const world = await openTerminal();
    await world.press('/co', '\x1b');
    await world.pass(40);
    expect(offered(world.emulator.screen())).toEqual([]);
    await world.press('\x1b[D', '\x1b[C');
    expect(offered(world.emulator.screen())).toEqual([]);
    await world.press('n');
    expect(offered(world.emulator.screen())).toEqual([expect.stringMatching(/^› \/config/)]);
  });

  it('nobody has are not offered, and a text within a line is none', async () => {
    const world = await openTerminal();
    await world.press('/zzz');
    expect(offered(world.emulator.screen())).toEqual([]);
    await world.press('\x15', 'see /co');
    expect(offered(world.emulator.screen())).toEqual([]);
  });
});

describe('files', () => {
  it('with a blank in their name are quoted, so that the name does not end there', async () => {
    const world = await openTerminal({ host: { files: async () => ['my notes.md', 'a.txt'] } });
    await world.press('read @notes', TAB, 'now', ENTER);
    expect(world.session.submitted).toEqual(['read @"my notes.md" now']);
  });

  it('are taken by Enter without sending the message', async () => {
    const world = await openTerminal();
    await world.press('@a.t', ENTER);
    expect(world.session.submitted).toEqual([]);
    expect(world.emulator.screen()).toContain('> @a.txt');
  });

  it('keep the text behind the cursor', async () => {
    const world = await openTerminal();
    await world.press('see  please', ...Array.from({ length: 7 }, () => '\x1b[D'), '@a.t', TAB, ENTER);
    expect(world.session.submitted).toEqual(['see @a.txt  please']);
  });

  it('that cannot be listed leave the text as it is', async () => {
    const world = await openTerminal({ host: { files: async () => Promise.reject(new Error('no git')) } });
    await world.press('@abc', ENTER);
    expect(world.session.submitted).toEqual(['@abc']);
    expect(world.emulator.all()).not.toContain('no git');
  });

  it('are listed again for each mention: a new file is found', async () => {
    const names = ['old.txt'];
    const world = await openTerminal({ host: { files: async () => [...names] } });
    await world.press('@new');
    expect(offered(world.emulator.screen())).toEqual([]);
    names.push('new.txt');
    await world.press(' ', '@new');
    expect(offered(world.emulator.screen())).toEqual(['› new.txt']);
  });

  it('that come late do not replace the suggestions for what is typed by now', async () => {
    const listed = Promise.withResolvers<readonly string[]>();
    const world = await openTerminal({ host: { files: () => listed.promise } });
    await world.press('@a', '\x15', '/con');
    listed.resolve(['a.txt']);
    await world.pass();
    expect(offered(world.emulator.screen())).toEqual([expect.stringMatching(/^› \/config/)]);
  });

  it('are cut at the edge of a narrow window, and cannot move the cursor', async () => {
    const world = await openTerminal({
      columns: 30,
      host: { files: async () => [`src/${'deep/'.repeat(20)}日本.ts`, 'evil\x1b[2Jname.ts'] },
    });
    await world.press('@ts');
    const rows = offered(world.emulator.screen());
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row.length).toBeLessThan(30);
    expect(world.emulator.clears).toBe(0);
  });
});
