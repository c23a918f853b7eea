import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { asHttp1 } from './http2-exchange.ts';

it('a caller who waits for 100 Continue and has reset its stream is told nothing, as over HTTP/1.1', async () => {
  const told = Promise.withResolvers<void>();
  const server = createServer(() => told.reject(new Error('no 100 was asked for')));
  server.on('checkContinue', (asked, answering) => {
    const [, response] = asHttp1(asked, answering);
    answering.stream.destroy();
    try {
      response.writeContinue();
      told.resolve();
    } catch (error) {
      told.reject(error);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.request({ ':method': 'POST', expect: '100-continue' }).on('error', () => {});
  await expect(told.promise).resolves.toBeUndefined();
  session.destroy();
  server.close();
});
