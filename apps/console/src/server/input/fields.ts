import type { ZodError } from 'zod';

/**
 * One sentence a faulty field, named by its path (`document.tools.allow.0`). A member that the shape lacks is a fault of its own,
 * under its own name. The value itself is never repeated.
 */
export function fieldsOf(error: ZodError): Record<string, string> {
  // No prototype: a member called __proto__ is a name like any other.
  const fields: Record<string, string> = Object.create(null);
  for (const issue of error.issues) {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) fields[[...path, key].join('.')] ??= 'is not known here';
    } else {
      fields[path.join('.') || 'body'] ??= sentenceOf(issue);
    }
  }
  return fields;
}

const KINDS: Readonly<Record<string, string>> = { boolean: 'true or false', string: 'a text' };

/** What a shape says of a fault itself, else a sentence in place of the library's. */
function sentenceOf(issue: ZodError['issues'][number]): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    const kind = KINDS[issue.expected] ?? `of type ${issue.expected}`;
    return issue.message.endsWith('received undefined') ? 'is missing' : `must be ${kind}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) return 'must not be empty';
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `must have at most ${issue.maximum} characters`;
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  return issue.message;
}
