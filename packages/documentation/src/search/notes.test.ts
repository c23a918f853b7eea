import { describe, expect, it } from 'vitest';
import { FILLER, indexOf } from '../testing/corpus.ts';
import { readQuestion } from './question.ts';
import { correctionNote, refusalNote } from './search.ts';

const index = indexOf({
  ...FILLER,
  Failing: 'The gateway is fail-closed. Its configuration stands in a stack.',
  Variables: 'Set GATEWAY_LICENSE_FILE and call getSession.',
});
const asked = (question: string) => readQuestion(index, question);

describe('the note', () => {
  it('of an answered question lists corrected words', () => {
    expect(correctionNote(asked('cofiguration failclosed'))).toBe(
      'Searched for configuration in place of cofiguration, which the documentation does not mention. Searched for fail closed in place of failclosed, which the documentation does not mention.',
    );
    expect(correctionNote(asked('configuration'))).toBeNull();
  });
  it.each([
    ['GATEWAY_LICENCE_FILE', 'GATEWAY_LICENSE_FILE in place of GATEWAY_LICENCE_FILE'],
    ['gateway_licence_file', 'gateway_license_file in place of gateway_licence_file'],
    ['getSesion', 'getSession in place of getSesion'],
    ['GetSesion', 'GetSession in place of GetSesion'],
    ['failClosed', 'fail closed in place of failClosed'],
  ])('shows an identifier in its own notation: %s', (question, said) => {
    expect(correctionNote(asked(question))).toContain(`Searched for ${said}, `);
    expect(refusalNote(asked('ZEPPELIN_dir of Zeppelin'))).toContain('It does not mention: ZEPPELIN_dir, zeppelin.');
  });
  it('of an unanswered question suggests other words', () => {
    expect(refusalNote(asked('zeppelin with slack'))).toBe(
      'No page answers this. It does not mention: zeppelin, slack. Did you mean: stack?',
    );
    expect(refusalNote(asked('stack'))).toBe('No page answers this.');
  });
});
