import { describe, expect, it } from 'vitest';
import { FILLER, indexOf } from '../testing/corpus.ts';
import { correctionNote, refusalNote } from './notes.ts';
import { readQuestion } from './question.ts';

const index = indexOf({ ...FILLER, Failing: 'The gateway is fail-closed. Its configuration stands in a stack.' });
const asked = (question: string) => readQuestion(index, question);

describe('the note', () => {
  it('of an answered question tells what was read otherwise than it was typed', () => {
    expect(correctionNote(asked('cofiguration failclosed'))).toBe(
      'Searched for configuration in place of cofiguration, which the documentation does not mention. Searched for fail closed in place of failclosed, which the documentation does not mention.',
    );
    expect(correctionNote(asked('configuration'))).toBeNull();
  });
  it('of another asks back for what may have been meant', () => {
    expect(refusalNote(asked('zeppelin with slack'))).toBe(
      'Nothing in the installed documentation covers this question. It does not mention: zeppelin, slack. Did you mean: stack?',
    );
    expect(refusalNote(asked('stack'))).toBe('Nothing in the installed documentation covers this question.');
  });
});
