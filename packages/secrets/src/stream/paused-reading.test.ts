import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK, content, MASK, run, scanner, sse, stop, token } from '../testing/model-events.ts';
import { createEventStream, type EventStream } from './events.ts';
import type { EventStep } from './exit.ts';

/** The same as `run`, with every pause that there may be. */
function runInSteps(chunks: readonly Uint8Array[], responses: typeof MASK | typeof BLOCK) {
  const stream = createEventStream(scanner, responses, 'sse');
  const steps: EventStep[] = [];
  const take = (next: (stream: EventStream) => EventStep): void => {
    for (let step = next(stream); ; step = stream.goOn()) {
      steps.push(step);
      if (!step.paused) return;
    }
  };
  for (const chunk of chunks) take((own) => own.push(chunk, true));
  take((own) => own.end(true));
  return {
    text: Buffer.concat(steps.map(({ bytes }) => bytes)).toString(),
    findings: steps.flatMap(({ findings }) => findings),
    blocked: steps.some(({ blocked }) => blocked),
    steps: steps.length,
  };
}

const choices = (count: number, text = 'word '): unknown => ({
  choices: Array.from({ length: count }, (_, index) => ({ index, delta: { content: text } })),
});

describe('reading with pauses', () => {
  it('gives what reading without pauses gives', () => {
    const event = constantFrom<unknown>(
      content('a word '),
      content(token.slice(0, 12)),
      content(token.slice(12)),
      content('other', 1),
      choices(40),
      choices(40, token.slice(0, 9)),
      { text: 'x'.repeat(20_000) },
      { text: `${'x '.repeat(9000)}${token}` },
      stop,
      '[DONE]',
    );
    assert(
      property(array(event, { maxLength: 24 }), constantFrom(MASK, BLOCK), (events, responses) => {
        const bytes = sse(...events);
        const chunks = [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)];
        expect(runInSteps(chunks, responses)).toMatchObject(run(chunks, responses));
      }),
      { numRuns: 20 },
    );
  });

  it('pauses in a long event, in one of many texts, and after a few events', () => {
    expect(runInSteps([sse({ text: 'x'.repeat(100_000) })], BLOCK).steps).toBeGreaterThan(15);
    expect(runInSteps([sse({ text: 'x'.repeat(300_000) })], BLOCK).steps).toBeGreaterThan(60);
    expect(runInSteps([sse(choices(1000))], BLOCK).steps).toBeGreaterThan(50);
    expect(runInSteps([Buffer.from(': a\n\n'.repeat(100))], BLOCK).steps).toBeGreaterThan(10);
  });

  it('takes time in proportion to the texts of an event', () => {
    // As templates, one for each of them, 4,500 texts took 19 s.
    const bytes = sse(choices(1500));
    expect(run([bytes], BLOCK).text).toBe(bytes.toString());
  });
});
