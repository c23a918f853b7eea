import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import type { Tool } from '../agent/types/index.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { createBash, createBashOutput, createBashStop } from './bash.ts';
import { defineTool, fileOf } from './define.ts';
import { edit, multiEdit } from './edit.ts';
import { createFetch } from './fetch.ts';
import { type BackgroundJobs, type CommandRunner, LIST_ENTRIES } from './jobs.ts';
import { search } from './search.ts';
import { read, write } from './write.ts';

export interface ToolDependencies {
  readonly jobs: BackgroundJobs;
  /** Where commands run: asked before each of them, for the organization's policy may change. */
  readonly runner: () => Promise<CommandRunner>;
  /** `--beta-status-tool`. */
  readonly statusTool: boolean;
  /** All environment variables: those that name proxies are used for Fetch. */
  readonly variables: ReadonlyMap<string, string>;
}

const PROXIES = /^(?:https?|no|all)_proxy$/i;

/** The tools of the client itself, in the order in which the model sees them. Servers add theirs (`mcp/`). */
export function createTools({ jobs, runner, statusTool, variables }: ToolDependencies): readonly Tool[] {
  const proxies = Object.fromEntries([...variables].filter(([name]) => PROXIES.test(name)));
  return [
    read,
    list,
    search,
    write,
    edit,
    multiEdit,
    createBash(jobs, runner),
    createBashOutput(jobs),
    createBashStop(jobs),
    createFetch(proxies),
    checklist,
    askQuestion,
    agent,
    ...(statusTool ? [status] : []),
  ];
}

export const agent = defineTool({
  name: 'Agent',
  description:
    'Runs a sub-agent on a task of its own and gives its answer. It sees nothing of this conversation: the prompt must contain everything it needs. Its tool calls need the same approvals.',
  schema: s.object({
    prompt: s.string({ min: 1 }).describe('The task, complete in itself.'),
    agent: s.string({ min: 1 }).optional().describe('Name of an agent file of the project or the user.'),
  }),
  effect: 'none',
  target: ({ agent: name = 'sub-agent' }) => ({ kind: 'command', value: name }),
  async run({ prompt, agent: name }, context) {
    if (context.runAgent === undefined)
      return { outcome: 'failed', content: 'A sub-agent cannot start another. Do the task yourself.' };
    return context.runAgent({ prompt, call: context.call, ...(name === undefined ? {} : { agent: name }) });
  },
});

/** Offered with `--beta-status-tool` alone. */
export const status = defineTool({
  name: 'Status',
  description: 'Says in a few words what you are working on now; the user sees it in the status line.',
  schema: s.object({ state: s.string({ min: 1, max: 200 }).describe('A few words.') }),
  effect: 'none',
  target: ({ state }) => ({ kind: 'command', value: state }),
  async run({ state }, context) {
    context.setStatus(state.replaceAll(/\s+/g, ' '));
    return { outcome: 'succeeded', content: 'The status is shown.' };
  },
});

export const checklist = defineTool({
  name: 'Checklist',
  description:
    'Replaces the checklist that the user sees. Use it for work of several steps, and keep one item at most in the state "doing".',
  schema: s.object({
    items: s
      .array(s.object({ text: s.string({ min: 1 }), state: s.oneOf(['open', 'doing', 'done']) }))
      .describe('All items, in their order.'),
  }),
  effect: 'none',
  target: ({ items }) => ({ kind: 'command', value: pluralize(items.length, 'item') }),
  async run({ items }, context) {
    context.setChecklist(items);
    const done = items.filter(({ state }) => state === 'done').length;
    return {
      outcome: 'succeeded',
      content: `The checklist has ${pluralize(items.length, 'item')}, ${done} of them done.`,
      display: { kind: 'checklist', items },
    };
  },
});

export const askQuestion = defineTool({
  name: 'AskQuestion',
  description:
    'Asks the user a question and waits for the answer. Use it where a decision is theirs, not to confirm what they asked for.',
  schema: s.object({
    question: s.string({ min: 1 }).describe('The question.'),
    options: s
      .array(s.string({ min: 1 }))
      .optional()
      .describe('Answers to choose from; the user may give another.'),
  }),
  effect: 'none',
  target: ({ question }) => ({ kind: 'command', value: question.replaceAll(/\s+/g, ' ').slice(0, 200) }),
  async run({ question, options = [] }, context) {
    if (context.ask === undefined)
      return {
        outcome: 'failed',
        content: 'Nobody can answer a question here. Decide yourself, and say what you assumed.',
      };
    const answer = await context.ask({ question, options });
    if (answer === null) return { outcome: 'failed', content: 'The user did not answer.' };
    return { outcome: 'succeeded', content: answer };
  },
});

export const list = defineTool({
  name: 'List',
  description: `Lists a directory, one entry a line: directories end in "/", links are marked, files show their size in bytes. At most ${LIST_ENTRIES} entries.`,
  schema: s.object({
    path: s.string({ min: 1 }).optional().describe('The directory; the working directory by default.'),
  }),
  effect: 'read',
  target: ({ path = '.' }) => ({ kind: 'path', value: path }),
  async run({ path = '.' }, context) {
    const directory = await fileOf(path, context);
    const found = await readdir(directory, { withFileTypes: true }).catch(
      (error: unknown) => errorCode(error) || 'unknown',
    );
    if (typeof found === 'string') {
      const why =
        found === 'ENOENT'
          ? 'does not exist'
          : found === 'ENOTDIR'
            ? 'is not a directory: use Read'
            : `cannot be listed (${found})`;
      return { outcome: 'failed', content: `${path} ${why}.` };
    }
    const sorted = found.toSorted(
      (one, other) => Number(other.isDirectory()) - Number(one.isDirectory()) || (one.name < other.name ? -1 : 1),
    );
    const lines = await Promise.all(
      sorted.slice(0, LIST_ENTRIES).map(async (entry) => {
        if (entry.isDirectory()) return `${entry.name}/`;
        if (entry.isSymbolicLink()) return `${entry.name} (link)`;
        const size = await lstat(join(directory, entry.name)).then(
          ({ size }) => `${size} bytes`,
          () => 'gone',
        );
        return entry.isFile() ? `${entry.name} (${size})` : `${entry.name} (special file)`;
      }),
    );
    const left = sorted.length - lines.length;
    if (left > 0) lines.push(`[${left} more entries: list a directory below, or use Search with a glob]`);
    return { outcome: 'succeeded', content: lines.length === 0 ? `${path} is empty.` : lines.join('\n') };
  },
});
