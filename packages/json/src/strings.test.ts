import { describe, expect, it } from 'vitest';
import { type StringVisit, visitStrings } from './strings.ts';

function visited(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const body = Buffer.from(text);
  const strings: string[] = [];
  const visits = visitStrings(
    body,
    (from, to) => body.toString('utf8', from, to),
    ({ path, from, to, isName }: StringVisit) =>
      strings.push(`/${path.join('/')} ${isName ? 'name' : body.toString('utf8', from, to)}`) < most,
  );
  while (visits.next().done !== true);
  return strings;
}

describe('the strings of a JSON text', () => {
  it('are visited in order, each with its path', () => {
    expect(visited('{"a":"x","b":[1,"y",["z"],{"c":"\\"w"}],"d":2}')).toEqual([
      '/a name',
      '/a x',
      '/b name',
      '/b/1 y',
      '/b/2/0 z',
      '/b/3/c name',
      '/b/3/c \\"w',
      '/d name',
    ]);
  });
  it('are visited until the visitor stops, or no more can be read', () => {
    expect(visited('["a","b","c"]', 2)).toEqual(['/0 a', '/1 b']);
    expect(visited('{"a":"x",b:"y"}')).toEqual(['/a name', '/a x']);
  });
  it('are visited in texts of several slices', () => {
    const long = 'x'.repeat(200_000);
    expect(visited(`["${long}",{"k":"${long}"},"end"]`)).toEqual([`/0 ${long}`, '/1/k name', `/1/k ${long}`, '/2 end']);
  });
});
