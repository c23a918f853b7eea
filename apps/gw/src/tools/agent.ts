import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';

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
