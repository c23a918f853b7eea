import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';
import { makeChange, previewChange } from './files/change.ts';

export const multiEdit = defineTool({
  name: 'MultiEdit',
  description:
    'Makes several replacements in one file that was read before, one after the other: all of them or none. Each follows the rules of Edit and sees the result of those before it.',
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file.'),
    edits: s
      .array(
        s.object({
          old_string: s.string().describe('Text to replace, exactly as it is in the file.'),
          new_string: s.string().describe('Text to put in its place.'),
          replace_all: s.boolean().optional().describe('Replace every occurrence.'),
        }),
        { min: 1 },
      )
      .describe('The replacements in their order.'),
  }),
  effect: 'write',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  preview: ({ file_path, edits }, context) => previewChange(file_path, edits, context),
  run: ({ file_path, edits }, context) => makeChange(file_path, edits, context),
});
