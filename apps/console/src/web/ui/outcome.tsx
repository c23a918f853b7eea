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
