import { describe, expect, it } from 'vitest';
import { createInbox } from './inbox.ts';

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
