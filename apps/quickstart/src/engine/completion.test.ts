import { array, assert, boolean, constantFrom, integer, option, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAT_REQUEST, type ChatRequest, complete, MODEL, plainAnswer, streamAnswer } from './server.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const request = record({
  model: constantFrom(MODEL),
  messages: array(
    record({
      role: constantFrom('user', 'system', 'tool'),
      content: option(string({ unit: 'grapheme', maxLength: 400 })),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  max_tokens: option(integer({ min: 1, max: 60 })),
});
interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[];
  readonly usage?: unknown;
}
const chunksOf = (asked: ChatRequest, withUsage: boolean): readonly Chunk[] => [
  ...(streamAnswer(complete(asked, NOW), withUsage) as Iterable<Chunk>),
];

describe('an answer of the demo engine', () => {
  it('is the same text plain and streamed, with the same end and the same tokens', () => {
    assert(
      property(request, boolean(), (given, withUsage) => {
        const asked = CHAT_REQUEST.parse(given);
        const plain = plainAnswer(complete(asked, NOW)) as {
          choices: { message: { content: string }; finish_reason: string }[];
          usage: { completion_tokens: number; prompt_tokens: number; total_tokens: number };
        };
        const chunks = chunksOf(asked, withUsage);
        const text = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).join('');
        expect(text.trimEnd()).toBe(plain.choices[0]?.message.content);
        const ends = chunks
          .flatMap(({ choices }) => choices.map((one) => one.finish_reason))
          .filter((end) => end !== null);
        expect(ends).toEqual([plain.choices[0]?.finish_reason]);
        const { completion_tokens: out, prompt_tokens: into, total_tokens: total } = plain.usage;
        expect([total, out <= (asked.max_tokens ?? 1000)]).toEqual([into + out, true]);
        expect(chunks.at(-1)?.usage).toEqual(withUsage ? plain.usage : undefined);
      }),
    );
  });

  it('has an id of its own, and the second in which it was made', () => {
    const asked = CHAT_REQUEST.parse({ model: MODEL, messages: [{ role: 'user', content: 'x' }] });
    const [one, other] = [complete(asked, NOW), complete(asked, NOW)];
    expect(one.id).toMatch(/^chatcmpl-[0-9a-f-]{36}$/);
    expect(one.id).not.toBe(other.id);
    expect(one.created).toBe(1_767_323_045);
  });

  it('repeats the last message alone, and ends in time if it is empty', () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: null },
      { role: 'user', content: ' last\n' },
    ];
    const said = (list: readonly object[]) =>
      complete(CHAT_REQUEST.parse({ model: MODEL, messages: list }), NOW).pieces.join('');
    expect(said(messages)).toMatch(/The last message says: "last"$/);
    expect(said([{ role: 'user' }])).toMatch(/The last message says: ""$/);
    expect(said([{ role: 'user', content: [] }])).toMatch(/The last message says: ""$/);
  });
});

describe('a request', () => {
  it.each([
    { messages: [{ role: 'user', content: 'x' }] },
    { model: MODEL, messages: [] },
    { model: MODEL, messages: [{ content: 'x' }] },
    { model: MODEL, messages: [{ role: 'user', content: 7 }] },
    { model: MODEL, messages: [{ role: 'user', content: 'x' }], max_tokens: 0 },
    { model: MODEL, messages: [{ role: 'user', content: 'x' }], max_tokens: 1.5 },
    { model: MODEL, messages: [{ role: 'user', content: 'x' }], stream: 'yes' },
  ])('is refused: %j', (body) => {
    expect(CHAT_REQUEST.safeParse(body).success).toBe(false);
  });

  it('may have more members, and null for those that have no value', () => {
    const body = {
      model: MODEL,
      messages: [{ role: 'user', content: 'x', name: 'n' }],
      temperature: 1,
      tools: [],
      stream: null,
      max_tokens: null,
      stream_options: null,
    };
    expect(CHAT_REQUEST.safeParse(body).success).toBe(true);
  });
});
