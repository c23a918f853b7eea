import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';
import { makeChange, previewChange } from './files/change.ts';

export const edit = defineTool({
  name: 'Edit',
  description:
    'Replaces text in a file that was read before. old_string must occur exactly once, blanks and indentation included; replace_all replaces every occurrence.',
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file.'),
    old_string: s.string().describe('Text to replace, exactly as it is in the file, without line numbers.'),
    new_string: s.string().describe('Text to put in its place.'),
    replace_all: s.boolean().optional().describe('Replace every occurrence.'),
  }),
  effect: 'write',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  preview: (args, context) => previewChange(args.file_path, [args], context),
  run: (args, context) => makeChange(args.file_path, [args], context),
});
