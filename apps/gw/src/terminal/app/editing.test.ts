import { describe, expect, it } from 'vitest';
import { permission } from '../testing/events.ts';
import { createFakeSession, fakeModel } from '../testing/fake-session.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';
const [UP, DOWN, LEFT] = ['\x1b[A', '\x1b[B', '\x1b[D'];
const pasted = (text: string): string => `\x1b[200~${text}\x1b[201~`;
const IMAGE = { type: 'image', url: 'data:image/png;base64,AA==' } as const;

describe('editing keys', () => {
  it.each([
    ['Ctrl-A goes to the beginning', ['world', '\x01', 'hello '], 'hello world'],
    ['Home and End go to both ends', ['b', '\x1b[H', 'a', '\x1b[F', 'c'], 'abc'],
    ['Ctrl-W cuts a word, Ctrl-Y brings it back', ['one two', '\x17', '\x19', '\x19'], 'one twotwo'],
    ['Ctrl-U cuts up to the beginning', ['rest of it', '\x15', 'new'], 'new'],
    ['Ctrl-K cuts up to the end', ['keep this', '\x1b[1;5D', '\x0b', 'that'], 'keep that'],
    ['Alt-D deletes the next word', ['one two', '\x01', '\x1bd', 'three'], 'three two'],
    ['Delete takes the character at the cursor', ['axb', LEFT, LEFT, '\x1b[3~'], 'ab'],
    ['Backspace takes a whole character', ['a👩‍👩‍👧', '\x7f', 'b'], 'ab'],
    ['Ctrl-_ undoes', ['one two', '\x17', '\x1f'], 'one two'],
    ['Ctrl-B and Ctrl-F move by one character', ['ac', '\x02', 'b', '\x06', 'd'], 'abcd'],
    ['Ctrl-J begins a new line', ['one', '\n', 'two'], 'one\ntwo'],
    ['a backslash in front of the cursor alone begins a new line', ['a\\b', LEFT], 'a\\b'],
  ])('%s', async (_, keys, message) => {
    const world = await openTerminal();
    await world.press(...keys, ENTER);
    expect(world.session.submitted).toEqual([message]);
  });

  it('nothing is sent where there are only blanks and line ends', async () => {
    const world = await openTerminal();
    await world.press('   ', '\x1b\r', ' ', ENTER);
    expect(world.session.submitted).toEqual([]);
  });

  it('arrows move between the lines of a message before they go through the history', async () => {
    const world = await openTerminal({
      host: { history: { load: async () => ['older'], append: async () => undefined } },
    });
    await world.press('first', '\x1b\r', 'second', UP, '!', DOWN, '?', ENTER);
    expect(world.session.submitted).toEqual(['first!\nsecond?']);
  });

  it('the history can be edited and sent again; what was being written comes back', async () => {
    const load = async () => ['oldest', 'older'];
    const sent: string[] = [];
    const append = async (message: string) => void sent.push(message);
    const world = await openTerminal({ host: { history: { load, append } } });
    await world.press('draft', UP, UP, UP);
    expect(world.emulator.screen()).toContain('> oldest');
    await world.press(DOWN, DOWN, DOWN);
    expect(world.emulator.screen()).toContain('> draft');
    await world.press('\x15', UP, ' one', ENTER);
    expect([world.session.submitted, sent]).toEqual([['older one'], ['older one']]);
  });

  it('Ctrl-L draws the screen again, without losing anything', async () => {
    const world = await openTerminal();
    await world.press('text', '\x0c');
    expect(world.emulator.screen().match(/> text/g)).toHaveLength(1);
  });

  it('a history that cannot be written is said, and the message is sent', async () => {
    const append = async () => Promise.reject(new Error('The disk is full.'));
    const world = await openTerminal({ host: { history: { load: async () => [], append } } });
    await world.press('hello', ENTER);
    expect(world.session.submitted).toEqual(['hello']);
    expect(world.emulator.all()).toContain('Failed: The disk is full.');
  });
});

