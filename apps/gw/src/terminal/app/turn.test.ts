import { describe, expect, it } from 'vitest';
import { finished, permission } from '../testing/events.ts';
import { createFakeSession } from '../testing/fake-session.ts';
import { openTerminal } from '../testing/terminal-world.ts';
import { createInbox } from './turn.ts';

const ESCAPE = '\x1b';

describe('the answer', () => {
  it('is shown while it is written, with code that is highlighted once the language is known', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'See:\n\n```js\nconst a = 1;\n' });
    await world.pass();
    expect(world.emulator.screen()).toMatch(/See:\n\n {2}const a = 1;/);
    world.session.report({ type: 'text', text: '```\n' }, { type: 'message-finished', text: '' });
    await world.pass();
    expect(world.raw()).toMatch(/\[\d+mconst/);
    expect(world.emulator.all().match(/const a = 1;/g)).toHaveLength(1);
  });

  it('ends where a call begins, and goes on below it', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'I look at it' });
    world.session.report({ type: 'tool-proposed', id: '1', tool: 'Bash', target: 'make' }, finished());
    world.session.report({ type: 'text', text: 'It is made.' }, { type: 'message-finished', text: '' });
    world.session.finish();
    await world.pass();
    expect(world.emulator.all()).toMatch(/I look at it\n\n● Bash make\n {2}made\n\nIt is made\./);
  });

  it('is kept as far as it came when it is interrupted within code', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'See:\n\n```js\nconst half' });
    await world.press(ESCAPE);
    await world.pass();
    expect(world.emulator.all()).toMatch(/See:\n\n {2}const half\n\nInterrupted\./);
  });

  it('follows the reasoning, which is dimmed and bounded while it comes, and stays above', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'reasoning', text: `FIRST ${'thought '.repeat(200)}\nSECOND\nTHIRD` });
    await world.pass();
    expect(world.emulator.screen()).toContain('SECOND\nTHIRD');
    expect(world.emulator.screen()).not.toContain('FIRST');
    world.session.report({ type: 'text', text: 'The answer.' }, { type: 'message-finished', text: '' });
    world.session.finish();
    await world.pass();
    expect(world.emulator.all()).toMatch(/SECOND\nTHIRD[\s\S]*The answer\./);
  });

  it('in a window of another size than at its beginning is whole', async () => {
    const world = await openTerminal({ prompt: 'hello', columns: 40, rows: 12 });
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
    world.session.report({ type: 'text', text: words.slice(0, 20).join(' ') });
    await world.pass();
    await world.resize(90, 30);
    world.session.report({ type: 'text', text: ` ${words.slice(20).join(' ')}` });
    world.session.report({ type: 'message-finished', text: '' });
    world.session.finish();
    await world.pass();
    expect([...world.emulator.all().matchAll(/word\d+/g)].map(([word]) => word)).toEqual(words);
  });
});

