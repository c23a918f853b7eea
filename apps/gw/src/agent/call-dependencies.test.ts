import { describe, expect, it } from 'vitest';
import { createEmitter, createRequests } from './call-dependencies.ts';
import { newIdentifier } from './state.ts';
import type { AgentEvent } from './types/index.ts';

describe('what waits for a person', () => {
  it('is answered by its identifier, whatever else waits', async () => {
    const requests = createRequests<string>();
    const { signal } = new AbortController();
    const [one, two] = [requests.open(signal), requests.open(signal)];
    expect(requests.settle(two.id, 'second')).toBe(true);
    expect(requests.settle(one.id, 'first')).toBe(true);
    expect(await Promise.all([one.answer, two.answer])).toEqual(['first', 'second']);
    expect(requests.settle(one.id, 'again')).toBe(false);
  });

  it('ends with the reason of the interruption, and takes no answer then', async () => {
    const requests = createRequests<string>();
    const controller = new AbortController();
    const all = [requests.open(controller.signal), requests.open(controller.signal)];
    const ended = Promise.allSettled(all.map(({ answer }) => answer));
    controller.abort(new Error('interrupted'));
    expect(await ended).toMatchObject([{ reason: new Error('interrupted') }, { reason: new Error('interrupted') }]);
    expect(all.map(({ id }) => requests.settle(id, 'late'))).toEqual([false, false]);
  });

  it('does not begin after an interruption', async () => {
    const requests = createRequests<string>();
    const { id, answer } = requests.open(AbortSignal.abort(new Error('interrupted')));
    await expect(answer).rejects.toThrow('interrupted');
    expect(requests.settle(id, 'late')).toBe(false);
  });

  it('keeps its answer when the turn is interrupted afterwards', async () => {
    const requests = createRequests<string>();
    const controller = new AbortController();
    const { id, answer } = requests.open(controller.signal);
    requests.settle(id, 'yes');
    controller.abort(new Error('interrupted'));
    expect(await answer).toBe('yes');
  });
});

it('every listener hears every event in order, also where one leaves meanwhile', () => {
  const { emit, subscribe } = createEmitter();
  const heard: string[] = [];
  const listener = (name: string, leaves: boolean) => {
    const leave = subscribe((event: AgentEvent) => {
      heard.push(`${name} ${event.type === 'status' ? event.text : ''}`);
      if (leaves) leave();
    });
  };
  listener('a', true);
  listener('b', false);
  for (const text of ['1', '2']) emit({ type: 'status', text });
  expect(heard).toEqual(['a 1', 'b 1', 'b 2']);
});

it('identifiers are UUIDs of version 7: they sort by their time, and two of one time differ', () => {
  const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
  const made = times.map((time) => newIdentifier(new Date(time)));
  for (const one of made) expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made.toSorted()).toEqual(made);
  expect(made.map((one) => Number.parseInt(one.replaceAll('-', '').slice(0, 12), 16))).toEqual(times);
  expect(new Set(Array.from({ length: 100 }, () => newIdentifier(new Date(5)))).size).toBe(100);
});
