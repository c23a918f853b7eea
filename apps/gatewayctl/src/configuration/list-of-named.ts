import * as z from 'zod';

/** A list in which no two entries have one name. */
export function listOfNamed<Item extends z.ZodType>(item: Item, nameOf: (item: z.output<Item>) => string) {
  return z.array(item, 'must be a list').superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, each] of items.entries()) {
      const text = nameOf(each);
      if (seen.has(text)) context.addIssue({ code: 'custom', path: [index], message: 'is in the list twice' });
      seen.add(text);
    }
  });
}
