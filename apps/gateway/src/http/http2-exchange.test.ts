import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { asHttp1 } from './http2-exchange.ts';

it('a caller who waits for 100 Continue and has reset its stream receives nothing, as over HTTP/1.1', async () => {
  const reported = Promise.withResolvers<void>();
  const server = createServer(() => reported.reject(new Error('no 100 was asked for')));
  server.on('checkContinue', (asked, answering) => {
    const [, response] = asHttp1(asked, answering);
    answering.stream.destroy();
    try {
      response.writeContinue();
      reported.resolve();
    } catch (error) {
      reported.reject(error);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.request({ ':method': 'POST', expect: '100-continue' }).on('error', () => {});
  await expect(reported.promise).resolves.toBeUndefined();
  session.destroy();
  server.close();
});
