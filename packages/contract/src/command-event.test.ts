import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandEventLine, outputEvent } from './command-event.ts';

describe('a command event', () => {
  it('is one line of JSON, ended by a newline', () => {
    const event = { evenement: 'demarre', identifiant: 'i', session: 'a\nb', a: '2026-01-01T00:00:00.000Z' } as const;
    expect(commandEventLine(event)).toBe(
      '{"evenement":"demarre","identifiant":"i","session":"a\\nb","a":"2026-01-01T00:00:00.000Z"}\n',
    );
  });
  it('carries any bytes intact', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('stdout', 'stderr'), (bytes, flux) => {
        const line = commandEventLine(outputEvent(flux, Buffer.from(bytes)));
        const event = JSON.parse(line);
        expect(event).toMatchObject({ evenement: 'sortie', flux });
        expect(new Uint8Array(Buffer.from(event.donnees, 'base64'))).toEqual(bytes);
        expect(line.indexOf('\n')).toBe(line.length - 1);
      }),
      { verbose: true },
    );
  });
});
