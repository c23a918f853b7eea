export interface RequestText {
  /** One line of at most 72 characters. */
  readonly subject: string;
  /** Body of the commit and description of the request; may be empty. */
  readonly description: string;
}

const MAX_SUBJECT = 72;

/**
 * Parses a model's answer: its first line is the subject, the rest the description. Small models add headings, quotes and
 * fences; these are removed. An answer without text gives the subject `Update <files>`.
 */
export function requestText(answer: string, files: readonly string[]): RequestText {
  const lines = answer
    .replaceAll(/<think>[\s\S]*?<\/think>/g, '')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(```|~~~)/.test(line));
  const first = lines.findIndex((line) => line.trim() !== '');
  const written = (lines[first] ?? '')
    .replace(/^\s*(#+\s*)?(\**(subject|title|commit message)\**\s*:\s*\**)?/i, '')
    .replaceAll(/^["'`*]+|["'`*]+$/g, '')
    .trim();
  const subject = written === '' ? fallback(files) : written;
  const rest = lines
    .slice(first + 1)
    .join('\n')
    .replace(/^\s*\**(description|body)\**\s*:\**\s*/i, '')
    .trim();
  if (subject.length <= MAX_SUBJECT) return { subject, description: rest };
  const cut = subject.slice(0, MAX_SUBJECT - 1).replace(/\s+\S*$|[\ud800-\udbff]$/, '');
  return { subject: `${cut}…`, description: [subject, rest].filter((part) => part !== '').join('\n\n') };
}

function fallback(files: readonly string[]): string {
  const [first = 'files'] = files;
  return files.length > 1 ? `Update ${first} and ${files.length - 1} more` : `Update ${first}`;
}

/** A branch name of a subject: `gw/raise-the-tax-3f9a2c`. */
export function branchName(subject: string, suffix: string): string {
  const words = subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return `gw/${words === '' ? 'changes' : words}-${suffix}`;
}
