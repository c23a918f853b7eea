import { describe, expect, it } from 'vitest';
import { modeNamed, modesOf, optionsOf } from './editor-session.ts';
import { NOTHING_OFFERED, readOffered } from './offered.ts';

describe('what an editor lends', () => {
  it('is nothing unless it says so', () => {
    for (const capabilities of [
      undefined,
      {},
      { fs: {} },
      { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    ])
      expect(readOffered(capabilities)).toEqual(NOTHING_OFFERED);
    expect(Object.values(NOTHING_OFFERED)).not.toContain(true);
  });

  it('may be a part: to read files and not to write them', () => {
    expect(readOffered({ fs: { readTextFile: true } })).toEqual({ ...NOTHING_OFFERED, reads: true });
    expect(readOffered({ fs: { writeTextFile: true }, terminal: true })).toEqual({
      ...NOTHING_OFFERED,
      writes: true,
      terminals: true,
    });
    expect(readOffered({ elicitation: { form: {} } })).toEqual({ ...NOTHING_OFFERED, forms: true });
  });
});

describe('the choices that an editor shows', () => {
  it('have the current mode and model, and every mode can be chosen by its name', () => {
    const { availableModes, currentModeId } = modesOf('plan');
    expect(currentModeId).toBe('plan');
    expect(availableModes.map(({ id }) => modeNamed(id))).toEqual(['normal', 'plan', 'auto']);
    for (const id of ['', 'Plan', 'toString', '__proto__'])
      expect(() => modeNamed(id)).toThrow(`There is no mode ${JSON.stringify(id)}. There are: normal, plan, auto.`);
  });

  it('list the models of the configuration in their order', () => {
    const [, model] = optionsOf('normal', 'B', ['A', 'B']);
    expect(model).toMatchObject({
      id: 'model',
      currentValue: 'B',
      options: [
        { value: 'A', name: 'A' },
        { value: 'B', name: 'B' },
      ],
    });
  });
});
