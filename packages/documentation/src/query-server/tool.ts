import { FEWEST_PASSAGES, isTooLong, LONGEST_QUESTION, MOST_PASSAGES, USUAL_PASSAGES } from '../search/route.ts';
import type { Search } from '../search/search.ts';
import { isObject } from './message.ts';

/** The one tool of the query server (documentation-11). */
export const TOOL_NAME = 'search_documentation';

/** One passage of a result. */
const PASSAGE = {
  type: 'object',
  properties: {
    page: { type: 'string', description: 'Title of the page.' },
    section: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Heading of the passage.' },
    url: { type: 'string', description: 'Path of the page on this gateway.' },
    excerpt: { type: 'string', description: 'The passage, in Markdown.' },
    score: { type: 'number' },
    coverage: { type: 'number', description: 'Share of the question that the passage covers, 0 to 1.' },
  },
  required: ['page', 'section', 'url', 'excerpt', 'score', 'coverage'],
} as const;

/** How the tool describes itself, with the schemas of what it takes and gives. */
export const TOOL = {
  name: TOOL_NAME,
  title: 'Search the documentation',
  description:
    'Finds the passages of the installed product documentation that answer a question. No language model is involved: every passage is published text, given with its page, section and address on this gateway. When nothing covers the question, answered is false, results is empty, and nearest names the pages that come nearest.',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: LONGEST_QUESTION,
        description: 'The question, in words.',
      },
      limit: {
        type: 'integer',
        minimum: FEWEST_PASSAGES,
        maximum: MOST_PASSAGES,
        default: USUAL_PASSAGES,
        description: 'How many passages to give at most.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      version: { type: 'string', description: 'Version of the documentation.' },
      base: { type: 'string', description: 'Path prefix of the documentation on this gateway.' },
      query: { type: 'string' },
      terms: {
        type: 'array',
        items: { type: 'string' },
        description: 'The words that were searched for, as they were meant.',
      },
      answered: { type: 'boolean', description: 'Whether the documentation covers the question.' },
      results: {
        type: 'array',
        description: 'Passages, best first.',
        items: PASSAGE,
      },
      nearest: {
        type: 'array',
        description:
          'Where no page answers: the best passage of each of the nearest pages. They do not answer the question.',
        items: PASSAGE,
      },
      note: { type: 'string', description: 'Why there are no results, or which words were read otherwise than typed.' },
    },
    required: ['version', 'base', 'query', 'terms', 'answered', 'results'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

/**
 * Calls the tool. Invalid arguments return a result with the error, which a model can read and correct; it would not see a
 * protocol error.
 */
export function callTool(search: Search, given: unknown): Record<string, unknown> {
  const read = readArguments(given ?? {});
  if ('fault' in read) return { content: [{ type: 'text', text: read.fault }], isError: true };
  const response = search(read.query, read.limit);
  return { content: [{ type: 'text', text: JSON.stringify(response) }], structuredContent: response };
}

function readArguments(given: unknown): { query: string; limit: number } | { fault: string } {
  if (!isObject(given)) return { fault: 'The arguments must be an object.' };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(TOOL.inputSchema.properties, name));
  if (unknown !== undefined) return { fault: `There is no argument ${JSON.stringify(unknown.slice(0, 100))}.` };
  const query = Object.hasOwn(given, 'query') ? given['query'] : undefined;
  const limit = Object.hasOwn(given, 'limit') ? given['limit'] : USUAL_PASSAGES;
  if (typeof query !== 'string' || query.trim() === '' || isTooLong(query)) {
    return { fault: `query must be text of 1 to ${LONGEST_QUESTION} characters, not only blanks.` };
  }
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < FEWEST_PASSAGES || limit > MOST_PASSAGES) {
    return { fault: `limit must be a whole number from ${FEWEST_PASSAGES} to ${MOST_PASSAGES}.` };
  }
  return { query, limit };
}
