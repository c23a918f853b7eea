import { afterEach, expect, it } from 'vitest';
import {
  type Automaton,
  automatonFor,
  automatonOf,
  buildAutomaton,
  CLASSES,
  packAutomaton,
  usePreparedAutomaton,
} from './automaton.ts';
import { compileCatalogue, loadAutomaton } from './catalogue.ts';

const KEYWORDS = ['ghp_', 'password', 'word', 'p'];

/** The keywords that end in each state. */
const outputsOf = (automaton: Automaton) =>
  Array.from({ length: automaton.escape / CLASSES }, (_, at) => automaton.outputsOf(at));

afterEach(() => usePreparedAutomaton(() => null));

it('the automaton of all rules is the same packed and built', () => {
  const { automaton, keywords } = compileCatalogue(true);
  const packed = automatonOf(
    loadAutomaton(),
    keywords.map(({ text }) => text),
  );
  const { next, accept, escape } = automaton;
  expect(packed.accept).toBe(accept);
  expect(packed.escape).toBe(escape);
  expect(Buffer.from(packed.next.slice().buffer).equals(Buffer.from(next.slice().buffer))).toBe(true);
  expect(outputsOf(packed)).toEqual(outputsOf(automaton));
});

it('one that was prepared is used', () => {
  const packed = packAutomaton(KEYWORDS);
  let reads = 0;
  usePreparedAutomaton(() => {
    reads += 1;
    return packed;
  });
  const automaton = automatonFor(KEYWORDS);
  expect(reads).toBe(1);
  expect(automaton.next.buffer).toBe(packed.buffer);
  expect(outputsOf(automaton)).toEqual(outputsOf(buildAutomaton(KEYWORDS)));
});

it.each([
  ['other keywords', packAutomaton(KEYWORDS.slice(1))],
  ['as many keywords, which are longer', packAutomaton([...KEYWORDS.slice(1), 'secret'])],
  ['nothing', new Int32Array(0)],
])('one of %s is not used', (_, packed) => {
  usePreparedAutomaton(() => packed);
  const automaton = automatonFor(KEYWORDS);
  expect(automaton.next.buffer).not.toBe(packed.buffer);
  expect(outputsOf(automaton)).toEqual(outputsOf(buildAutomaton(KEYWORDS)));
});
