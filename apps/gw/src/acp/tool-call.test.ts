import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modeNamed, modesOf, optionsOf } from './editor-session.ts';
import { contentOf, fenceText, headingOf, NOTHING_OFFERED, output, readOffered } from './updates.ts';

const CWD = '/home/casey/shop';
/** The text of a content that is one text. */
const textOf = (content: ReturnType<typeof output>): string =>
  content.type === 'content' && content.content.type === 'text' ? content.content.text : '';

describe('a call as an editor lists it', () => {
  it.each([
    ['Read', 'src/a.ts', 'Read src/a.ts', 'read', ['/home/casey/shop/src/a.ts']],
    ['Write', '/etc/hosts', 'Write /etc/hosts', 'edit', ['/etc/hosts']],
    ['List', '', 'List', 'read', []],
    ['Search', '../other', 'Search ../other', 'search', ['/home/casey/other']],
    ['Bash', 'npm test', 'npm test', 'execute', []],
    ['Fetch', 'https://a.example', 'Fetch https://a.example', 'fetch', []],
    ['mcp__docs__find', 'x', 'mcp__docs__find x', 'other', []],
    ['Agent', 'reviewer', 'Agent reviewer', 'think', []],
  ])('%s %s', (tool, target, title, kind, paths) => {
    expect(headingOf(tool, target, CWD)).toEqual({
      title,
      name: tool,
      kind,
      locations: paths.map((path) => ({ path })),
    });
  });
});

describe('what a call would do', () => {
  it('is the change, of a new file too', () => {
    expect(contentOf({ kind: 'diff', path: 'a.txt', before: null, after: 'x' }, CWD)).toEqual([
      { type: 'diff', path: '/home/casey/shop/a.txt', oldText: null, newText: 'x' },
    ]);
  });

  it('is the command with its note, or the text, and nothing for a checklist', () => {
    const shown = contentOf({ kind: 'command', command: 'ls', note: 'in the sandbox' }, CWD).map(textOf);
    expect(shown).toEqual(['```\nls\n```\nin the sandbox']);
    expect(contentOf({ kind: 'text', text: 'x' }, CWD).map(textOf)).toEqual(['```\nx\n```']);
    expect(contentOf({ kind: 'checklist', items: [] }, CWD)).toEqual([]);
  });
});

describe('the output of a call', () => {
  it('is its end where it is long, in whole characters, and says how much is missing', () => {
    const text = textOf(output(`${'🔑'.repeat(15_000)}END`));
    expect(text).toMatch(/^10003 characters before this were left out\.\n```\n/);
    expect(text.isWellFormed()).toBe(true);
    expect(text.endsWith('END\n```')).toBe(true);
  });

  it('is whole where it is not', () => {
    expect(textOf(output('x'.repeat(20_000)))).toBe(`\`\`\`\n${'x'.repeat(20_000)}\n\`\`\``);
  });
});

it('a text in a fence cannot close it, and is unchanged in it, for any text', () => {
  const text = fc
    .array(fc.constantFrom('`', '``', '```', '````', '~~~', '\n', 'a', ' '), { maxLength: 20 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (content) => {
      const lines = fenceText(content).split('\n');
      const fence = lines[0] ?? '';
      expect(lines.at(-1)).toBe(fence);
      expect(lines.slice(1, -1).join('\n')).toBe(content.replace(/\n$/, ''));
      expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false);
    }),
  );
});

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
