import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadArchive } from '../corpus/archive.ts';
import { type Files, testArchive } from '../testing/archive.ts';
import { bodyText } from '../testing/body-text.ts';
import { corpusOf, FILLER, indexOf } from '../testing/corpus.ts';
import { readQuestion } from './question.ts';
import {
  answerSearch,
  excerptOf,
  isTooLong,
  LONGEST_QUESTION,
  MOST_PASSAGES,
  prepareSearch,
  type Search,
  USUAL_PASSAGES,
} from './search.ts';

const CORPUS = corpusOf({
  ...FILLER,
  'Installing the service':
    'How to install the service.\n\n## Requirements\n\nA database and a folder for the lighthouse files.',
});

async function searchIn(files: Files) {
  const archive = await loadArchive(testArchive(files).folder);
  if ('fault' in archive) throw new Error(archive.fault);
  return prepareSearch(archive);
}

describe('a search', () => {
  it.each([
    ['with line ends of Windows', Buffer.from(CORPUS.replaceAll('\n', '\r\n'))],
    ['as PowerShell writes it', Buffer.from(`\ufeff${CORPUS.replaceAll('\n', '\r\n')}`, 'utf16le')],
    ['in the code page of Windows', Buffer.from(`${CORPUS}\n\nDie Größe.`, 'latin1')],
  ])('reads a corpus %s', async (_, corpus) => {
    const search = await searchIn({ 'llms-full.txt': corpus });
    expect(search?.('where do the Lighthouse files go', 1)).toMatchObject({
      answered: true,
      results: [{ section: 'Requirements', excerpt: expect.stringMatching(/^A database and a folder/) }],
    });
  });
  // documentation-8
  it('answers with the published fields', async () => {
    const search = await searchIn({
      'llms-full.txt': CORPUS,
      'installing-the-service.html': '<h2 id="requirements">Requirements</h2>',
    });
    expect(search?.('where do the Lighthouse files go', 1)).toEqual({
      version: '1.0.0',
      base: '/v/1.0.0',
      query: 'where do the Lighthouse files go',
      terms: ['lighthouse', 'files'],
      answered: true,
      results: [
        {
          page: 'Installing the service',
          section: 'Requirements',
          url: '/v/1.0.0/installing-the-service.html#requirements',
          excerpt: 'A database and a folder for the lighthouse files.',
          score: expect.any(Number),
          coverage: 1,
        },
      ],
    });
  });
  it('reports a question as answered or not, for any number of passages', async () => {
    const search = await searchIn({ 'llms-full.txt': CORPUS });
    for (const question of ['lighthouse files', 'default of a setting queue', 'install a zeppelin', 'how fast is it']) {
      const verdicts = [1, 2, 3, 5, 20].map((limit) => search?.(question, limit).answered);
      expect(new Set(verdicts).size).toBe(1);
    }
  });
  // documentation-9
  it('reports in one sentence that nothing covers a question, with its unknown words', async () => {
    const search = await searchIn({ 'llms-full.txt': CORPUS });
    const { nearest, ...response } = search?.('install a Zeppelin mortgage', 5) ?? {};
    expect(response).toEqual({
      version: '1.0.0',
      base: '/v/1.0.0',
      query: 'install a Zeppelin mortgage',
      terms: ['install', 'zeppelin', 'mortgage'],
      answered: false,
      results: [],
      note: 'No page answers this. It does not mention: zeppelin, mortgage.',
    });
    expect(nearest?.[0]).toMatchObject({ page: 'Installing the service', coverage: expect.any(Number) });
  });
  it('names the nearest pages apart from results, each once, three at most, and none without a word in common', async () => {
    const search = await searchIn({ 'llms-full.txt': CORPUS });
    const nearest = search?.('install a Zeppelin mortgage in the setting of a queue', 20).nearest ?? [];
    expect(nearest.length).toBeGreaterThan(0);
    expect(nearest.length).toBeLessThanOrEqual(3);
    expect(new Set(nearest.map(({ page }) => page)).size).toBe(nearest.length);
    expect(search?.('install a Zeppelin mortgage', 1).nearest).toHaveLength(1);
    expect(search?.('zeppelin mortgage', 5)).toMatchObject({ answered: false, nearest: [] });
    expect(search?.('lighthouse files', 5)).not.toHaveProperty('nearest');
  });
  it('finds the address of a page without one in llms.txt', async () => {
    const search = await searchIn({
      'llms-full.txt': CORPUS.replaceAll(/ \(\/[^)]*\)$/gm, ''),
      'llms.txt': '- [Installing the service](/guide/install.md)\n',
      'guide/install.html': '',
    });
    expect(search?.('lighthouse files', 1).results[0]?.url).toBe('/v/1.0.0/guide/install.html');
    expect(search?.('which setting drains a queue', 1).results[0]?.url).toBe('/v/1.0.0/llms-full.txt');
  });
  it('does not exist without a corpus, and finds nothing in an empty one', async () => {
    expect(await searchIn({})).toBeNull();
    expect((await searchIn({ 'llms-full.txt': '' }))?.('anything', 5).answered).toBe(false);
  });
});

