import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  enabled: 'teal',
  granted: 'teal',
  installed: 'teal',
  succeeded: 'teal',
  'in force': 'teal',
  refused: 'red',
  failed: 'red',
  revoked: 'red',
  expired: 'red',
  interrupted: 'yellow',
  block: 'red',
  mask: 'yellow',
};

/** How something ended, as a word and a colour; never cut by a narrow column, because people read the word. */
export function Outcome({ of }: { of: string }) {
  return (
    <Badge color={COLORS[of] ?? 'gray'} variant="light" miw="max-content">
      {of}
    </Badge>
  );
}

const colour = (status: number | null): string =>
  status === null || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'teal';

/** The HTTP status of an engine's answer; none where it gave none. */
export function StatusBadge({ status }: { status: number | null }) {
  return (
    <Badge color={colour(status)} variant="light" miw="max-content">
      {status === null ? 'no answer' : String(status)}
    </Badge>
  );
}
