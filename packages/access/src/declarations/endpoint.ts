import { RESERVED_SEGMENTS } from '@gateway/contract';
import * as z from 'zod';
import { endpointPathFault, MOST_PATHS } from './endpoint-paths.ts';
import { slug } from './text.ts';

const path = z.string('must be text').superRefine((text, context) => {
  const fault = endpointPathFault(text);
  if (fault !== null) context.addIssue(fault);
});

/** The members of an endpoint besides its model. */
export const endpointFields = {
  name: slug.refine(
    (text) => !(RESERVED_SEGMENTS as readonly string[]).includes(text),
    `must not be ${RESERVED_SEGMENTS.join(', ')}: the gateway keeps these`,
  ),
  active: z.boolean('must be true or false'),
  paths: z
    .array(path, 'must be a list of paths')
    .max(MOST_PATHS, `must contain at most ${MOST_PATHS} paths`)
    .refine((all) => new Set(all).size === all.length, 'must name each path once'),
};
