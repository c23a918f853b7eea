import { expect, it } from 'vitest';
import { turnsDuring } from '../../testing/turns.ts';
import { prepare } from './prepare.ts';

it('lets other work continue while a long body leaves', async () => {
  const member = '"model":"m","a":[1,2],';
  const body = Buffer.from(`{${member.repeat(100_000)}"b":1}`);
  const { body: leaving } = await prepare(
    {
      forms: [{ body: { kind: 'long', parts: [body], length: body.length }, isDecoded: false }],
      codings: null,
      detail: null,
    },
    'of the endpoint',
  );
  if (leaving.kind !== 'flowing') throw new Error('a long body leaves in pieces');
  let length = 0;
  let pieces = 0;
  const turns = await turnsDuring(async () => {
    for await (const piece of leaving.stream) {
      length += (piece as Buffer).length;
      pieces += 1;
    }
  });
  expect(length).toBe(body.length + 100_000 * ('of the endpoint'.length - 1));
  expect(pieces).toBeGreaterThan(50);
  expect(turns).toBeGreaterThan(50);
});