describe('calls', () => {
  it('that run side by side are shown each with its own output, and end in any order', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    for (const id of ['1', '2']) {
      world.session.report({ type: 'tool-proposed', id, tool: 'Bash', target: `job ${id}` });
      world.session.report({ type: 'tool-output', id, chunk: `output ${id}` });
    }
    await world.pass();
    expect(world.emulator.screen()).toMatch(/● Bash job 1\n {2}output 1\n● Bash job 2\n {2}output 2/);
    world.session.report(finished({ id: '2', target: 'job 2', content: 'end 2' }));
    await world.pass();
    expect(world.emulator.screen()).toMatch(/● Bash job 2\n {2}end 2\n\n● Bash job 1\n {2}output 1/);
  });

  it('with an endless output keep the end of it, and draw no more than the window holds', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'tool-proposed', id: '1', tool: 'Bash', target: 'yes' });
    for (let at = 0; at < 500; at += 1) world.session.report({ type: 'tool-output', id: '1', chunk: `row ${at}\n` });
    await world.pass();
    expect(world.emulator.screen()).toMatch(
      /● Bash yes\n {2}row 495\n {2}row 496\n {2}row 497\n {2}row 498\n {2}row 499/,
    );
  });

  it('that changed a file show the change; of one that was approved it is shown once', async () => {
    const display = { kind: 'diff', path: 'a.txt', before: 'one\n', after: 'two\n' } as const;
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(finished({ tool: 'Edit', target: 'a.txt', content: 'a.txt was edited.', display }));
    await world.pass();
    expect(world.emulator.screen()).toMatch(/● Edit a\.txt\n {2}a\.txt \+1 -1\n {2}1 - one\n {2}1 \+ two/);
    world.session.report({ type: 'tool-proposed', id: '2', tool: 'Edit', target: 'b.txt' });
    world.session.report(
      permission({
        call: '2',
        tool: 'Edit',
        target: { kind: 'path', value: 'b.txt' },
        preview: { ...display, path: 'b.txt' },
      }),
    );
    await world.press('y');
    world.session.report(finished({ id: '2', tool: 'Edit', target: 'b.txt', display: { ...display, path: 'b.txt' } }));
    await world.pass();
    expect(world.emulator.all().match(/b\.txt \+1 -1/g)).toHaveLength(1);
  });

  it('that were approved and failed say why', async () => {
    const preview = { kind: 'diff', path: 'b.txt', before: null, after: 'two\n' } as const;
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'tool-proposed', id: '1', tool: 'Write', target: 'b.txt' });
    world.session.report(permission({ tool: 'Write', target: { kind: 'path', value: 'b.txt' }, preview }));
    await world.press('y');
    world.session.report(finished({ tool: 'Write', outcome: 'failed', content: 'The disk is full.' }));
    await world.pass();
    expect(world.emulator.screen()).toContain('b.txt (new file) +1 -0');
    expect(world.emulator.screen()).toContain('Failed: The disk is full.');
  });

  it('that were shown before others get their heading again where their result comes', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    for (const id of ['1', '2'])
      world.session.report({ type: 'tool-proposed', id, tool: 'Bash', target: `make ${id}` });
    for (const id of ['1', '2'])
      world.session.report(
        permission({
          id: `p${id}`,
          call: id,
          target: { kind: 'command', value: `make ${id}` },
          preview: { kind: 'command', command: `make ${id}` },
        }),
      );
    await world.press('y');
    await world.press('y');
    world.session.report(finished({ id: '1', target: 'make 1', content: 'first' }));
    world.session.report(finished({ id: '2', target: 'make 2', content: 'second' }));
    await world.pass();
    expect(world.emulator.all()).toMatch(/● Bash make 1\n {2}first\n\n● Bash make 2\n {2}second/);
  });

  it('of sub-agents that work side by side show their tasks', async () => {
    const call = { id: '1', name: 'Agent', arguments: '{"prompt":"Read the tests\\nof the parser"}' };
    const session = createFakeSession({ messages: [{ role: 'assistant', content: '', toolCalls: [call] }] });
    const world = await openTerminal({ prompt: 'hello', session });
    world.session.report({ type: 'tool-proposed', id: '1', tool: 'Agent', target: 'sub-agent' });
    world.session.report({ type: 'sub-agent', call: '1', doing: 'Read a.txt', tokens: 1200 });
    await world.pass();
    expect(world.emulator.screen()).toContain('● Agent Read the tests · 1.2k tokens · Read a.txt');
  });

  it('whose permission was decided elsewhere are not asked for any more', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(
      permission(),
      permission({ id: 'p2', call: '2', target: { kind: 'command', value: 'echo two' } }),
    );
    await world.pass();
    expect(world.emulator.screen()).toContain('? Allow Bash echo one?');
    const decided = { tool: 'Bash', target: 'echo one', decision: 'allow', authorizedBy: 'human', reason: '' } as const;
    world.session.report({ type: 'permission-decided', id: 'p1', ...decided });
    await world.pass();
    expect(world.emulator.screen()).toContain('? Allow Bash echo two?');
  });

  it('of a sub-agent name it where they ask', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission({ subAgent: 'session-2' }));
    await world.pass();
    expect(world.emulator.screen()).toContain('? Allow Bash echo one? (asked by a sub-agent)');
  });
});

describe('what else a session reports', () => {
  it('is shown: notices, the summary of a compaction, the status', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'status', text: 'Waiting 2 s\nfor the engine' });
    await world.pass();
    expect(world.emulator.screen()).toContain('Waiting 2 s for the engine 0s · Esc interrupts');
    world.session.report({ type: 'notice', level: 'warning', text: '2 secrets were masked.' });
    world.session.report({ type: 'compacted', dropped: 12, summary: 'It was about\x1b[2J parsers.' });
    await world.pass();
    expect(world.emulator.all()).toContain('2 secrets were masked.');
    expect(world.emulator.all()).toMatch(/compacted: 12 messages became a summary\.\n\nIt was about parsers\./);
    world.session.finish();
    await world.pass();
    expect(world.emulator.screen()).not.toContain('Waiting 2 s');
  });

  it('is in the status line: tokens, context, costs, and the mode that an approval changed', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    const total = { inputTokens: 12_345, outputTokens: 678, calls: 2 };
    world.session.report({ type: 'usage', total, contextTokens: 9000, cost: 0.012 });
    world.session.report({ type: 'mode-changed', mode: 'auto' });
    await world.pass();
    expect(world.emulator.screen().split('\n').at(-1)).toBe(
      'auto mode · Test Model · context 90% · 12k in, 678 out · €0.0120',
    );
  });

  it('is in the status line as a share of what the engine said that its model takes', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.setModel({ ...world.session.model, contextLength: 18_000 });
    const total = { inputTokens: 9000, outputTokens: 0, calls: 1 };
    world.session.report({ type: 'usage', total, contextTokens: 9000, cost: null });
    await world.pass();
    expect(world.emulator.screen()).toContain('context 50%');
  });

  it('is the checklist while a turn runs, not after it, and no result of the call', async () => {
    const items = [
      { text: 'Look', state: 'done' },
      { text: 'Act', state: 'doing' },
    ] as const;
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'checklist', items }, finished({ tool: 'Checklist', target: '', content: 'Noted.' }));
    await world.pass();
    expect(world.emulator.screen()).toContain('☑ Look\n▶ Act');
    expect(world.emulator.all()).not.toContain('Noted.');
    world.session.finish();
    await world.pass();
    expect(world.emulator.screen()).not.toContain('▶ Act');
  });
});

