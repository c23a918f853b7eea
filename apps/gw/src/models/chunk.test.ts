import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelEvent, ModelFailed } from '../agent/types/index.ts';
import { createAssembly } from './chunk.ts';

/** What an answer of these choices gives, as one text and its calls. */
function assembled(choices: readonly object[], ...more: readonly object[]) {
  const assembly = createAssembly();
  const events: ModelEvent[] = [];
  for (const choice of choices) events.push(...assembly.add(JSON.stringify({ choices: [choice] })));
  for (const event of more) events.push(...assembly.add(JSON.stringify(event)));
  events.push(...assembly.end());
  return {
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : [])),
    usage: events.find((event) => event.type === 'usage'),
    end: events.at(-1),
  };
}
const FINISHED = { delta: {}, finish_reason: 'tool_calls' };
const calling = (...tool_calls: readonly object[]): object => ({ delta: { tool_calls } });

describe('calls', () => {
  it('that come interleaved are put together by their index', () => {
    const names = fc.array(
      fc.record({ name: fc.constantFrom('Read', 'Bash'), text: fc.string({ unit: 'grapheme', maxLength: 30 }) }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(names, fc.infiniteStream(fc.nat()), (wanted, order) => {
        const pieces = wanted.map(({ name, text }, index) => [
          { index, id: `call-${index}`, function: { name, arguments: '' } },
          ...(text.match(/[\s\S]{1,3}/g) ?? []).map((part) => ({ index, function: { arguments: part } })),
        ]);
        const choices: object[] = [];
        while (pieces.some((left) => left.length > 0)) {
          const open = pieces.filter((left) => left.length > 0);
          choices.push(calling(open[(order.next().value as number) % open.length]?.shift() ?? {}));
        }
        expect(assembled([...choices, FINISHED]).calls).toEqual(
          wanted.map(({ name, text }, index) => ({ id: `call-${index}`, name, arguments: text })),
        );
      }),
      { numRuns: 25 },
    );
  });
  it.each<[string, object[]]>([
    [
      'no index',
      [
        calling({ id: 'a', function: { name: 'Read', arguments: '{"x"' } }),
        calling({ function: { arguments: ':1}' } }),
        calling({ id: 'b', function: { name: 'List', arguments: '{}' } }),
      ],
    ],
    [
      'no index, all in one event',
      [
        calling(
          { id: 'a', function: { name: 'Read', arguments: '{"x":1}' } },
          { id: 'b', function: { name: 'List', arguments: '{}' } },
        ),
      ],
    ],
    [
      'the identifier in every piece',
      [
        calling({ index: 0, id: 'a', function: { name: 'Read', arguments: '{"x"' } }),
        calling({ index: 0, id: 'a', function: { name: 'Read', arguments: ':1}' } }),
        calling({ index: 1, id: 'b', function: { name: 'List', arguments: '{}' } }),
      ],
    ],
    [
      'another identifier with every piece',
      [
        calling({ index: 0, id: 'a', function: { name: 'Read', arguments: '{"x"' } }),
        calling({ index: 0, id: 'random', function: { arguments: ':1}' } }),
        calling({ index: 1, id: 'b', function: { name: 'List', arguments: '{}' } }),
      ],
    ],
    [
      'the same index for every call',
      [
        calling({ index: 0, id: 'a', function: { name: 'Read', arguments: '{"x"' } }),
        calling({ index: 0, function: { arguments: ':1}' } }),
        calling({ index: 0, id: 'b', function: { name: 'List', arguments: '{' } }),
        calling({ index: 0, function: { arguments: '}' } }),
      ],
    ],
    [
      'the same index for every call of one event',
      [
        calling(
          { index: 0, id: 'a', function: { name: 'Read', arguments: '{"x":1}' } },
          { index: 0, id: 'b', function: { name: 'List', arguments: '{}' } },
        ),
      ],
    ],
  ])('of an engine that sends %s stay apart', (_, choices) => {
    expect(assembled([...choices, FINISHED]).calls).toEqual([
      { id: 'a', name: 'Read', arguments: '{"x":1}' },
      { id: 'b', name: 'List', arguments: '{}' },
    ]);
  });
  it('without an identifier get one each', () => {
    const choices = [calling({ index: 0, function: { name: 'A' } }), calling({ index: 1, function: { name: 'B' } })];
    const ids = assembled([...choices, FINISHED]).calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('');
  });
});

describe('an answer', () => {
  it('counts as whole only once a reason for its end came', () => {
    for (const reason of [undefined, null, ''])
      expect(() => assembled([{ delta: { content: 'half' }, finish_reason: reason }])).toThrow('broke off');
  });
  it('keeps its reason though an empty one follows', () => {
    const { end } = assembled([FINISHED, { delta: {}, finish_reason: '' }]);
    expect(end).toEqual({ type: 'end', reason: 'tool_calls' });
  });
  it('takes the usage from any event, with counts that are missing as zero', () => {
    expect(assembled([FINISHED], { choices: [], usage: { prompt_tokens: 7 } }).usage).toMatchObject({
      input: 7,
      output: 0,
    });
    expect(assembled([FINISHED], { choices: null, usage: null }).usage).toBeUndefined();
  });
  it.each<[string, string]>([
    ['not json', 'The engine sent an event that is not JSON.'],
    ['[1]', 'The engine sent an event of an unknown form.'],
    ['{"choices":"none"}', 'The engine sent an event of an unknown form.'],
    ['{"error":{"message":"out of memory"}}', 'out of memory'],
    ['{"error":"no such model"}', 'no such model'],
    ['{"error":{"code":500}}', 'The engine reported an error.'],
  ])('fails with a sentence at %s', (event, sentence) => {
    expect(() => [...createAssembly().add(event)]).toThrow(sentence);
  });
  it('never fails in any other way, whatever an event holds', () => {
    const failure = (events: readonly string[]): unknown => {
      const assembly = createAssembly();
      try {
        for (const event of events) Array.from(assembly.add(event));
        return null;
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 5 }), (events) => {
        const error = failure(events);
        expect(error === null || error instanceof ModelFailed).toBe(true);
      }),
    );
  });
});
