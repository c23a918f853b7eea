import * as z from 'zod';

/** A reference to another thing, by its id. Whether there is such a thing is for the database to say. */
export const reference = z.guid('must be the id of one that exists').toLowerCase();