describe('the end of a turn', () => {
  it('closes the question and the permission that waited, and the draft comes back', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('my draft');
    await world.pass(500);
    world.session.report(permission());
    await world.press('e', ' two');
    world.session.finish({ status: 'failed', error: { message: 'The engine is gone.', status: null, revoked: false } });
    await world.pass();
    expect(world.emulator.all()).toContain('Failed: The engine is gone.');
    expect(world.emulator.screen()).toMatch(/> my draft\n/);
    expect(world.emulator.screen()).not.toContain('echo one two');
  });

  it('answers a question no more', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: [] });
    await world.pass();
    expect(world.emulator.screen()).toContain('Your answer to: Which?');
    world.session.finish({ status: 'interrupted' });
    await world.press('next', '\r');
    expect(world.session.submitted).toEqual(['hello', 'next']);
  });
});

describe('for a screen reader', () => {
  it('a question and its options are read once each, with their numbers', async () => {
    const world = await openTerminal({ screenReader: true, prompt: 'hello' });
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: ['this', 'that'] });
    await world.pass();
    expect(world.emulator.all()).toMatch(/Which\?[\s\S]*1\. this[\s\S]*2\. that/);
    await world.press('2');
    expect(world.session.calls).toContain('answer q that');
  });

  it('a hint is a line that stays', async () => {
    const world = await openTerminal({ screenReader: true });
    await world.press('\x1b[Z');
    await world.pass(10_000);
    expect(world.emulator.all()).toContain('Plan mode: nothing is changed.');
  });

  it('a permission is asked for with every key that answers it', async () => {
    const world = await openTerminal({ screenReader: true, prompt: 'hello' });
    world.session.report(permission({ tool: 'Write', target: { kind: 'path', value: 'a\u202eb' }, preview: null }));
    await world.pass();
    expect(world.emulator.all().replaceAll(/\s+/g, ' ')).toContain(
      'Permission needed: allow Write a<U+202E>b? Bash asks by default. y yes, a yes and any Write to this file again in this session',
    );
    expect(world.emulator.screen()).toContain('y, a, p, n or e:');
  });
});

describe('events that wait for what they need', () => {
  /** An inbox whose events named `load…` wait until the test says that they are loaded. */
  function open() {
    const handled: string[] = [];
    const loading = new Map<string, PromiseWithResolvers<void>>();
    const inbox = createInbox<string>(
      (event) => {
        if (!event.startsWith('load')) return null;
        const gate = Promise.withResolvers<void>();
        loading.set(event, gate);
        return gate.promise;
      },
      (event) => void handled.push(event),
    );
    return { inbox, handled, loaded: (event: string) => loading.get(event)?.resolve() };
  }

  it('are handled at once where nothing is needed', () => {
    const { inbox, handled } = open();
    inbox.push('a');
    inbox.push('b');
    expect(handled).toEqual(['a', 'b']);
  });

  it('keep their order, also behind one that waits', async () => {
    const { inbox, handled, loaded } = open();
    for (const event of ['a', 'load 1', 'b', 'load 2', 'c']) inbox.push(event);
    expect(handled).toEqual(['a']);
    loaded('load 1');
    await expect.poll(() => handled).toEqual(['a', 'load 1', 'b']);
    inbox.push('d');
    loaded('load 2');
    await inbox.idle();
    expect(handled).toEqual(['a', 'load 1', 'b', 'load 2', 'c', 'd']);
    inbox.push('e');
    expect(handled.at(-1)).toBe('e');
  });

  it('are all handled when it is idle, which it is at the beginning', async () => {
    const { inbox, handled, loaded } = open();
    await inbox.idle();
    inbox.push('load');
    const idle = inbox.idle();
    inbox.push('behind');
    loaded('load');
    await idle;
    expect(handled).toEqual(['load', 'behind']);
  });
});