describe('what is pasted', () => {
  it('stays text where the path is no image', async () => {
    const world = await openTerminal({ host: { image: async () => null } });
    await world.press('see ', pasted('/tmp/missing.png'), ' there', ENTER);
    expect(world.session.submitted).toEqual(['see /tmp/missing.png there']);
  });

  it.each([`file:///tmp/a.PNG`, `'/tmp/a b.jpeg' `, '"/tmp/a.webp"'])(
    'is an image where it is the path of one, as terminals write it: %s',
    async (text) => {
      const asked: string[] = [];
      const image = async (path: string) => {
        asked.push(path);
        return IMAGE;
      };
      const world = await openTerminal({ host: { image } });
      await world.press(pasted(text));
      expect(asked).toEqual([expect.stringMatching(/^\/tmp\/a( b)?\.(PNG|jpeg|webp)$/)]);
      expect(world.emulator.screen()).toContain('> [Image #1]');
    },
  );

  it('is refused as an image for a model that takes none', async () => {
    const session = createFakeSession();
    session.setModel({ ...fakeModel('Blind'), images: false });
    const world = await openTerminal({ session, host: { image: async () => IMAGE } });
    await world.press(pasted('/tmp/a.png'));
    expect(world.emulator.screen()).toContain('Blind takes no images (images: false in its configuration).');
    expect(world.emulator.screen()).not.toContain('[Image');
  });

  it('is whole and unlabelled while an argument is edited, however long it is', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    const text = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
    await world.press('e', '\x15', pasted(text), ENTER);
    expect(world.session.decisions).toEqual([
      { decision: 'allow', arguments: JSON.stringify({ command: text, timeout_seconds: 5 }) },
    ]);
  });

  it('has labels of its own each, and each is sent in its place', async () => {
    const [one, two] = ['a', 'b'].map((letter) => `${letter}\n`.repeat(9).trimEnd());
    const world = await openTerminal();
    await world.press(pasted(one ?? ''), ' and ', pasted(two ?? ''));
    expect(world.emulator.screen()).toContain('> [Pasted text #1, 9 lines] and [Pasted text #2, 9 lines]');
    await world.press(ENTER);
    expect(world.session.submitted).toEqual([`${one} and ${two}`]);
  });

  it('is not sent where its label was deleted', async () => {
    const world = await openTerminal({ host: { image: async () => IMAGE } });
    await world.press(pasted('x'.repeat(2000)), pasted('/tmp/a.png'), '\x15', 'nothing of it', ENTER);
    expect(world.session.submitted).toEqual(['nothing of it']);
  });
});

describe('the image in the clipboard', () => {
  it('is attached by Ctrl-V', async () => {
    const world = await openTerminal({ host: { clipboardImage: async () => IMAGE } });
    await world.press('this: ', '\x16', 'please', ENTER);
    expect(world.session.submitted).toEqual([[{ type: 'text', text: 'this: [Image #1] please' }, IMAGE]]);
  });

  it('is missed with a hint, and a program that fails is named', async () => {
    const world = await openTerminal();
    await world.press('\x16');
    expect(world.emulator.screen()).toContain('The clipboard contains no image.');
    const failing = await openTerminal({
      host: { clipboardImage: async () => Promise.reject(new Error('no display')) },
    });
    await failing.press('\x16');
    expect(failing.emulator.screen()).toContain('Failed: no display');
  });
});

describe('the editor of the user', () => {
  it('gets the message by Ctrl-G, and what it saved is edited further', async () => {
    const externalEditor = async (text: string) => `${text}, longer\nand more\n`;
    const world = await openTerminal({ host: { externalEditor } });
    await world.press('short', '\x07', '!', ENTER);
    expect(world.session.submitted).toEqual(['short, longer\nand more!']);
  });

  it('that is not configured changes nothing, and the hint names the variables', async () => {
    const world = await openTerminal();
    await world.press('text', '\x07');
    expect(world.emulator.screen()).toContain('Set VISUAL or EDITOR to edit the message in an editor.');
    expect(world.emulator.screen()).toContain('> text');
  });

  it('has the window for itself: a running turn is shown when it ends', async () => {
    const edited = Promise.withResolvers<string | null>();
    const world = await openTerminal({ prompt: 'hello', host: { externalEditor: () => edited.promise } });
    await world.press('draft', '\x07');
    const before = world.raw();
    world.session.report({ type: 'text', text: 'THE ANSWER' }, { type: 'message-finished', text: '' });
    await world.pass(1000);
    expect(world.raw()).toBe(before);
    edited.resolve('draft of the editor');
    await world.pass();
    expect(world.emulator.all()).toContain('THE ANSWER');
    expect(world.emulator.screen()).toContain('> draft of the editor');
    expect(world.emulator.screen().match(/> draft/g)).toHaveLength(1);
  });

  it('that is still open when a signal ends the session does not take the keyboard back', async () => {
    const edited = Promise.withResolvers<string | null>();
    const world = await openTerminal({ host: { externalEditor: () => edited.promise } });
    expect(world.hasKeyboard()).toBe(true);
    await world.press('\x07');
    expect(world.hasKeyboard()).toBe(false);
    await world.interrupt();
    expect(await world.ended).toBe(130);
    edited.resolve('late');
    await world.pass();
    expect(world.hasKeyboard()).toBe(false);
  });

  it('that fails gives the window back', async () => {
    const externalEditor = async () => Promise.reject(new Error('It crashed.'));
    const world = await openTerminal({ host: { externalEditor } });
    await world.press('text', '\x07', ' more');
    expect(world.emulator.all()).toContain('Failed: It crashed.');
    expect(world.emulator.screen()).toContain('> text more');
  });
});
