import { expect, it } from 'vitest';
import type { Component } from './component.ts';
import { keepUp } from './start-all.ts';

/** Components whose end the test decides. */
function components(): { begin: () => Promise<Component>; end: (how: string) => void; count: () => number } {
  let end: (how: string) => void = () => undefined;
  let count = 0;
  return {
    begin: async () => {
      count += 1;
      const ended = new Promise<string>((resolve) => {
        end = resolve;
      });
      return { name: 'service', address: `http://${count}`, ended, stop: async () => end('ended with 0') };
    },
    end: (how) => end(how),
    count: () => count,
  };
}

it('a fault of the first start is the caller’s', async () => {
  const refused = keepUp(
    async () => Promise.reject(new Error('no')),
    new AbortController().signal,
    () => undefined,
  );
  await expect(refused).rejects.toThrow('no');
});

it('one that ends soon after its start is broken', async () => {
  const { begin, end } = components();
  const service = await keepUp(begin, new AbortController().signal, () => undefined);
  end('ended with 7');
  await expect(service.broken).rejects.toThrow('The service ended with 7.');
});

it('one that has run for a while is restarted, and the restart is logged', async () => {
  const { begin, end, count } = components();
  const lines: string[] = [];
  await keepUp(begin, new AbortController().signal, (line) => lines.push(line), -1);
  end('was ended by SIGKILL');
  await expect.poll(count).toBe(2);
  expect(lines).toEqual(['The service was ended by SIGKILL; it is started again.']);
});

it('one that is stopped although nobody asked for the end of everything is not broken', async () => {
  const { begin } = components();
  const service = await keepUp(begin, new AbortController().signal, () => undefined);
  await service.stop();
  const waited = new Promise((resolve) => setImmediate(resolve)).then(() => 'calm');
  expect(await Promise.race([service.broken, waited])).toBe('calm');
});

it('an end that was asked for is the end', async () => {
  const { begin, count } = components();
  const end = new AbortController();
  const lines: string[] = [];
  const service = await keepUp(begin, end.signal, (line) => lines.push(line), -1);
  end.abort();
  await service.stop();
  await new Promise((resolve) => setImmediate(resolve));
  expect(count()).toBe(1);
  expect(lines).toEqual([]);
});
