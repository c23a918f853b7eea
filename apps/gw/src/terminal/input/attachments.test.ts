import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentPart } from '../../agent/types.ts';
import { type Attachments, attach, expand, isLong, messageOf, NO_ATTACHMENTS } from './attachments.ts';

const IMAGE: ContentPart = { type: 'image', url: 'data:image/png;base64,AA==' };

describe('a pasted text', () => {
  it('is long by its lines or by its characters', () => {
    expect([isLong('x'.repeat(1500)), isLong('x'.repeat(1501))]).toEqual([false, true]);
    expect([isLong('x\n'.repeat(7)), isLong('x\n'.repeat(8))]).toEqual([false, true]);
  });

  it('is whole in the message, wherever its label is, and whatever is in it', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('[Pasted text #1, 1 lines]', '$&', '$1', '[Image #2]', 'a\nb'));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.string({ unit: fc.constantFrom('a', ' ', '$') }),
        (texts, between) => {
          let attachments: Attachments = NO_ATTACHMENTS;
          const labels = texts.map((each) => {
            const [next, label] = attach(attachments, each);
            attachments = next;
            return label;
          });
          expect(new Set(labels).size).toBe(labels.length);
          expect(expand(attachments, labels.join(between))).toBe(texts.join(between));
        },
      ),
    );
  });

  it('whose label was changed or written by hand stays as it is written', () => {
    const [attachments, label] = attach(NO_ATTACHMENTS, 'one\ntwo');
    expect(label).toBe('[Pasted text #1, 2 lines]');
    for (const text of ['[Pasted text #1, 3 lines]', '[Pasted text #2, 2 lines]', 'Pasted text #1, 2 lines'])
      expect(expand(attachments, text)).toBe(text);
  });
});

describe('a message with images', () => {
  it('has each image once, behind the text, and those alone whose label is left', () => {
    const [one, first] = attach(NO_ATTACHMENTS, IMAGE);
    const [two, second] = attach(one, { ...IMAGE, url: 'data:image/png;base64,BB==' });
    expect(messageOf(two, `see ${second} and ${second}`)).toEqual([
      { type: 'text', text: `see ${second} and ${second}` },
      { type: 'image', url: 'data:image/png;base64,BB==' },
    ]);
    expect(messageOf(two, `${first}${second}`)).toHaveLength(3);
    expect(messageOf(two, 'none')).toBe('none');
  });

  it('has the pasted texts in its text', () => {
    const [one, image] = attach(NO_ATTACHMENTS, IMAGE);
    const [two, pasted] = attach(one, 'long text');
    expect(messageOf(two, `${image} ${pasted}`)).toEqual([{ type: 'text', text: '[Image #1] long text' }, IMAGE]);
  });
});
