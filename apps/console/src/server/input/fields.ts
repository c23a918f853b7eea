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

function sentenceOf(issue: ZodError['issues'][number]): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return issue.message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  return issue.message;
}
