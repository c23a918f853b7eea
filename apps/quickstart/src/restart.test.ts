import { expect, it } from 'vitest';
import type { Component } from './component.ts';
import { keepUp } from './start-all.ts';

/** Components that run until they are stopped or ended; a start can be held back. */
function components() {
  const running = new Set<number>();
  const ends: ((how: string) => void)[] = [];
  let [count, hold] = [0, Promise.resolve()];
  const begin = async (): Promise<Component> => {
    count += 1;
    const number = count;
    await hold;
    running.add(number);
    const ended = new Promise<string>((resolve) => {
      ends[number] = (how) => {
        running.delete(number);
        resolve(how);
      };
    });
    return { name: 'service', address: `http://${number}`, ended, stop: async () => ends[number]?.('ended with 0') };
  };
  return {
    begin,
    running,
    end: (number: number) => ends[number]?.('was ended by SIGKILL'),
    count: () => count,
    holdBack: () => {
      let release = (): void => undefined;
      hold = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

it('what is stopped while it is started again does not run afterwards', async () => {
  const { begin, running, end, count, holdBack } = components();
  const service = await keepUp(begin, new AbortController().signal, () => undefined, -1);
  const release = holdBack();
  end(1);
  await expect.poll(count).toBe(2);
  const stopped = service.stop();
  release();
  await stopped;
  expect([...running]).toEqual([]);
});

it('what is stopped before it is started again is not started', async () => {
  const { begin, running, end, count } = components();
  const lines: string[] = [];
  const service = await keepUp(begin, new AbortController().signal, (line) => lines.push(line), -1);
  end(1);
  await expect.poll(() => lines.length).toBe(1);
  await service.stop();
  expect([[...running], count()]).toEqual([[], 1]);
});

it('a second start that fails breaks the service with its cause', async () => {
  const { begin, end } = components();
  let starts = 0;
  const failing = (): Promise<Component> => {
    starts += 1;
    return starts === 1 ? begin() : Promise.reject(new Error('The port is taken.'));
  };
  const service = await keepUp(failing, new AbortController().signal, () => undefined, -1);
  end(1);
  await expect(service.broken).rejects.toThrow('The port is taken.');
  await service.stop();
});

it('the address of a service stays that of its first start', async () => {
  const { begin, end, count } = components();
  const service = await keepUp(begin, new AbortController().signal, () => undefined, -1);
  end(1);
  await expect.poll(count).toBe(2);
  expect(service.address).toBe('http://1');
  await service.stop();
});
