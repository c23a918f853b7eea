import * as z from 'zod';

/** A yes or no in a query string. */
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
