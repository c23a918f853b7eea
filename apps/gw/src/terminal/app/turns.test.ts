import { expect, test } from 'vitest';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';

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
