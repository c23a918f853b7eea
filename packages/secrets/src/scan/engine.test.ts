import { describe, expect, it } from 'vitest';
import { Reader } from '../stream/reader.ts';
import { compileCatalogue } from './catalogue.ts';
import { Engine } from './engine.ts';

const catalogue = compileCatalogue(true);

describe('an engine whose text arrives letter by letter', () => {
  it.each([
    ['a token', '', 'gitpod_pat_'],
    ['a token that may contain hyphens', '', 'bedrock-api-key-'],
    [
      'a private key',
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA\n',
      'password/token/api/',
    ],
  ])('keeps no keyword of what it swallows: %s', (_, before, words) => {
    const engine = new Engine(catalogue, false);
    const reader = new Reader(catalogue, engine, 'latin1');
    reader.add(before + words.repeat(2000));
    let longest = 0;
    while (reader.read(false)) {
      engine.settle();
      longest = Math.max(longest, engine.view.end - engine.needed());
    }
    expect(engine.matches.map(({ closed }) => closed)).toEqual([false]);
    expect(longest).toBeLessThan(300);
  });
});
