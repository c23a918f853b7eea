import { describe, expect, it, test } from 'vitest';
import type { Host } from '../device/ports.ts';
import { createFakeSession } from '../testing/fake-session.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';
const ESCAPE = '\x1b';
const UP = '\x1b[A';

test('a message typed as a turn ends is sent after those in the queue', async () => {
  const world = await openTerminal({ prompt: 'first' });
  await world.press('second', ENTER);
  world.session.finish();
  await world.press(`third${ENTER}`);
  expect(world.session.submitted).toEqual(['first', 'second']);
  world.session.finish();
  await world.pass();
  expect(world.session.submitted).toEqual(['first', 'second', 'third']);
});

test('a message typed as a turn ends is not sent before a /clear in the queue', async () => {
  const world = await openTerminal({ prompt: 'first' });
  await world.press('/clear', ENTER);
  world.session.finish();
  await world.press(`second${ENTER}`);
  expect(world.session.submitted).toEqual(['first']);
  expect(world.session.calls).toContain('close');
});

describe('the queue', () => {
  it('is shown in its order, and ↑ brings back the latest first', async () => {
    const world = await openTerminal({ prompt: 'first' });
    await world.press('two', ENTER, 'three', ENTER);
    expect(world.emulator.screen()).toContain('⏎ two\n⏎ three\n  queued; ↑ edits the last');
    await world.press(UP);
    expect(world.emulator.screen()).toContain('> three');
    expect(world.emulator.screen()).not.toContain('⏎ three');
    await world.press('\x15', UP, '\x15', UP);
    expect(world.emulator.screen()).toContain('> three');
  });

  it('comes back into the editor, before the draft, where the turn fails', async () => {
    const world = await openTerminal({ prompt: 'first' });
    await world.press('two', ENTER, 'three', ENTER, 'draft');
    world.session.finish({ status: 'failed', error: { message: 'no', status: null, revoked: false } });
    await world.pass();
    expect(world.session.submitted).toEqual(['first']);
    expect(world.emulator.screen()).toContain('> two\n  three\n  draft');
    await world.press(ENTER);
    expect(world.session.submitted).toEqual(['first', 'two\nthree\ndraft']);
  });

  it('of many long messages leaves room for the input in a low window', async () => {
    const world = await openTerminal({ prompt: 'first', columns: 40, rows: 10 });
    for (let at = 0; at < 30; at += 1) await world.press(`message ${at} ${'long '.repeat(30)}`, ENTER);
    await world.press('here');
    const rows = world.emulator.screen().split('\n');
    expect(rows.slice(-2)).toEqual(['> here', 'normal · Test Model']);
    expect(world.emulator.clears).toBe(0);
  });

  it('runs commands in their place, and goes on with the messages behind them', async () => {
    const world = await openTerminal({ prompt: 'first' });
    await world.press('/compact', ENTER, 'second', ENTER);
    expect(world.emulator.screen()).toContain('/compact waits for the end of the turn. Esc interrupts it.');
    world.session.finish();
    await world.pass();
    expect(world.session.calls).toEqual(['compact']);
    expect(world.session.submitted).toEqual(['first', 'second']);
  });
});

describe('a message that a session does not take', () => {
  it('is a fault that is said, and the next message is taken', async () => {
    const session = createFakeSession();
    const submit = session.submit.bind(session);
    let refusals = 1;
    session.submit = (message) =>
      (refusals -= 1) < 0 ? submit(message) : Promise.reject(new Error('The record cannot be written.'));
    const world = await openTerminal({ session });
    await world.press('one', ENTER);
    expect(world.emulator.all()).toContain('Failed: The record cannot be written.');
    expect(world.emulator.screen()).not.toContain('Working');
    await world.press('two', ENTER);
    expect(session.submitted).toEqual(['two']);
  });
});

describe('work that is no turn', () => {
  it('that fails is said, and what was queued meanwhile is sent', async () => {
    const compacting = Promise.withResolvers<void>();
    const session = createFakeSession();
    session.compact = () => compacting.promise;
    const world = await openTerminal({ session });
    await world.press('/compact', ENTER, 'next', ENTER);
    expect(world.emulator.screen()).toContain('Compacting');
    compacting.reject(new Error('The engine did not answer.'));
    await world.pass();
    expect(world.emulator.all()).toContain('Failed: The engine did not answer.');
    expect(session.submitted).toEqual(['next']);
  });

  it('that Escape ended says nothing about the reason', async () => {
    const shell: Host['shell'] = (_, __, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ABORTED'))));
    const world = await openTerminal({ host: { shell } });
    await world.press('!sleep 100', ENTER, ESCAPE);
    await world.pass();
    expect(world.emulator.all()).not.toContain('ABORTED');
    await world.press('hello', ENTER);
    expect(world.session.submitted).toEqual(['hello']);
  });
});

describe('an earlier message', () => {
  const content = [
    { type: 'text', text: 'look at' },
    { type: 'image', url: 'data:,' },
  ] as const;
  const messages = [
    { role: 'user', content: 'THE SUMMARY', summary: true },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'an answer' },
    { role: 'user', content },
  ] as const;

  it('is chosen among those that the user wrote, pictures by their place', async () => {
    const world = await openTerminal({ session: createFakeSession({ messages, turns: 4 }) });
    await world.press(ESCAPE);
    await world.pass(40);
    await world.press(ESCAPE);
    await world.pass(40);
    expect(world.emulator.screen()).toContain('  one\n› look at [Image]');
    expect(world.emulator.screen()).toContain('(2 of 2)');
    await world.press(UP, ENTER);
    // The turns of the summary are before the first message that is left.
    expect(world.session.calls).toContain('rewind 4');
    expect(world.emulator.screen()).toContain('> one');
    expect(world.emulator.all().replaceAll(/\s+/g, ' ')).toContain('/redo restores the rest.');
  });
});

describe('the end of a turn that took long', () => {
  it('is announced with the title, without what could end the sequence', async () => {
    const world = await openTerminal({
      session: createFakeSession({ title: 'Fix\x07\x1b]0;evil\x07; the\nparser' }),
      prompt: 'x',
    });
    await world.pass(20_000);
    world.session.finish();
    await world.pass();
    expect(world.raw()).toContain('\x07\x1b]9;gw: the turn is over. Fix the parser\x07');
    expect(world.raw()).toContain('\x1b]2;gw: Fix the parser\x07');
  });

  it('is announced when the window lost the focus, and not for a short turn', async () => {
    const world = await openTerminal({ prompt: 'x' });
    world.session.finish();
    await world.press('again', ENTER, '\x1b[I', '\x1b[O');
    expect(world.raw()).not.toContain('\x1b]9;');
    await world.pass(20_000);
    world.session.finish();
    await world.pass();
    expect(world.raw().split('\x1b]9;')).toHaveLength(2);
  });
});

it('Enter during a turn gives the message to the turn, Alt-Enter sends it after the turn', async () => {
  const world = await openTerminal({ prompt: 'first' });
  world.session.steers = true;
  await world.press('use rg', '\r', 'and then lint', '\x1b\r');
  expect(world.emulator.screen()).toContain(
    '↪ use rg\n  goes to the model with the next results; ↑ edits the last\n⏎ and then lint',
  );
  world.session.report({ type: 'steered', message: 'use rg' });
  await world.pass();
  expect(world.emulator.all()).toMatch(/> use rg/);
  world.session.finish();
  await world.pass();
  expect([world.session.calls, world.session.submitted]).toEqual([['steer use rg'], ['first', 'and then lint']]);
});
