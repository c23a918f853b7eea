import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Acceptor, type Taker } from './acceptor.ts';

let acceptor: Acceptor;
let callers: Socket[];
beforeEach(async () => {
  acceptor = new Acceptor();
  callers = [];
  acceptor.server.listen(0, '127.0.0.1');
  await once(acceptor.server, 'listening');
});
afterEach(() => {
  for (const caller of callers) caller.destroy();
  acceptor.close();
});

/** A worker that records its connections, and the callers that wait for the next. */
function worker() {
  const handed: number[] = [];
  let waiting: (() => void) | null = null;
  const taker: Taker = {
    hand(number) {
      handed.push(number);
      waiting?.();
    },
  };
  return {
    taker,
    handed,
    async has(count: number): Promise<void> {
      while (handed.length < count) await new Promise<void>((resolve) => (waiting = resolve));
    },
  };
}
async function call(): Promise<Socket> {
  const caller = connect((acceptor.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  callers.push(caller);
  await once(caller, 'connect');
  return caller;
}

it('passes connections to the workers round robin', async () => {
  const [one, other] = [worker(), worker()];
  for (const { taker } of [one, other]) acceptor.add(taker);
  for (let count = 1; count <= 3; count += 1) {
    await call();
    await one.has(count);
    await call();
    await other.has(count);
  }
  expect([one.handed, other.handed]).toEqual([
    [1, 3, 5],
    [2, 4, 6],
  ]);
});

it('passes no more connections to a slow worker than to the others', async () => {
  const [stuck, quick] = [worker(), worker()];
  for (const { taker } of [stuck, quick]) acceptor.add(taker);
  await call();
  await stuck.has(1);
  for (let count = 1; count <= 5; count += 1) {
    await call();
    await quick.has(count);
    acceptor.taken(quick.taker, quick.handed.at(-1) as number);
  }
  expect(stuck.handed).toEqual([1]);
});

it('closes connections that a worker did not accept, and leaves it the accepted ones', async () => {
  const [one, next] = [worker(), worker()];
  acceptor.add(one.taker);
  const taken = await call();
  await one.has(1);
  const untaken = await call();
  await one.has(2);
  acceptor.taken(one.taker, 1);
  await once(taken.resume(), 'close'); // no other descriptor is open here, so that it ends
  acceptor.remove(one.taker);
  await once(untaken.resume(), 'close');
  expect([taken.destroyed, untaken.destroyed]).toEqual([true, true]);
  acceptor.taken(one.taker, 2); // too late: nothing happens
  acceptor.add(next.taker);
  await call();
  await next.has(1);
});

it('keeps connections until a worker exists, and closes the remaining ones', async () => {
  await call();
  const one = worker();
  acceptor.add(one.taker);
  await one.has(1);
  acceptor.remove(one.taker);
  const left = await call();
  const accepted = once(acceptor.server, 'connection');
  await call();
  await accepted; // the one before has been accepted too
  acceptor.close();
  await once(left.resume(), 'close');
  expect(one.handed).toEqual([1]);
});
