import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';

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
