import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';

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