describe('the route', () => {
  const ask = async (query: string, method = 'GET') => {
    const { status, headers, body } = answerSearch(await searchIn({ 'llms-full.txt': CORPUS }), method, query);
    return { status, headers, json: JSON.parse(bodyText({ body })) };
  };
  it.each([
    ['', 5],
    ['&limit=2', 2],
    ['&limit=20', 20],
    ['&limit=1000', 20],
    ['&limit=99999999999999999999', 20],
    ['&limit=0', 1],
    ['&limit=-3', 1],
    ['&limit=%2B3', 3],
    ['&limit=', 5],
    ['&limit=many', 5],
    ['&limit=2.5', 5],
    ['&limit=1e1', 5],
    ['&limit=0x2', 5],
    ['&limit=%202', 5],
  ])('q=setting%s gives %d passages', async (limit, count) => {
    const { status, json } = await ask(`?q=setting+queue${limit}`);
    expect([status, json.results.length]).toEqual([200, count]);
  });
  it.each(['', '?', '?q=', '?q=%20+', '?limit=3', '?Q=x'])('%j lacks a question', async (query) => {
    const { status, json } = await ask(query);
    expect(status).toBe(400);
    expect(json.error).toBe(
      'Ask a question with the "q" query parameter, for example /v/_search?q=<words>. Add "limit" to ask for fewer or more passages.',
    );
  });
  // documentation-10
  it('accepts at most 1,000 characters', async () => {
    expect((await ask(`?q=${'a'.repeat(1000)}`)).status).toBe(200);
    expect((await ask(`?q=${'%F0%9F%92%A1'.repeat(1000)}`)).status).toBe(200);
    expect(await ask(`?q=${'a'.repeat(1001)}`)).toMatchObject({
      status: 400,
      json: { error: 'A question holds at most 1000 characters.' },
    });
  });
  it('returns the question unchanged', async () => {
    expect((await ask('?q=a%20b+c%C3%A9&q=second')).json.query).toBe('a b cé');
  });
  it('refuses other methods than GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'OPTIONS']) {
      expect(await ask('?q=setting', method)).toMatchObject({
        status: 405,
        headers: { allow: 'GET, HEAD' },
        json: { error: 'Documentation search is read-only: only GET and HEAD are served at this path.' },
      });
    }
  });
  it('reports that the archive contains no corpus', () => {
    const { status, body } = answerSearch(null, 'GET', '?q=x');
    expect(status).toBe(501);
    expect(bodyText({ body })).toMatch(
      /The documentation installed here carries no llms-full\.txt.*only search is unavailable\."\}$/,
    );
  });
});

/** A search that returns what it was asked. */
const search = ((query: string, limit: number) => ({ query, limit })) as unknown as Search;
const answerOf = (query: string, method = 'GET', of: Search | null = search) => {
  const { status, headers, body } = answerSearch(of, method, query);
  return { status, headers, json: JSON.parse(Buffer.isBuffer(body) ? body.toString() : '') };
};

describe('a question in an address', () => {
  it.each([
    ['?q=seats', 'seats'],
    ['?q=%C3%A9t%C3%A9+fort', 'été fort'],
    ['?q=a%26b%3D1', 'a&b=1'],
    ['?limit=3&q=x&other=y', 'x'],
    ['?q=first&q=second', 'first'],
    ['?q=%ff', '\ufffd'],
  ])('%s is %j', (query, question) => {
    expect(answerOf(query).json.query).toBe(question);
  });

  it('is read as it was written, for any text', () => {
    assert(
      property(string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (text) => {
        if (text.trim() === '') return;
        expect(answerOf(`?${new URLSearchParams({ q: text }).toString()}`).json.query).toBe(text);
      }),
    );
  });

  it.each(['', '?', '?q=', '?q=+%20', '?Q=x', '?query=x', '?q'])(
    'is missing in %j, and the answer shows how to ask',
    (query) => {
      expect(answerOf(query)).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining('/v/_search?q=<words>') },
      });
    },
  );

  it('has at most 1000 characters, as people count them', () => {
    expect(isTooLong('🔒'.repeat(LONGEST_QUESTION))).toBe(false);
    expect(isTooLong('🔒'.repeat(LONGEST_QUESTION + 1))).toBe(true);
    expect(answerOf(`?q=${'x'.repeat(1000)}`).status).toBe(200);
    expect(answerOf(`?q=${'x'.repeat(1001)}`)).toMatchObject({
      status: 400,
      json: { error: 'A question holds at most 1000 characters.' },
    });
  });
});

describe('the number of passages', () => {
  it.each([
    ['1', 1],
    ['20', 20],
    ['0', 1],
    ['-5', 1],
    ['21', MOST_PASSAGES],
    ['9'.repeat(400), MOST_PASSAGES],
    ['%2B3', 3],
    ['', USUAL_PASSAGES],
    ['2.5', USUAL_PASSAGES],
    ['ten', USUAL_PASSAGES],
    ['0x10', USUAL_PASSAGES],
    ['1e1', USUAL_PASSAGES],
    ['+7', USUAL_PASSAGES],
  ])('for limit=%s is %d', (limit, number) => {
    expect(answerOf(`?q=x&limit=${limit}`).json.limit).toBe(number);
  });

  it('is within its bounds for every number', () => {
    assert(
      property(integer(), (limit) => {
        expect(answerOf(`?q=x&limit=${limit}`).json.limit).toBe(Math.min(20, Math.max(1, limit)));
      }),
    );
  });
});

