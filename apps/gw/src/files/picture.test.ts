import { decode, encode } from 'fast-png';
import { expect, it } from 'vitest';
import { fitPicture, pictureOf } from './picture.ts';

const pngOf = (width: number, height: number): Buffer =>
  Buffer.from(encode({ width, height, data: new Uint8Array(width * height * 4).fill(128), channels: 4, depth: 8 }));

it('a picture that engines take goes to them as it is', async () => {
  const bytes = pngOf(20, 10);
  expect(await fitPicture(bytes)).toEqual({ url: `data:image/png;base64,${bytes.toString('base64')}`, note: null });
});
it('a larger one is made smaller, and keeps its proportions', async () => {
  const picture = await fitPicture(pngOf(3000, 1500));
  if ('fault' in picture) throw new Error(picture.fault);
  const { width, height } = decode(Buffer.from(picture.url.split(',')[1] ?? '', 'base64'));
  expect([width, height, picture.note]).toEqual([1568, 784, 'made smaller, from 3000×1500 to 1568×784 pixels']);
});
it.each([
  ['a text', Buffer.from('no picture at all')],
  ['a picture that is cut', pngOf(3000, 1500).subarray(0, 200)],
])('%s is refused with a sentence', async (_, bytes) => {
  expect(await fitPicture(bytes)).toEqual({ fault: expect.stringMatching(/\.$/) });
});
it('a file that does not exist is named as such', async () => {
  expect(await pictureOf('/nowhere/a.png')).toEqual({ fault: 'There is no such file.' });
});
