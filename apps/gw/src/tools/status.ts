import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';

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