describe('a search that cannot be answered', () => {
  it('is one with another method, which names those that are served', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'get']) {
      expect(answerOf('?q=x', method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
    expect(answerOf('?q=x', 'HEAD').status).toBe(200);
  });

  it('is one without a corpus, whatever the question', () => {
    for (const query of ['?q=x', '']) {
      expect(answerOf(query, 'GET', null)).toMatchObject({
        status: 501,
        json: { error: expect.stringContaining('llms-full.txt') },
      });
    }
  });
});

const FENCE = '```';

function excerpt(text: string, question: string): string {
  const index = indexOf({ Page: text, Other: 'Something else entirely.' });
  return excerptOf(index, text, readQuestion(index, question));
}

/** CommonMark's fences, with its rule on indentation: whether every block that opens is closed. */
function fencesWhole(text: string): boolean {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!mark?.[1]) continue;
    if (open === null) open = mark[1];
    else if (mark[1][0] === open[0] && mark[1].length >= open.length && mark[2]?.trim() === '') open = null;
  }
  return open === null;
}

const filler = Array.from({ length: 12 }, (_, at) => `Paragraph ${at} speaks of the weather and of the sea.`);

describe('an excerpt', () => {
  it('is the whole of a short passage', () => {
    expect(excerpt('One line.\n\nAnother line.', 'line')).toBe('One line.\n\nAnother line.');
  });
  it('is taken from the part that answers the question', () => {
    const text = [...filler.slice(0, 8), 'The turbine is blue.', ...filler.slice(8)].join('\n\n');
    const taken = excerpt(text, 'turbine');
    expect(taken).toContain('The turbine is blue.');
    expect(taken.length).toBeLessThan(700);
  });
  it('starts with what introduces it', () => {
    const text = [...filler, 'Run this once:', `${FENCE}\nturbine --start\n${FENCE}`].join('\n\n');
    expect(excerpt(text, 'turbine')).toContain(`Run this once:\n\n${FENCE}\nturbine --start\n${FENCE}`);
  });
  it('shows a long block from its first line to its last', () => {
    const code = Array.from({ length: 40 }, (_, at) => `echo step-${at} # configure the harbour, step ${at}`);
    const taken = excerpt(
      [...filler, `${FENCE}bash\n${code.join('\n')}\n${FENCE}`, ...filler].join('\n\n'),
      'configure the harbour',
    );
    expect(taken.match(/step-\d+/g)).toHaveLength(40);
    expect(fencesWhole(taken)).toBe(true);
  });
  it('leaves a huge block out rather than cutting it', () => {
    const text = `Before it.\n\n${FENCE}\n${'turbine\n'.repeat(2000)}${FENCE}\n\nBehind it.`;
    expect(excerpt(text, 'turbine')).toBe('Before it.\n\nBehind it.');
    expect(excerpt(`${FENCE}\n${'turbine\n'.repeat(2000)}${FENCE}`, 'turbine')).toBe('');
  });
  it('cuts a long paragraph at a line and marks it', () => {
    const lines = Array.from({ length: 40 }, (_, at) =>
      at === 30 ? '- the turbine is blue' : `- item ${at} of a long list`,
    );
    const taken = excerpt(lines.join('\n'), 'turbine');
    expect(taken).toMatch(/^… .*- the turbine is blue.* …$/s);
    expect(taken.length).toBeLessThan(650);
  });
  it('cuts a long line at a sentence, and an endless sentence at a word', () => {
    const sentences = `${'The weather is fine today. '.repeat(40)}The turbine is blue. ${'The sea is calm. '.repeat(40)}`;
    expect(excerpt(sentences, 'turbine')).toMatch(/^… (?:The \w+ is \w+(?: today)?\.\s?)+ …$/);
    const endless = excerpt(`turbine ${'weather '.repeat(300)}`, 'turbine');
    expect(endless).toMatch(/^turbine (?:weather )+… …$|^turbine (?:weather )+…$/);
  });
  it('leaves out lines that only open or close a component', () => {
    expect(excerpt('<Tabs>\n<Tab title="One">\nThe turbine.\n</Tab>\n</Tabs>', 'turbine')).toBe('The turbine.');
  });
  it('never opens a block it does not close, for any passage', () => {
    const piece = constantFrom(
      'turbine text',
      '',
      FENCE,
      `${FENCE}bash`,
      '````md',
      '````',
      '~~~',
      `  ${FENCE}`,
      `     ${FENCE}`,
      `${FENCE}inline${FENCE} code`,
      '# comment',
      '---',
      filler.join(' '),
    );
    assert(
      property(array(piece, { maxLength: 25 }), (lines) => {
        expect(fencesWhole(excerpt(lines.join('\n'), 'turbine'))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
